// A call in the database: claims, ends, undo, overdue calls; and the limits of a number compared with the model.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import type { Session } from '../../server/src/db/core/database.ts'
import { sweepCalls } from '../../server/src/db/core/sweep.ts'
import {
  acceptCalls,
  type CallEnd,
  type Claim,
  claimCalls,
  endCalls,
  noteRang,
  readVerification,
  undoCalls,
} from '../../server/src/db/verifications/verification.ts'
import type { ServiceId, VerificationId } from '../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import type { NumberPrefix } from '../../server/src/domain/numbers/number-prefix.ts'
import { hourMs } from '../../server/src/domain/values/time.ts'
import type { CallRequest } from '../../server/src/domain/verifications/call-request.ts'
import { callRequest } from '../support/database/call-request.ts'
import { asOwner } from '../support/database/test-database.ts'
import { evaluateNumberLimits } from '../support/model/number-limits.ts'
import { install, makeService } from '../support/process/server.ts'

const installation = await install()
const database = installation.slots.globalDatabase
const { accountId, serviceId } = await makeService(installation, 1_000)
const price = 1_000_000 as MicroAmount

function request(changes: Partial<CallRequest> = {}): CallRequest {
  return callRequest({ accountId, serviceId }, { price, ...changes })
}

async function accepted(changes: Partial<CallRequest> = {}): Promise<VerificationId> {
  const [one] = await acceptCalls(database, [request(changes)], 1)
  assert(one?.id, one?.decision)
  return one.id
}

let token = 0
const claim = (id: VerificationId, attempt: number) => ({
  id,
  attempt,
  trunk: 'first',
  callerNumber: undefined,
  token: token++,
})
const end = (id: VerificationId, attempt: number, succeeded: boolean, changes: Partial<CallEnd> = {}): CallEnd => ({
  id,
  attempt,
  succeeded,
  reason: succeeded ? 'rang' : 'refused',
  sipStatus: undefined,
  numberHashes: undefined,
  numberLeaseId: undefined,
  ...changes,
})
const won = async (claims: readonly Claim[]) =>
  (await claimCalls(database, claims)).filter((claimed) => claimed !== undefined).length
const pastStart = (id: VerificationId) =>
  asOwner(
    (client) => client.query('UPDATE verifications SET start_until = clock_timestamp() WHERE id = $1', [id]),
    installation.database.ownerUrl,
  )
const stateOf = async (id: VerificationId) => (await readVerification(database, id))?.state

async function money(): Promise<readonly number[]> {
  const { rows } = await database.query<{ balance: number; held: number }>(
    'SELECT balance, held FROM accounts WHERE id = $1',
    [accountId],
  )
  return [rows[0]?.balance ?? -1, rows[0]?.held ?? -1]
}

test('one claim of an attempt wins, also when both are in one batch', async () => {
  const id = await accepted()
  const both = await claimCalls(database, [claim(id, 1), claim(id, 1), claim(id, 2)])
  assert.equal(both.filter((left) => left !== undefined).length, 1)
  const many = await Promise.all(Array.from({ length: 20 }, () => claimCalls(database, [claim(id, 2), claim(id, 2)])))
  assert.equal(many.flat().filter((left) => left !== undefined).length, 1)
})

test('the claim that won wins again, also after the start deadline; no other does, and not once the phone rings', async () => {
  const id = await accepted()
  const [first, second] = [claim(id, 1), claim(id, 1)]
  assert.equal(await won([first]), 1)
  assert.equal(await won([second, first]), 1)
  assert.equal(await won([second]), 0)
  await pastStart(id)
  assert.equal(await won([first]), 1)
  await noteRang(database, [{ id, attempt: 1 }])
  assert.equal(await won([first]), 0)
})

test('a call that rang, ended or is too late is not claimed again', async () => {
  const [rang, over, late] = [await accepted(), await accepted(), await accepted()]
  await claimCalls(database, [claim(rang, 1), claim(over, 1)])
  await noteRang(database, [{ id: rang, attempt: 1 }])
  await endCalls(database, [end(over, 1, false)])
  await pastStart(late)
  assert.deepEqual(await claimCalls(database, [claim(rang, 2), claim(over, 2), claim(late, 1)]), [
    undefined,
    undefined,
    undefined,
  ])
})

test('a call ends once, however often and in whatever order its end is reported', async () => {
  const before = await money()
  const id = await accepted()
  await claimCalls(database, [claim(id, 1)])
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      endCalls(database, [end(id, 1, n % 2 === 0), end(id, 1, true), end(id, 7, true)]),
    ),
  )
  assert.equal(results.flat().filter(Boolean).length, 1)
  const succeeded = (await stateOf(id)) === 'succeeded'
  assert.deepEqual(await money(), [(before[0] ?? 0) - (succeeded ? price : 0), before[1]])
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

test('undo restores balance, idempotency key, number limit and caps', async () => {
  const numberHashes = [randomBytes(32)]
  const keyDigests = [randomBytes(16)]
  const service = await makeService(installation, 1)
  const prefix = 7916123 as NumberPrefix
  const callOf = { ...service, numberHashes, keyDigests, hourMax: 1, dayMax: 1, spendMax: price, prefix, prefixMax: 1 }
  const id = await accepted(callOf)
  const [taken] = await acceptCalls(database, [request({ ...callOf, keyDigests: [randomBytes(16)] })], 1)
  assert.equal(taken?.decision, 'cap-hour', 'the caps are used up')
  await undoCalls(database, [end(id, 0, false, { numberHashes, numberLeaseId: id })])
  assert.equal(await stateOf(id), 'failed')
  const [again] = await acceptCalls(database, [request(callOf)], 1)
  assert.equal(again?.decision, 'accepted')
  assert.notEqual(again?.id, id)
  // A call that a worker has claimed is not undone.
  await claimCalls(database, [claim(again?.id as VerificationId, 1)])
  await undoCalls(database, [end(again?.id as VerificationId, 0, false)])
  assert.equal(await stateOf(again?.id as VerificationId), 'dialling')
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

test('overdue calls end: unstarted and lost ones fail free of charge, a flash call that rang succeeds', async () => {
  const [unclaimed, lost, rangFlash, rangVoice, young] = [
    await accepted(),
    await accepted(),
    await accepted(),
    await accepted({ mode: 'voice' }),
    await accepted(),
  ]
  await claimCalls(database, [claim(lost, 1), claim(rangFlash, 1), claim(rangVoice, 1)])
  await noteRang(database, [
    { id: rangFlash, attempt: 1 },
    { id: rangVoice, attempt: 1 },
  ])
  await asOwner(
    (client) =>
      client.query(
        `UPDATE verifications SET start_until = clock_timestamp(), end_until = clock_timestamp() WHERE id = ANY ($1)`,
        [[unclaimed, lost, rangFlash, rangVoice]],
      ),
    installation.database.ownerUrl,
  )
  assert((await sweepCalls(database, 500)).ended >= 4)
  assert.deepEqual(await Promise.all([unclaimed, lost, rangFlash, rangVoice, young].map(stateOf)), [
    'failed',
    'failed',
    'succeeded',
    'failed',
    'accepted',
  ])
  assert.equal((await sweepCalls(database, 500)).ended, 0)
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

test('usage of yesterday is not counted, and a lapsed reservation blocks nobody', async () => {
  const service = await makeService(installation, 100)
  const [lapsed, live] = [randomBytes(32), randomBytes(32)]
  await asOwner(async (client) => {
    await client.query(
      `INSERT INTO service_usage (service_id, hour, hour_count, day, day_count, day_spent)
       VALUES ($1, date_trunc('hour', now()) - interval '1 day', 5, date_trunc('day', now(), 'UTC') - interval '1 day', 5, 5000000)`,
      [service.serviceId],
    )
    const reserve = `INSERT INTO subscriber_numbers (hash, lease_id, lease_until, call_at, call_service, call_lease_id)
       VALUES ($1, -7, now() + $2::interval, ARRAY[now() + $2::interval - interval '1 minute'], '{64}', '{-7}')`
    await client.query(reserve, [lapsed, '-1 second'])
    await client.query(reserve, [live, '1 hour'])
  }, installation.database.ownerUrl)
  const caps = { ...service, hourMax: 1, dayMax: 5, spendMax: 5_000_000 as MicroAmount }
  const decisions = await acceptCalls(
    database,
    [live, lapsed, randomBytes(32)].map((hash) => request({ ...caps, numberHashes: [hash] })),
    1,
  )
  assert.deepEqual(
    decisions.map(({ decision }) => decision),
    ['too-soon', 'accepted', 'cap-hour'],
  )
  const { rows } = await database.query(
    'SELECT hour_count, day_count, day_spent FROM service_usage WHERE service_id = $1',
    [service.serviceId],
  )
  assert.deepEqual(rows, [{ hour_count: 1, day_count: 1, day_spent: 1_000_000 }])
  const calls = await database.query('SELECT call_lease_id::text AS tokens FROM subscriber_numbers WHERE hash = $1', [
    lapsed,
  ])
  assert.deepEqual(calls.rows, [{ tokens: `{-7,${decisions[1]?.id}}` }], 'the reserved call still counts')
})

const plannedOnce = [
  'accept_calls',
  'claim_calls',
  'note_rang',
  'end_calls',
  'reserve_numbers',
  'close_numbers',
  'find_idempotency_keys',
  'charge_lookups',
  'match_inbound_calls',
]
const plannedAnew = ['undo_calls', 'start_inbound_request', 'start_inbound_requests']

test('functions in the call path find rows by key and are not JIT-compiled; most are planned once', async () => {
  const { rows } = await database.query<{ name: string; settings: readonly string[]; language: string }>(
    `SELECT proname AS name, proconfig AS settings, lanname AS language
     FROM pg_proc JOIN pg_language ON pg_language.oid = prolang WHERE proname = ANY ($1)`,
    [[...plannedOnce, ...plannedAnew]],
  )
  const joins = ['enable_hashjoin=off', 'enable_mergejoin=off', 'enable_memoize=off']
  const always = ['enable_seqscan=off', ...joins, 'jit=off']
  for (const name of [...plannedOnce, ...plannedAnew]) {
    const { settings = [], language } = rows.find((row) => row.name === name) ?? {}
    // A function in SQL is planned at every call.
    assert.equal(language, 'plpgsql', name)
    for (const setting of always) assert(settings.includes(setting), `${name} has not ${setting}`)
    assert.equal(settings.includes('plan_cache_mode=force_generic_plan'), plannedOnce.includes(name), name)
  }
})

test('an accept reads no idempotency key but its own, however many its service has', async () => {
  const rich = await makeService(installation, 1_000)
  const keyed = () => request({ ...rich, keyDigests: [randomBytes(16)] })
  const read = (fault?: Fault) =>
    rowsRead('idempotency_keys', keyed, (client) => acceptCalls(client, [keyed()], 1), fault)
  assert.equal(await read(), 0)
  // Without an index over the expression, all keys of the service are read.
  assert((await read(['lock_call_batch', 'used.digest) IN', `used.digest || '') IN`])) > 0)
})

test('a claim reads no call but its own', async () => {
  const rich = await makeService(installation, 1_000)
  const plain = () => request(rich)
  const read = (fault?: Fault) =>
    rowsRead('verifications', plain, (client, ids) => claimCalls(client, firstAndLast(ids)), fault)
  // Two when they are locked, and two when they are updated.
  assert.equal(await read(), 4)
  const byRange: Fault = ['claim_calls', 'AND call.id = ANY (ids) ', '']
  assert((await read(byRange)) > 256)
})

const firstAndLast = (ids: readonly unknown[]) => [ids[0], ids.at(-1)].map((id) => claim(id as VerificationId, 1))

// A function, a text in it, and what is there instead.
type Fault = readonly [name: string, there: string, instead: string]

// How many rows of a table some work reads by index among 256 calls.
async function rowsRead(
  table: string,
  call: () => CallRequest,
  work: (client: Session, ids: readonly unknown[]) => Promise<unknown>,
  fault?: Fault,
): Promise<number> {
  return asOwner(async (client) => {
    const one = async (sql: string) => (await client.query<{ one: string }>(sql)).rows[0]?.one ?? ''
    await client.query('BEGIN')
    if (fault) {
      const [name, there, instead] = fault
      const text = await one(`SELECT pg_get_functiondef('${name}'::regproc) AS one`)
      assert(text.includes(there))
      await client.query(text.replace(there, instead))
    }
    const ids: unknown[] = []
    for (let batch = 0; batch < 4; batch++) {
      const calls = await acceptCalls(client, Array.from({ length: 64 }, call), 1)
      ids.push(...calls.map(({ id }) => id))
    }
    const read = `SELECT sum(pg_stat_get_xact_tuples_returned(indexrelid)) AS one
      FROM pg_partition_tree('${table}') AS part JOIN pg_index ON indrelid = part.relid`
    const before = Number(await one(read))
    await work(client, ids)
    const after = Number(await one(read))
    await client.query('ROLLBACK')
    return after - before
  }, installation.database.ownerUrl)
}

test('evaluate_number_limits decides on 1 000 random histories as the model does, to the millisecond', async () => {
  const calls = fc.array(
    fc.record({ agoMs: fc.integer({ min: 0, max: 30 * hourMs }), serviceId: fc.constantFrom(64, 65, 66) }),
    {
      maxLength: 34,
    },
  )
  const near = fc.array(
    fc.record({ agoMs: fc.integer({ min: 0, max: 700_000 }), serviceId: fc.constantFrom(64, 65) }),
    {
      maxLength: 12,
    },
  )
  const limits = fc.record({
    calls10Minutes: fc.integer({ min: 1, max: 6 }),
    callsDay: fc.integer({ min: 1, max: 12 }),
  })
  const open = fc.option(fc.integer({ min: -60_000, max: 60_000 }), { nil: undefined })
  const nowMs = Date.parse('2026-11-15T12:00:00Z')
  await fc.assert(
    fc.asyncProperty(calls, near, limits, open, fc.boolean(), async (far, close, limited, openMs, continues) => {
      const { calls10Minutes, callsDay } = limited
      const history = [...far, ...close]
        .toSorted((a, b) => b.agoMs - a.agoMs)
        .map(({ agoMs, serviceId: of }, leaseId) => ({ leaseId, serviceId: of as ServiceId, atMs: nowMs - agoMs }))
      const untilMs = openMs === undefined ? undefined : nowMs + openMs
      const lease = untilMs === undefined ? undefined : { id: 1, untilMs, key: undefined }
      const own = { serviceId: 64 as ServiceId, callsPer10Minutes: calls10Minutes, callsPerDay: callsDay }
      // That of the newest call, or of the one before it.
      const continuesLease = history.length - (continues ? 1 : 2)
      const expected = evaluateNumberLimits({ calls: history, lease }, own, nowMs, continuesLease)
      const { rows } = await database.query<{ decision: string | null; retryMs: number | null }>(
        `SELECT (j).decision, (j).retry_ms AS "retryMs" FROM (SELECT evaluate_number_limits(
           ROW('', NULL, $1, NULL, $2, $3, $7, now(), NULL)::subscriber_numbers, 64, $4, $5, $6, 1, $8) AS j) AS evaluated`,
        [
          untilMs === undefined ? null : new Date(untilMs),
          history.map(({ atMs }) => new Date(atMs)),
          history.map(({ serviceId: of }) => of),
          calls10Minutes,
          callsDay,
          new Date(nowMs),
          history.map((_, leaseId) => leaseId),
          continuesLease,
        ],
      )
      const [evaluated] = rows
      assert.deepEqual(
        [evaluated?.decision, evaluated?.retryMs],
        expected ? [expected.decision, expected.retryMs] : [null, null],
      )
    }),
    { numRuns: 1_000 },
  )
})
