// A request with the same idempotency key, whatever happened to the number, the routes, the database or the first
// request meanwhile. Two databases, so that a number and its account may be in different ones.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Client } from 'pg'
import { auditLedger } from '../../server/src/actions/audit-ledger.ts'
import { type StartDeps, startVerification } from '../../server/src/actions/start-verification.ts'
import { createClock } from '../../server/src/clock.ts'
import { readApiClients } from '../../server/src/db/api-client.ts'
import { createCallBatches } from '../../server/src/db/call-batches.ts'
import { createRoutingTable } from '../../server/src/db/routing-table.ts'
import { readVerification } from '../../server/src/db/verification.ts'
import type { ApiClient } from '../../server/src/domain/accounts/api-client.ts'
import type { CallOrder } from '../../server/src/domain/calls/call-order.ts'
import { emptyNumberingIndex } from '../../server/src/domain/numbers/numbering-index.ts'
import { type PhoneNumber, slotOfNumber } from '../../server/src/domain/numbers/phone-number.ts'
import { type Slot, slotOfVerification, type VerificationId } from '../../server/src/domain/slot.ts'
import { Refusal } from '../../server/src/errors.ts'
import { namedKeys, readSecrets } from '../../server/src/secrets.ts'
import { atEnd } from '../support/at-end.ts'
import { asOwner } from '../support/database/test-database.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService } from '../support/process/server.ts'
import { withDatabase } from '../support/stack-settings.ts'

const installation = await installPhones(1, 2)
const { slots, environment } = installation
const table = await createRoutingTable(slots.globalDatabase, createClock(1))
atEnd(table.close)

const orders: CallOrder[] = []
const deps: StartDeps = {
  slots,
  batches: createCallBatches(slots, 1),
  routing: table.current,
  keys: namedKeys(readSecrets(environment['RINGPROOF_SECRETS_DIR'] ?? '')),
  numbers: () => emptyNumberingIndex,
  randomBytes,
  timeScale: 1,
  prefixHourMax: undefined,
  dispatchCall: async (order) => {
    orders.push(order)
  },
  queueFaultOf: () => undefined,
  keepForRepeat: async () => {},
}

const request = (phone: string, unique?: string) => ({
  phone: phone as PhoneNumber,
  code: undefined,
  client: '',
  unique,
  mode: 'flash' as const,
})
const refusedWith = (name: string) => (error: unknown) => error instanceof Refusal && error.refusal === name
const half = (slot: number) => (slot < 32 ? 'low' : 'high')

// An account in one half of the slots.
async function callerIn(place: 'low' | 'high'): Promise<ApiClient> {
  for (;;) {
    const { serviceId } = await makeService(installation, 10)
    if (half(serviceId % 64) !== place) continue
    const [known] = await readApiClients(slots.databaseOf((serviceId % 64) as Slot), [serviceId])
    assert(known?.apiClient)
    return known.apiClient
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
  const { trunks, ...others } = table.current()
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
      const first = await startVerification(deps, apiClient, request(phone, what))
      const again = await startVerification(
        { ...deps, ...changed },
        { ...apiClient, ...changedCaller },
        request(phone, what),
      )
      assert.deepEqual(again, { ...first, exists: true }, what)
      await assert.rejects(
        startVerification(
          { ...deps, ...changed },
          { ...apiClient, ...changedCaller },
          request(numberIn(place), `${what}, new`),
        ),
        Refusal,
        what,
      )
    }
  }
})

test('a replay for a test number returns the first result after test numbers were switched off; an invalid number does not', async () => {
  const apiClient = await callerIn('low')
  const first = await startVerification(deps, apiClient, request('79000000001', 'key'))
  const without = { ...apiClient, testNumbers: false }
  const again = await startVerification(deps, without, request('79000000001', 'key'))
  assert.equal(again.vendor_id, first.vendor_id)
  await assert.rejects(startVerification(deps, without, request('79000000002', 'key')), refusedWith('invalidPhone'))
})

test('a replay that cannot dispatch returns the first result, and a later one dispatches', async () => {
  const apiClient = await callerIn('low')
  const phone = numberIn('low')
  const failing = async () => {
    throw new Error('the stream is unavailable')
  }
  const dead = { ...deps, dispatchCall: failing, batches: { ...deps.batches, undo: failing } }
  await assert.rejects(startVerification(dead, apiClient, request(phone, 'dead')), /the stream is unavailable/)
  await age(2)
  orders.length = 0
  const away = await startVerification({ ...deps, dispatchCall: failing }, apiClient, request(phone, 'dead'))
  const stopped = { ...deps, routing: () => ({ ...table.current(), trunks: [] }) }
  assert.equal((await startVerification(stopped, apiClient, request(phone, 'dead'))).vendor_id, away.vendor_id)
  assert.equal(orders.length, 0)
  await startVerification(deps, apiClient, request(phone, 'dead'))
  assert.deepEqual(
    orders.map(({ id }) => id),
    [away.vendor_id],
  )
})

test('a failed confirmation is undone: nothing is held, and the key is free', async () => {
  const apiClient = await callerIn('low')
  const phone = numberIn('high')
  await inHigh((client) => client.query('ALTER FUNCTION confirm_number RENAME TO confirm_number_away'))
  try {
    await assert.rejects(startVerification(deps, apiClient, request(phone, 'key')), /confirm_number/)
  } finally {
    await inHigh((client) => client.query('ALTER FUNCTION confirm_number_away RENAME TO confirm_number'))
  }
  const { rows } = await slots
    .databaseOf((apiClient.accountId % 64) as Slot)
    .query('SELECT balance, held FROM accounts WHERE id = $1', [apiClient.accountId])
  assert.deepEqual(rows, [{ balance: 10_000_000, held: 0 }])
  // The reservation is released too: another service may call at once.
  assert.equal((await startVerification(deps, apiClient, request(phone, 'key'))).exists, false)
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

test('a call already returned to a replay ends when its confirmation fails, and keeps its key', {
  timeout: 30_000,
}, async () => {
  const apiClient = await callerIn('low')
  const phone = numberIn('high')
  const replayed = Promise.withResolvers<number>()
  // Just before the undo, a replay is answered.
  const undo: StartDeps['batches']['undo'] = async (end) => {
    replayed.resolve((await startVerification(deps, apiClient, request(phone, 'pinned'))).vendor_id)
    return deps.batches.undo(end)
  }
  await inHigh((client) => client.query('ALTER FUNCTION confirm_number RENAME TO confirm_number_away'))
  try {
    const first = startVerification(
      { ...deps, batches: { ...deps.batches, undo } },
      apiClient,
      request(phone, 'pinned'),
    )
    await assert.rejects(first, /confirm_number/)
  } finally {
    await inHigh((client) => client.query('ALTER FUNCTION confirm_number_away RENAME TO confirm_number'))
  }
  const id = await replayed.promise
  assert.equal(await stateOf(id), 'failed')
  assert.equal((await startVerification(deps, apiClient, request(phone, 'pinned'))).vendor_id, id)
})

// A process that died between accept and confirmation, or just after it.
async function die(apiClient: ApiClient, phone: string, after: 'accept' | 'confirmation'): Promise<void> {
  const dying = async () => {
    throw new Error('dead')
  }
  const batches = { ...deps.batches, undo: dying }
  if (after === 'accept') {
    await inHigh((client) => client.query('ALTER FUNCTION confirm_number RENAME TO confirm_number_away'))
  }
  try {
    await assert.rejects(
      startVerification({ ...deps, batches, dispatchCall: dying }, apiClient, request(phone, 'key')),
      /dead/,
    )
  } finally {
    if (after === 'accept') {
      await inHigh((client) => client.query('ALTER FUNCTION confirm_number_away RENAME TO confirm_number'))
    }
  }
}

test('a replay leases the number again before it dispatches, and no other service may call it then', async () => {
  for (const after of ['accept', 'confirmation'] as const) {
    const [apiClient, stranger] = [await callerIn('low'), await callerIn('high')]
    const phone = numberIn('high')
    await die(apiClient, phone, after)
    // The reservation of the dead process expires, unless it was confirmed.
    await inHigh((client) =>
      client.query(`UPDATE subscriber_numbers SET lease_until = now() - interval '1 second' WHERE NOT lease_confirmed`),
    )
    await age(2)
    orders.length = 0
    await startVerification(deps, apiClient, request(phone, 'key'))
    assert.equal(orders.length, 1, after)
    const { rows } = await inHigh((client) =>
      client.query<{ token: string; count: number }>(
        `SELECT lease_id AS token, cardinality(call_at) AS count FROM subscriber_numbers WHERE lease_id = $1`,
        [orders[0]?.numberLeaseId],
      ),
    )
    assert.deepEqual(rows, [{ token: String(orders[0]?.numberLeaseId), count: 1 }], `${after}: counted once`)
    await assert.rejects(startVerification(deps, stranger, request(phone)), refusedWith('numberCooldown'), after)
  }
})

test('a replay does not dispatch when another service has leased the number', async () => {
  const [apiClient, stranger] = [await callerIn('low'), await callerIn('high')]
  const phone = numberIn('high')
  await die(apiClient, phone, 'accept')
  await inHigh((client) =>
    client.query(`UPDATE subscriber_numbers SET lease_until = now() - interval '1 second' WHERE NOT lease_confirmed`),
  )
  await startVerification(deps, stranger, request(phone))
  await age(2)
  orders.length = 0
  const { exists } = await startVerification(deps, apiClient, request(phone, 'key'))
  assert.equal(exists, true)
  assert.equal(orders.length, 0)
})
