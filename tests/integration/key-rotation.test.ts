// During a rotation, processes of every stage run side by side: with the old key only, with the new key loaded but
// unused, and with the new key active. Over two databases, so that a number and its API client may be in different
// ones.

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { resealRecords } from '../../server/src/actions/installation/keys.ts'
import { startInboundVerification } from '../../server/src/actions/verifications/start-inbound-verification.ts'
import { type StartDeps, startVerification } from '../../server/src/actions/verifications/start-verification.ts'
import { sealedColumns } from '../../server/src/db/core/sealed-column.ts'
import { createCallBatches } from '../../server/src/db/verifications/call-batches.ts'
import type { ApiClient } from '../../server/src/domain/accounts/api-client.ts'
import { slotOfVerification, type VerificationId } from '../../server/src/domain/core/slot.ts'
import {
  type KeyRing,
  nonceBytes,
  type SealPurpose,
  seal,
  sealedWith,
  unseal,
} from '../../server/src/domain/crypto/sealing.ts'
import { type PhoneNumber, slotOfNumber, subscriberHashes } from '../../server/src/domain/numbers/phone-number.ts'
import type { CallOrder } from '../../server/src/domain/verifications/call-order.ts'
import { unsealPerson } from '../../server/src/domain/verifications/person.ts'
import { Refusal } from '../../server/src/process/errors.ts'
import { freshKey } from '../support/key-ring.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService } from '../support/process/server.ts'
import { clientOf, createStartDeps, flashRequest } from '../support/process/start-deps.ts'

const installation = await installPhones(1, 2)
const { slots } = installation
const orders: CallOrder[] = []
const plain = await createStartDeps(installation, async (order) => void orders.push(order))
const { keys } = plain
const second = { phoneTenant: freshKey(), phoneSubscriber: freshKey(), sealRecords: freshKey() }
const rings = Object.keys(second) as (keyof typeof second)[]

type Stage = 'old' | 'distributed' | 'active' | 'destroyed'

function ringAt(stage: Stage, name: keyof typeof second): KeyRing {
  const first = [...keys[name].keys.values()][0]
  assert(first)
  const both = new Map([
    [1, first],
    [2, second[name]],
  ])
  if (stage === 'old') return { active: 1, keys: new Map([[1, first]]) }
  if (stage === 'destroyed') return { active: 2, keys: new Map([[2, second[name]]]) }
  return { active: stage === 'active' ? 2 : 1, keys: both }
}

// The dependencies of a process of that stage, with its own batches.
function processAt(stage: Stage): StartDeps {
  const own = { ...keys, ...Object.fromEntries(rings.map((name) => [name, ringAt(stage, name)])) }
  return { ...plain, batches: createCallBatches(slots, 1), keys: own }
}

const [old, distributed, active] = [processAt('old'), processAt('distributed'), processAt('active')]

async function freshCaller(balance = 100): Promise<ApiClient> {
  return clientOf(installation, await makeService(installation, balance))
}

const request = (phone: string, unique?: string) => flashRequest(phone, unique, 'about them')

// The ID, or the name of the refusal.
async function started(
  deps: StartDeps,
  apiClient: ApiClient,
  phone: string,
  unique?: string,
): Promise<number | string> {
  try {
    return (await startVerification(deps, apiClient, request(phone, unique))).vendor_id
  } catch (error) {
    if (error instanceof Refusal) return error.refusal
    throw error
  }
}

// As a worker of the last stage does; half a minute passes for the number.
async function ended(phone: string, id: VerificationId): Promise<void> {
  const hashes = subscriberHashes(active.keys.phoneSubscriber, phone as PhoneNumber)
  const slot = slotOfNumber(keys.phoneSlot, phone as PhoneNumber)
  const database = slots.databaseOf(slot)
  const isLocalShard = database === slots.databaseOf(slotOfVerification(id))
  const numberLeaseId = orders.find((order) => order.id === id)?.numberLeaseId ?? id
  const end = { id, attempt: 0, succeeded: true, reason: 'rang', sipStatus: undefined }
  assert(await active.batches.end({ ...end, numberHashes: isLocalShard ? hashes : undefined, numberLeaseId }))
  if (!isLocalShard) await active.batches.closeNumber({ slot, hashes, leaseId: numberLeaseId, givesBack: false })
  const { rows } = await database.query<{ open: boolean }>(
    `UPDATE subscriber_numbers SET call_at = ARRAY(SELECT at - interval '30 seconds' FROM unnest(call_at) AS at)
     WHERE hash = ANY ($1) RETURNING lease_id IS NOT NULL AS open`,
    [hashes],
  )
  assert(rows.length > 0 && rows.every(({ open }) => !open), 'a call is still open under another key')
}

async function numberRows(): Promise<number> {
  let count = 0
  for (const database of slots.databases) {
    count += (await database.query<{ count: number }>('SELECT count(*) FROM subscriber_numbers')).rows[0]?.count ?? 0
  }
  return count
}

test('a refused or undone request leaves no row for its number, with one key or two', async () => {
  const before = await numberRows()
  const poor = await freshCaller(0)
  const rich = await freshCaller()
  for (const deps of [old, distributed, active]) {
    for (let n = 0; n < 4; n++) {
      assert.equal(await started(deps, poor, freshNumber('180')), 'insufficientFunds')
      const failing = async () => {
        throw new Error('the stream is unavailable')
      }
      assert.equal(await started({ ...deps, dispatchCall: failing }, rich, freshNumber('180')), 'unavailable')
    }
  }
  assert.equal(await numberRows(), before)
})

test('number limits and idempotency keys hold across the change of keys', async () => {
  for (let n = 0; n < 6; n++) {
    const apiClient = await freshCaller()
    const phone = freshNumber('180')
    const ids: number[] = []
    // A service may make four calls in ten minutes.
    for (const [index, deps] of [old, distributed, active, distributed].entries()) {
      const id = await started(deps, apiClient, phone, `key ${index}`)
      assert(typeof id === 'number', `call ${index}: ${id}`)
      ids.push(id)
      for (const other of [distributed, active]) {
        assert.equal(await started(other, apiClient, phone), 'numberCooldown', 'a second call to the number')
        assert.equal(await started(other, apiClient, phone, `key ${index}`), id)
      }
      await ended(phone, id as VerificationId)
    }
    for (const deps of [distributed, active]) {
      assert.equal(await started(deps, apiClient, phone), 'numberLimitReached')
      for (const [index, id] of ids.entries()) assert.equal(await started(deps, apiClient, phone, `key ${index}`), id)
    }
  }
})

test('of processes with the old and the new key, one gets the number, and one the idempotency key', async () => {
  for (let n = 0; n < 10; n++) {
    const callers = [await freshCaller(), await freshCaller()] as const
    const phone = freshNumber('180')
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, nth) =>
        started(nth % 2 === 0 ? distributed : active, callers[nth % 3 === 0 ? 0 : 1], phone),
      ),
    )
    assert.equal(results.filter((one) => typeof one === 'number').length, 1, results.join(' '))

    const another = freshNumber('180')
    const same = await Promise.all(
      Array.from({ length: 12 }, (_, nth) =>
        started(nth % 2 === 0 ? distributed : active, callers[0], another, 'same'),
      ),
    )
    assert.equal(new Set(same).size, 1, same.join(' '))
    assert.equal(typeof same[0], 'number')
  }
})

test('inbound requests of one subscriber never share a number, whichever key their processes use', async () => {
  const callers = await Promise.all(Array.from({ length: 6 }, () => freshCaller()))
  for (let n = 0; n < 5; n++) {
    const phone = freshNumber('180') as PhoneNumber
    const waits = await Promise.all(
      Array.from({ length: 24 }, (_, nth) => {
        const deps = { ...(nth % 2 === 0 ? distributed : active), webhookAllow: ['127.0.0.0/8'] }
        return startInboundVerification(deps, callers[nth % 6] as ApiClient, {
          phone,
          callbackUrl: 'http://127.0.0.1:9/',
        })
      }),
    )
    assert.equal(new Set(waits.map((wait) => wait.confirmation_number)).size, 24)
  }
})

test('a retry under the new key dispatches a call accepted under the old key and never dispatched', async () => {
  const apiClient = await freshCaller()
  const phone = freshNumber('180')
  const failing = async () => {
    throw new Error('dead')
  }
  const dead = { ...old, dispatchCall: failing, batches: { ...old.batches, undo: failing } }
  await assert.rejects(startVerification(dead, apiClient, request(phone, 'died')))
  // A retry within the first second leaves it to the first request.
  await sleep(1_100)
  const id = await started(active, apiClient, phone, 'died')
  assert.equal(orders.filter((order) => order.id === id).length, 1)
})

test('every sealed column of the schema is listed for resealing', async () => {
  const { rows } = await slots.globalDatabase.query<{ name: string }>(
    `SELECT DISTINCT c.relname || '.' || a.attname AS name FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
     WHERE a.attname LIKE '%\\_sealed' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND NOT a.attisdropped`,
  )
  assert.deepEqual(
    rows.map(({ name }) => name).toSorted(),
    sealedColumns.map(({ table: name, column }) => `${name}.${column}`).toSorted(),
  )
})

test('every record is resealed, and decrypts after the old key is destroyed', async () => {
  const apiClient = await freshCaller()
  const id = (await started(old, apiClient, freshNumber('180'), 'kept')) as VerificationId
  const wait = await startInboundVerification({ ...old, webhookAllow: ['127.0.0.0/8'] }, apiClient, {
    phone: freshNumber('180') as PhoneNumber,
    callbackUrl: 'http://127.0.0.1:9/',
  })
  const oldRing = ringAt('old', 'sealRecords')
  const sealed = (purpose: SealPurpose, owner: number, text: string) =>
    seal(oldRing, purpose, owner, text, randomBytes(nonceBytes))
  await slots
    .databaseOf(slotOfVerification(id))
    .query(
      `INSERT INTO fraud_hits (minute, rule, service_id, prefix, prefix_sealed, hits) VALUES (now(), 'opt-out', $1, 1, $2, 1)`,
      [apiClient.serviceId, sealed('fraud-prefix', apiClient.serviceId, '7907123')],
    )
  const { rows: people } = await slots.globalDatabase.query<{ id: number }>(
    `INSERT INTO users (email, password_hash) VALUES ('rotated@example.org', '') RETURNING id`,
  )
  const userId = people[0]?.id ?? 0
  await slots.globalDatabase.query('UPDATE users SET totp_sealed = $2 WHERE id = $1', [
    userId,
    sealed('totp', userId, 'secret of an app'),
  ])
  const deps = { slots, randomBytes, recordKeys: ringAt('active', 'sealRecords') }
  assert((await resealRecords(deps, { address: 'test', userAgent: randomUUID() })) >= 4)
  assert.equal(await resealRecords(deps, { address: 'test', userAgent: '' }), 0, 'records resealed by a second run')
  const ring = ringAt('destroyed', 'sealRecords')
  const first = await active.batches.read(id)
  assert(first)
  const person = unsealPerson(ring, apiClient.serviceId, first.personSealed)
  assert.deepEqual([person.client, person.unique], ['about them', 'kept'])
  assert.match(person.phoneMask, /^7907\*\*\*\d{4}$/)
  const database = slots.databaseOf(slotOfVerification(id))
  const { rows } = await database.query<{ callback: Buffer; secret: Buffer }>(
    `SELECT w.callback_sealed AS callback, s.webhook_secret_sealed AS secret
     FROM inbound_requests AS w JOIN services AS s ON s.id = w.service_id WHERE w.id = $1`,
    [wait.vendor_id],
  )
  assert(rows[0])
  assert.equal(unseal(ring, 'callback', apiClient.serviceId, rows[0].callback), 'http://127.0.0.1:9/')
  assert.match(unseal(ring, 'webhook-secret', apiClient.serviceId, rows[0].secret), /^whsec_/)
  assert.deepEqual([rows[0].callback, rows[0].secret].map(sealedWith), [2, 2])
  const { rows: hits } = await database.query<{ prefix: Buffer }>('SELECT prefix_sealed AS prefix FROM fraud_hits')
  assert.deepEqual(
    hits.map(({ prefix }) => unseal(ring, 'fraud-prefix', apiClient.serviceId, prefix)),
    ['7907123'],
  )
  const { rows: apps } = await slots.globalDatabase.query<{ totp: Buffer }>(
    'SELECT totp_sealed AS totp FROM users WHERE id = $1',
    [userId],
  )
  assert.deepEqual(
    apps.map(({ totp }) => unseal(ring, 'totp', userId, totp)),
    ['secret of an app'],
  )
})
