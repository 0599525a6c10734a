// A batch gives the same result as its requests one by one: decisions, IDs, money, caps and limits. The same requests
// are sent for two identical accounts, batched for one and one by one for the other.

import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { insertOptOut } from '../../server/src/db/protection/opt-out.ts'
import { type Accepted, acceptCalls } from '../../server/src/db/verifications/verification.ts'
import type { ServiceId } from '../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import type { NumberPrefix } from '../../server/src/domain/numbers/number-prefix.ts'
import type { CallRequest } from '../../server/src/domain/verifications/call-request.ts'
import { install, makeService, type TestService } from '../support/process/server.ts'

type Request = {
  readonly service: number
  readonly key: number | undefined
  readonly number: number | undefined
  readonly isTest: boolean
  readonly units: number
  readonly prefix: number
}
type Twin = { readonly name: string; readonly services: readonly TestService[] }

const installation = await install()
const database = installation.slots.globalDatabase
// One service for each refusal, and one that is never refused.
const kinds = [
  { balance: 2, caps: {} },
  { balance: 1_000, caps: { hourMax: 2 } },
  { balance: 1_000, caps: { dayMax: 2 } },
  { balance: 1_000, caps: { spendMax: 5_000_000 as MicroAmount } },
  { balance: 1_000, caps: { prefixMax: 2 } },
  { balance: 1_000, caps: {} },
]
const noCaps = { hourMax: null, dayMax: null, spendMax: null, prefixMax: undefined, chargesFailed: false }
const decisions = [
  'accepted',
  'cap-day',
  'cap-hour',
  'cap-prefix',
  'cap-spend',
  'exists',
  'no-money',
  'opted-out',
  'too-soon',
]
const optedOut = createHash('sha256').update('opted out').digest()
await insertOptOut(database, optedOut)
const noticeableMs = 10_000
// Enough numbers that forty runs reach every decision, and few enough that they also reach the cooldown.
const lastNumber = 19

const request: fc.Arbitrary<Request> = fc.record({
  service: fc.nat({ max: kinds.length - 1 }),
  key: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
  number: fc.option(fc.nat({ max: lastNumber }), { nil: undefined }),
  isTest: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  units: fc.integer({ min: 0, max: 3 }),
  prefix: fc.nat({ max: 1 }),
})

test('a batch gives the same decisions, IDs, money and limits as its requests one by one', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(request, { minLength: 1, maxLength: 24, size: 'max' }), {
        minLength: 1,
        maxLength: 3,
        size: 'max',
      }),
      async (batches) => {
        const [together, apart] = [await makeTwin(), await makeTwin()]
        const hour = await hourNow()
        const pairs: (readonly [Accepted, Accepted])[] = []
        for (const batch of batches) {
          const ofBatch = await acceptCalls(database, batch.map(requestOf(together)), 1)
          const ofOnes: Accepted[] = []
          for (const one of batch) ofOnes.push(...(await acceptCalls(database, [requestOf(apart)(one)], 1)))
          assert.equal(ofBatch.length, batch.length)
          pairs.push(...ofBatch.map((left, index) => [left, ofOnes[index]] as [Accepted, Accepted]))
        }
        // A cap whose hour restarted between the two is not a fault.
        if ((await hourNow()) !== hour) return
        for (const [left, right] of pairs) {
          seen.add(left.decision)
          assert.equal(left.decision, right.decision)
          assert(Math.abs((left.retryMs ?? 0) - (right.retryMs ?? 0)) < noticeableMs)
        }
        // A request that shares the ID of an earlier one shares it in both.
        assert.deepEqual(placesOf(pairs.map(([left]) => left.id)), placesOf(pairs.map(([, right]) => right.id)))
        assert.deepEqual(await traceOf(together), await traceOf(apart))
      },
    ),
    { numRuns: 40 },
  )
  assert.deepEqual([...seen].toSorted(), decisions)
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

async function hourNow(): Promise<string> {
  const { rows } = await database.query<{ hour: string }>(`SELECT date_trunc('hour', clock_timestamp())::text AS hour`)
  return rows[0]?.hour ?? ''
}

async function makeTwin(): Promise<Twin> {
  const services = []
  for (const { balance } of kinds) services.push(await makeService(installation, balance))
  return { name: randomUUID(), services }
}

function requestOf({ name, services }: Twin): (request: Request) => CallRequest {
  const digest = (word: string) => createHash('sha256').update(`${name} ${word}`).digest()
  return ({ service, key, number, isTest, units, prefix }) => {
    const { accountId, serviceId } = services[service] as TestService
    return {
      accountId,
      serviceId,
      keyDigests: key === undefined ? undefined : [digest(`key ${key}`).subarray(0, 16)],
      isTest,
      mode: 'flash',
      phoneHash: digest('phone'),
      personSealed: digest('mask'),
      clientDigest: undefined,
      numberHashes: number === undefined ? undefined : [digest(`number ${number}`)],
      country: 'RU',
      phoneInfo: undefined,
      code: '0417',
      price: (units * 1e6) as MicroAmount,
      trunk: 'first',
      callerNumber: 70000000417,
      calls10Minutes: 4,
      callsDay: 10,
      // The last number of this service has opted out.
      optOutDigest: number === lastNumber ? optedOut : digest('opt-out'),
      prefix: prefix as NumberPrefix,
      ...noCaps,
      ...kinds[service]?.caps,
    }
  }
}

// For each ID the index of its first occurrence.
function placesOf(ids: readonly (number | null)[]): readonly (number | null)[] {
  return ids.map((id) => (id === null ? null : ids.indexOf(id)))
}

// What the requests left in the database, without IDs and timestamps.
async function traceOf({ services }: Twin): Promise<unknown> {
  const ids = services.map(({ serviceId }) => serviceId)
  const { rows } = await database.query<{ serviceId: ServiceId }>(
    `SELECT s.id AS "serviceId", a.balance, a.held, u.hour_count, u.day_count, u.day_spent,
       u.last_request_at IS NOT NULL AS used,
       (SELECT array_agg(v.price || ' ' || v.balance_before || ' ' || v.is_test ORDER BY v.id)
        FROM verifications AS v WHERE v.service_id = s.id) AS verifications,
       (SELECT array_agg(p.prefix || ' ' || p.hour_count ORDER BY p.prefix) FROM prefix_usage AS p
        WHERE p.service_id = s.id) AS prefixes,
       (SELECT count(*) FROM idempotency_keys AS i WHERE i.service_id = s.id) AS keys,
       (SELECT array_agg(l.amount ORDER BY l.id) FROM ledger AS l WHERE l.account_id = a.id AND l.to_account = 'held') AS holds,
       (SELECT count(*) FROM subscriber_numbers AS n WHERE s.id = ANY (n.call_service) AND n.lease_id = n.call_lease_id[1])
         AS numbers
     FROM services AS s JOIN accounts AS a ON a.id = s.account_id LEFT JOIN service_usage AS u ON u.service_id = s.id
     WHERE s.id = ANY ($1)`,
    [ids],
  )
  return ids.map((id) => ({ ...rows.find(({ serviceId }) => serviceId === id), serviceId: ids.indexOf(id) }))
}
