// Reserving a number for an account in another database: leases that requests with one key share, alone and in one batch.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { closeNumbers, type Reservation, reserveNumbers } from '../../server/src/db/verifications/number-limits.ts'
import type { ServiceId, Slot } from '../../server/src/domain/core/slot.ts'
import { asOwner } from '../support/database/test-database.ts'
import { install } from '../support/process/server.ts'

const installation = await install()
const database = installation.slots.globalDatabase

function reservation(token: number, hashes: readonly Buffer[], digest?: Buffer): Reservation {
  return {
    slot: 0 as Slot,
    hashes,
    token,
    serviceId: 64 as ServiceId,
    keyDigests: digest && [digest],
    calls10Minutes: 4,
    callsDay: 10,
    optOutDigest: randomBytes(32),
  }
}

const reserve = (...reservations: readonly Reservation[]) => reserveNumbers(database, reservations, 1)

test('a retry that shares the reservation of its key is counted from the retry on', async () => {
  const [hash, key] = [randomBytes(32), randomBytes(16)]
  const countedAgo = async () => {
    const { rows } = await database.query<{ agoMs: number }>(
      `SELECT (extract(epoch FROM clock_timestamp() - call_at[1]) * 1000)::float8 AS "agoMs"
       FROM subscriber_numbers WHERE hash = $1 AND cardinality(call_at) = 1`,
      [hash],
    )
    return rows[0]?.agoMs ?? Number.NaN
  }
  assert.equal((await reserve(reservation(-9, [hash], key)))[0]?.token, -9)
  await asOwner(
    (client) =>
      client.query(`UPDATE subscriber_numbers SET call_at[1] = call_at[1] - interval '40 seconds' WHERE hash = $1`, [
        hash,
      ]),
    installation.database.ownerUrl,
  )
  assert((await countedAgo()) >= 40_000)
  const [shared] = await reserve(reservation(-10, [hash], key))
  assert.deepEqual([shared?.decision, shared?.token], ['reserved', -9])
  assert((await countedAgo()) < 40_000)
})

test('one batch: requests with one key share a reservation, another for the same number is refused', async () => {
  const [hash, other, older] = [randomBytes(32), randomBytes(32), randomBytes(32)]
  const key = randomBytes(16)
  const reserved = await reserve(
    reservation(-21, [hash], key),
    reservation(-22, [hash], randomBytes(16)),
    reservation(-23, [hash], key),
    reservation(-24, [hash]),
    // A process that does not write under the new key yet.
    reservation(-25, [older, hash]),
    reservation(-26, [other]),
  )
  assert.deepEqual(
    reserved.map(({ decision, token }) => [decision, token]),
    [
      ['reserved', -21],
      ['too-soon', -22],
      ['reserved', -21],
      ['too-soon', -24],
      ['too-soon', -25],
      ['reserved', -26],
    ],
  )
  const rows = async () =>
    (
      await database.query<{ lease: string; calls: string }>(
        `SELECT lease_id::text AS lease, call_lease_id::text AS calls FROM subscriber_numbers
         WHERE hash = ANY ($1) ORDER BY lease_id DESC`,
        [[hash, other, older]],
      )
    ).rows
  assert.deepEqual(await rows(), [
    { lease: '-21', calls: '{-21}' },
    { lease: '-26', calls: '{-26}' },
  ])
  const close = { slot: 0 as Slot, hashes: [hash, older] }
  await closeNumbers(database, [
    { ...close, leaseId: -22, givesBack: true },
    { ...close, leaseId: -21, givesBack: false },
    { ...close, hashes: [other], leaseId: -26, givesBack: true },
  ])
  assert.deepEqual(await rows(), [{ lease: null, calls: '{-21}' }])
})

test('the cooldown is waived for the next call of a ladder, after its own call only and never beside a call', async () => {
  const [hash, older] = [randomBytes(32), randomBytes(32)]
  const close = (leaseId: number) =>
    closeNumbers(database, [{ slot: 0 as Slot, hashes: [hash], leaseId, givesBack: false }])
  const decided = async (token: number, continuesLease?: number) =>
    // Under two keys: the rows of the number are counted together.
    (await reserve({ ...reservation(token, [hash, older]), continuesLease }))[0]?.decision
  assert.equal(await decided(-41), 'reserved')
  assert.equal(await decided(-42, -41), 'too-soon', 'while it is going on')
  await close(-41)
  assert.equal(await decided(-43), 'too-soon', 'of anybody else')
  assert.equal(await decided(-44, -40), 'too-soon', 'after another call')
  assert.equal(await decided(-45, -41), 'reserved')
  await close(-45)
  assert.equal(await decided(-46, -41), 'too-soon', 'another call came between')
})
