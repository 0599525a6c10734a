// A request with the same idempotency key, whatever happened to the number, the routes, the database or the first
// request meanwhile. Two databases, so that a number and its account may be in different ones.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from 'pg'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { type StartDeps, startVerification } from '../../server/src/actions/verifications/start-verification.ts'
import { readVerification } from '../../server/src/db/verifications/verification.ts'
import type { ApiClient } from '../../server/src/domain/accounts/api-client.ts'
import { type Slot, slotOfService, slotOfVerification, type VerificationId } from '../../server/src/domain/core/slot.ts'
import { type PhoneNumber, slotOfNumber } from '../../server/src/domain/numbers/phone-number.ts'
import type { CallOrder } from '../../server/src/domain/verifications/call-order.ts'
import { reservationMs } from '../../server/src/domain/verifications/number-limits.ts'
import { Refusal } from '../../server/src/process/errors.ts'
import { asOwner } from '../support/database/test-database.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService } from '../support/process/server.ts'
import { clientOf, createStartDeps, flashRequest, refusedWith } from '../support/process/start-deps.ts'
import { withDatabase } from '../support/stack-settings.ts'

const installation = await installPhones(1, 2)
const { slots } = installation
const orders: CallOrder[] = []
const deps = await createStartDeps(installation, async (order) => {
  orders.push(order)
})

const half = (slot: number) => (slot < 32 ? 'low' : 'high')

// An account in one half of the slots.
async function callerIn(place: 'low' | 'high'): Promise<ApiClient> {
  for (;;) {
    const service = await makeService(installation, 10)
    if (half(slotOfService(service.serviceId)) === place) return clientOf(installation, service)
  }
}

function numberIn(place: 'low' | 'high'): string {
  for (;;) {
    const phone = freshNumber('180')
    if (half(slotOfNumber(deps.keys.phoneSlot, phone as PhoneNumber)) === place) return phone
  }
}

// As the owner of the database with the limits of the higher numbers.
async function inHigh<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const { rows } = await slots.databaseOf(63 as Slot).query<{ name: string }>('SELECT current_database() AS name')
  return asOwner(work, withDatabase(installation.database.ownerUrl, rows[0]?.name ?? ''))
}

async function age(seconds: number): Promise<void> {
  for (const database of slots.databases) {
    await database.query(`UPDATE verifications SET accepted_at = accepted_at - make_interval(secs => $1)`, [seconds])
  }
}

async function stateOf(id: number): Promise<string | undefined> {
  const known = id as VerificationId
  return (await readVerification(slots.databaseOf(slotOfVerification(known)), known))?.state
}

test('a replay returns the first result, even if the request would be refused by now', async () => {
  const { trunks, ...others } = deps.routing()
  const changes: readonly (readonly [string, Partial<StartDeps>, Partial<ApiClient>])[] = [
    [
      'the trunks are off',
      { routing: () => ({ ...others, trunks: trunks.map((one) => ({ ...one, isOn: false })) }) },
      {},
    ],
    ['the stream is full or unavailable', { queueFaultOf: () => 'queue_full' as const }, {}],
    ['the country is not allowed', {}, { geography: ['KZ'] }],
    ['there is no price', { routing: () => ({ ...others, trunks, pricesOf: () => [] }) }, {}],
    [
      'no caller number ends with the code',
      { routing: () => ({ ...others, trunks, ranges: [], codesFor: () => [] }) },
      {},
    ],
  ]
  for (const place of ['low', 'high'] as const) {
    const apiClient = await callerIn('low')
    for (const [what, changed, changedCaller] of changes) {
      const phone = numberIn(place)
      const first = await startVerification(deps, apiClient, flashRequest(phone, what))
      const again = await startVerification(
        { ...deps, ...changed },
        { ...apiClient, ...changedCaller },
        flashRequest(phone, what),
      )
      assert.deepEqual(again, { ...first, exists: true }, what)
      await assert.rejects(
        startVerification(
          { ...deps, ...changed },
          { ...apiClient, ...changedCaller },
          flashRequest(numberIn(place), `${what}, new`),
        ),
        Refusal,
        what,
      )
    }
  }
})

test('a replay for a test number returns the first result after test numbers were switched off; an invalid number does not', async () => {
  const apiClient = await callerIn('low')
  const first = await startVerification(deps, apiClient, flashRequest('79000000001', 'key'))
  const without = { ...apiClient, testNumbers: false }
  const again = await startVerification(deps, without, flashRequest('79000000001', 'key'))
  assert.equal(again.vendor_id, first.vendor_id)
  await assert.rejects(
    startVerification(deps, without, flashRequest('79000000002', 'key')),
    refusedWith('invalidPhone'),
  )
})

test('a replay that cannot dispatch returns the first result, and a later one dispatches', async () => {
  const apiClient = await callerIn('low')
  const phone = numberIn('low')
  const failing = async () => {
    throw new Error('the stream is unavailable')
  }
  const dead = { ...deps, dispatchCall: failing, batches: { ...deps.batches, undo: failing } }
  await assert.rejects(startVerification(dead, apiClient, flashRequest(phone, 'dead')), /the stream is unavailable/)
  await age(2)
  orders.length = 0
  const away = await startVerification({ ...deps, dispatchCall: failing }, apiClient, flashRequest(phone, 'dead'))
  const stopped = { ...deps, routing: () => ({ ...deps.routing(), trunks: [] }) }
  assert.equal((await startVerification(stopped, apiClient, flashRequest(phone, 'dead'))).vendor_id, away.vendor_id)
  assert.equal(orders.length, 0)
  await startVerification(deps, apiClient, flashRequest(phone, 'dead'))
  assert.deepEqual(
    orders.map(({ id }) => id),
    [away.vendor_id],
  )
})

// An accept that takes longer than a reservation allows for.
function slowly(batches: StartDeps['batches'] = deps.batches): StartDeps {
  const times = [0, reservationMs + 1]
  return { ...deps, batches, monotonicMs: () => times.shift() ?? assert.fail('the clock is read twice') }
}

test('an accept that took too long is undone: nothing is held, and key and number are free', async () => {
  const apiClient = await callerIn('low')
  const phone = numberIn('high')
  await assert.rejects(
    startVerification(slowly(), apiClient, flashRequest(phone, 'key')),
    refusedWith('numberCooldown'),
  )
  const { rows } = await slots
    .databaseOf((apiClient.accountId % 64) as Slot)
    .query('SELECT balance, held FROM accounts WHERE id = $1', [apiClient.accountId])
  assert.deepEqual(rows, [{ balance: 10_000_000, held: 0 }])
  assert.equal((await startVerification(deps, apiClient, flashRequest(phone, 'key'))).exists, false)
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

test('a call already returned to a replay ends when its accept took too long, and keeps its key', {
  timeout: 30_000,
}, async () => {
  const apiClient = await callerIn('low')
  const phone = numberIn('high')
  const replayed = Promise.withResolvers<number>()
  // Just before the undo, a replay is answered.
  const undo: StartDeps['batches']['undo'] = async (end) => {
    replayed.resolve((await startVerification(deps, apiClient, flashRequest(phone, 'pinned'))).vendor_id)
    return deps.batches.undo(end)
  }
  const first = startVerification(slowly({ ...deps.batches, undo }), apiClient, flashRequest(phone, 'pinned'))
  await assert.rejects(first, refusedWith('numberCooldown'))
  const id = await replayed.promise
  assert.equal(await stateOf(id), 'failed')
  assert.equal((await startVerification(deps, apiClient, flashRequest(phone, 'pinned'))).vendor_id, id)
})

test('an accept whose response was lost keeps its lease for a replay of its key', async () => {
  const accept: StartDeps['batches']['accept'] = async (call) => {
    await deps.batches.accept(call)
    throw new Error('lost')
  }
  for (const key of ['key', undefined]) {
    const [apiClient, stranger] = [await callerIn('low'), await callerIn('high')]
    const phone = numberIn('high')
    const lost = startVerification(
      { ...deps, batches: { ...deps.batches, accept } },
      apiClient,
      flashRequest(phone, key),
    )
    await assert.rejects(lost, /lost/)
    const other = startVerification(deps, stranger, flashRequest(phone))
    if (key === undefined) assert.equal((await other).status, true)
    else await assert.rejects(other, refusedWith('numberCooldown'))
  }
})

// A process that died between accept and dispatch.
async function die(apiClient: ApiClient, phone: string): Promise<void> {
  const dying = async () => {
    throw new Error('dead')
  }
  const batches = { ...deps.batches, undo: dying }
  const dead = startVerification({ ...deps, batches, dispatchCall: dying }, apiClient, flashRequest(phone, 'key'))
  await assert.rejects(dead, /dead/)
}

// The reservation of a dead process lapses a minute after it was made.
async function lapse(): Promise<void> {
  await inHigh((client) =>
    client.query(`UPDATE subscriber_numbers SET lease_until = now() - interval '1 second',
      call_at = ARRAY(SELECT at - interval '1 minute' FROM unnest(call_at) AS at) WHERE lease_id < 0`),
  )
}

test('a replay leases the number again before it dispatches, and no other service may call it then', async () => {
  // A lapsed reservation still counts as a call; one that lives is shared.
  for (const [lease, count] of [
    ['live', 1],
    ['lapsed', 2],
  ] as const) {
    const [apiClient, stranger] = [await callerIn('low'), await callerIn('high')]
    const phone = numberIn('high')
    await die(apiClient, phone)
    if (lease === 'lapsed') await lapse()
    await age(2)
    orders.length = 0
    await startVerification(deps, apiClient, flashRequest(phone, 'key'))
    assert.equal(orders.length, 1, lease)
    const { rows } = await inHigh((client) =>
      client.query<{ token: string; count: number }>(
        `SELECT lease_id AS token, cardinality(call_at) AS count FROM subscriber_numbers WHERE lease_id = $1`,
        [orders[0]?.numberLeaseId],
      ),
    )
    assert.deepEqual(rows, [{ token: String(orders[0]?.numberLeaseId), count }], lease)
    await assert.rejects(startVerification(deps, stranger, flashRequest(phone)), refusedWith('numberCooldown'), lease)
  }
})

test('a replay does not dispatch when another service has leased the number', async () => {
  const [apiClient, stranger] = [await callerIn('low'), await callerIn('high')]
  const phone = numberIn('high')
  await die(apiClient, phone)
  await lapse()
  await startVerification(deps, stranger, flashRequest(phone))
  await age(2)
  orders.length = 0
  const { exists } = await startVerification(deps, apiClient, flashRequest(phone, 'key'))
  assert.equal(exists, true)
  assert.equal(orders.length, 0)
})
