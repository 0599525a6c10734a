// The dashboard's questions over 3 and 30 million verifications: exact, and fast enough. The databases are filled once and kept
// (npm run seed:large). `npm run verify -- large`.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type LargeDatabase, largeDays, openLargeDatabase } from '../../scripts/seed/large.ts'
import { seedClient, seedPhone } from '../../scripts/seed/traffic.ts'
import { listOwnVerifications } from '../../server/src/actions/verifications/own-verifications-view.ts'
import { readCounts } from '../../server/src/db/verifications/call-counts.ts'
import { firstIdOfSecond, type VerificationId } from '../../server/src/domain/core/slot.ts'
import { clientDigests } from '../../server/src/domain/crypto/keyed-digest.ts'
import { tenantHashes } from '../../server/src/domain/numbers/phone-number.ts'
import type { CountKey } from '../../server/src/domain/verifications/call-counts.ts'
import type { VerificationFilter } from '../../server/src/domain/verifications/verification-filter.ts'
import { stackSetting } from '../support/stack-settings.ts'
import { at, measure } from '../support/times.ts'

const sizes = [3_000_000, 30_000_000] as const
const statisticsMsMax = 200
const searchMsMax = 100
const slowerMax = 2
const timeZone = 'Europe/Moscow'

const databases = new Map<number, LargeDatabase>()
for (const size of sizes) {
  databases.set(size, await openLargeDatabase(stackSetting('RINGPROOF_DATABASE_OWNER_URL'), size, () => undefined))
}
after(async () => {
  for (const { slots } of databases.values()) await slots.close()
})

const questions: readonly (readonly CountKey[])[] = [
  ['day', 'state'],
  ['provider', 'trunk'],
  ['weekday', 'hourOfDay'],
  ['reason'],
  ['mode', 'service'],
]

test('counts equal a plain GROUP BY over the largest account, to the last unit', { timeout: 600_000 }, async (t) => {
  const large = of(sizes[0])
  const { accountId } = first(large)
  const counted = await readCounts(
    large.slots.globalDatabase,
    filterOf(large),
    ['provider', 'trunk', 'mode', 'state'],
    timeZone,
  )
  const { rows } = await large.slots.globalDatabase.query<Record<string, unknown>>(
    `SELECT coalesce(phone_info ->> 'mnp', '') AS provider, trunk, mode::text, state::text, count(*)::float8 AS calls,
       coalesce(sum(price) FILTER (WHERE state = 'succeeded' OR charges_failed AND reason IN ('refused', 'no-ringing')), 0)::float8
         AS charged
     FROM verifications WHERE account_id = $1 AND NOT is_test GROUP BY 1, 2, 3, 4`,
    [accountId],
  )
  const line = ({ provider, trunk, mode, state, calls, charged }: Readonly<Record<string, unknown>>) =>
    JSON.stringify([provider, trunk, mode, state, calls, charged])
  assert.deepEqual(counted.map(line).toSorted(), rows.map(line).toSorted())
  const total = counted.reduce((sum, { calls }) => sum + calls, 0)
  t.diagnostic(`${total} verifications in ${rows.length} groups`)
  assert(total > 1_000_000)
})

test('a question about 30 days', { timeout: 600_000 }, async (t) => {
  const figures = new Map<number, number>()
  for (const size of sizes) {
    const large = of(size)
    const worst: number[] = []
    for (const by of questions) {
      const times = await measure(() =>
        readCounts(large.slots.globalDatabase, filterOf(large), by, timeZone, by[0] === 'day'),
      )
      t.diagnostic(`${size}: by ${by.join(', ')}: p50 ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms`)
      worst.push(at(times, 0.95))
    }
    figures.set(size, Math.max(...worst))
  }
  const [small = 0, big = 0] = sizes.map((size) => figures.get(size))
  t.diagnostic(`the slowest p95: ${small} ms of 3 million, ${big} ms of 30 million`)
  assert(big <= statisticsMsMax, `p95 ${big} ms`)
  assert(big <= small * slowerMax, `p95 ${big} ms, of 3 million ${small} ms`)
})

test('lists and searches over 30 million', { timeout: 600_000 }, async (t) => {
  const large = of(sizes[1])
  const { accountId } = first(large)
  const keys = large.secrets['phone-tenant']
  const range = { firstId: 0, endId: Number.MAX_SAFE_INTEGER, isTest: false }
  const [known] = await list(large, { ...range, phoneHashes: tenantHashes(keys, accountId, seedPhone(3)) })
  assert(known !== undefined)
  const day = Math.floor(large.untilSecond - 12 * 3_600)
  const searches: Readonly<Record<string, VerificationFilter>> = {
    'the newest': range,
    'a page in the middle': { ...range, endId: firstIdOfSecond(large.untilSecond - 15 * 86_400) },
    'by number': { ...range, phoneHashes: tenantHashes(keys, accountId, seedPhone(7)) },
    'by client': { ...range, clientDigests: clientDigests(keys, accountId, seedClient(11)) },
    'by a client that nobody has': { ...range, clientDigests: clientDigests(keys, accountId, 'nobody') },
    'by ID': { ...range, ids: [known as VerificationId] },
    'failed ones of a provider': { ...range, firstId: firstIdOfSecond(day), states: ['failed'], provider: 'Amber' },
    'of a kind that there is not': { ...range, reason: 'lost' },
  }
  for (const [name, filter] of Object.entries(searches)) {
    const times = await measure(() => list(large, filter))
    t.diagnostic(`${name}: p50 ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms`)
    assert(at(times, 0.95) <= searchMsMax, `${name}: p95 ${at(times, 0.95)} ms`)
  }
})

async function list(large: LargeDatabase, filter: VerificationFilter): Promise<readonly number[]> {
  const deps = { slots: large.slots, recordKeys: large.secrets['seal-records'], nowSeconds: () => Date.now() / 1_000 }
  const page = await listOwnVerifications(
    deps,
    { accountId: first(large).accountId, rights: ['read', 'codes'] },
    filter,
    50,
  )
  return page.verifications.map(({ id }) => id)
}

function of(size: number): LargeDatabase {
  const large = databases.get(size)
  assert(large)
  return large
}

function first({ services }: LargeDatabase) {
  const [service] = services
  assert(service)
  return service
}

function filterOf(large: LargeDatabase) {
  const { fromSecond, untilSecond } = large
  assert.equal(untilSecond - fromSecond, largeDays * 86_400)
  return {
    accountId: first(large).accountId,
    from: new Date(fromSecond * 1_000),
    until: new Date(untilSecond * 1_000),
    isTest: false,
  }
}
