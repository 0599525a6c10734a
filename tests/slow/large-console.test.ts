// What the console reads over 30 million verifications of all customers and 20 000 caller numbers: fast enough for a person who waits.
// The database is that of `npm run verify -- large`.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openLargeDatabase } from '../../scripts/seed/large.ts'
import { seedPhone } from '../../scripts/seed/traffic.ts'
import { showCallerNumbers } from '../../server/src/actions/trunks/caller-numbers-view.ts'
import { showDeliverability } from '../../server/src/actions/trunks/routing-view.ts'
import { findCalls, listCalls } from '../../server/src/actions/verifications/calls.ts'
import { insertCallerRanges } from '../../server/src/db/trunks/caller-number.ts'
import { putTrunk } from '../../server/src/db/trunks/trunk.ts'
import { firstIdOfSecond } from '../../server/src/domain/core/slot.ts'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import type { VerificationFilter } from '../../server/src/domain/verifications/verification-filter.ts'
import { stackSetting } from '../support/stack-settings.ts'
import { at, measure } from '../support/times.ts'

const msMax = 200
const rows = 50
const large = await openLargeDatabase(stackSetting('RINGPROOF_DATABASE_OWNER_URL'), 30_000_000, () => undefined)
after(() => large.slots.close())
const { slots, secrets, untilSecond } = large
const deps = {
  slots,
  recordKeys: secrets['seal-records'],
  keys: { phoneTenant: secrets['phone-tenant'] },
  nowSeconds: () => untilSecond - 60,
}

test('calls of all customers', { timeout: 600_000 }, async (t) => {
  const whole = { firstId: 0, endId: Number.MAX_SAFE_INTEGER, isTest: false }
  const queries: Readonly<Record<string, VerificationFilter>> = {
    'the newest': whole,
    'a page in the middle': { ...whole, endId: firstIdOfSecond(untilSecond - 15 * 86_400) },
    'with a SIP status, over one trunk': { ...whole, sipStatus: 486, trunk: 'south' },
    'failed ones of a provider': { ...whole, states: ['failed'], provider: 'Amber' },
    'of a kind that there is not': { ...whole, sipStatus: 699 },
  }
  for (const [name, query] of Object.entries(queries)) {
    const times = await measure(() => listCalls(deps, query, rows))
    t.diagnostic(`${name}: p50 ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms`)
    assert(at(times, 0.95) <= msMax, `${name}: p95 ${at(times, 0.95)} ms`)
  }
  const { calls } = await listCalls(deps, whole, rows)
  assert.equal(calls.length, rows)
})

test('calls by a number, hashed for every customer', { timeout: 600_000 }, async (t) => {
  const search = () => findCalls(deps, { address: '', userAgent: 'seed' }, { email: 'seed@example.org' }, seedPhone(7))
  assert((await search()).ids.length > 0)
  const times = await measure(search)
  t.diagnostic(`p50 ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms`)
  assert(at(times, 0.95) <= msMax, `p95 ${at(times, 0.95)} ms`)
})

test('the matrix of providers and trunks', { timeout: 600_000 }, async (t) => {
  for (const hours of [1, 24]) {
    const read = () => showDeliverability(deps, hours)
    assert((await read()).cells.length > 0)
    const times = await measure(read)
    t.diagnostic(`${hours} h: p50 ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms`)
    assert(at(times, 0.95) <= msMax, `${hours} h: p95 ${at(times, 0.95)} ms`)
  }
})

test('the codes of 20 000 caller numbers', { timeout: 600_000 }, async (t) => {
  const database = slots.globalDatabase
  await database.query('DELETE FROM caller_ranges')
  for (const name of ['north', 'south'])
    await putTrunk(database, { ...trunkDefaults, name, channels: 100, callsPerSecond: 10 })
  // Every number is a range: what a list of single numbers becomes.
  const numbers = Array.from({ length: 20_000 }, (_, nth) => 70000000000 + nth * 3)
  await insertCallerRanges(
    database,
    numbers.map((number, nth) => ({
      trunk: nth % 2 === 0 ? 'north' : 'south',
      country: 'RU',
      first: number,
      last: number,
    })),
  )
  const read = () => showCallerNumbers({ slots }, 'RU')
  assert.equal((await read()).countries[0]?.numbers, 20_000)
  const times = await measure(read)
  t.diagnostic(`p50 ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms`)
  assert(at(times, 0.95) <= msMax, `p95 ${at(times, 0.95)} ms`)
})
