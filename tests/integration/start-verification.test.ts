// Failures between the database commit and dispatch, each triggered on purpose: what the client gets, what the database
// keeps.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { startVerification } from '../../server/src/actions/verifications/start-verification.ts'
import { claimCalls, readVerification } from '../../server/src/db/verifications/verification.ts'
import { slotOfVerification, type VerificationId } from '../../server/src/domain/core/slot.ts'
import type { CallOrder } from '../../server/src/domain/verifications/call-order.ts'
import { Refusal } from '../../server/src/process/errors.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { clientOf, createStartDeps, flashRequest, refusedWith } from '../support/process/start-deps.ts'

// Two databases, so that a number and its API client may be in different ones. The server process only creates the
// streams.
const installation = await installPhones(1, 2)
await serve(installation, { RINGPROOF_SWITCH: '' })
const { slots } = installation

const orders: CallOrder[] = []
const deps = await createStartDeps(installation, async (order) => {
  orders.push(order)
})
const failing = async () => {
  throw new Error('the stream is unavailable')
}

test('a failed dispatch undoes everything, whichever database has the limits of the number', async () => {
  for (let n = 0; n < 8; n++) {
    const service = await makeService(installation, 1)
    const apiClient = await clientOf(installation, service)
    const phone = freshNumber('180')
    await assert.rejects(
      startVerification({ ...deps, dispatchCall: failing }, apiClient, flashRequest(phone, 'key')),
      (error: unknown) => error instanceof Refusal && error.unavailableCause === 'dispatch_failed',
    )
    // With money for two calls and a cooldown of a minute, any leftover of the first would show.
    const { vendor_id: id, exists } = await startVerification(deps, apiClient, flashRequest(phone, 'key'))
    assert.equal(exists, false)
    assert.equal(
      (await readVerification(slots.databaseOf(slotOfVerification(id as VerificationId)), id as VerificationId))
        ?.balanceBefore,
      1_000_000,
    )
  }
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

test('a dispatch that was published but whose response was lost is no refusal: the call is claimed and stays', async () => {
  const apiClient = await clientOf(installation, await makeService(installation, 1))
  const claimedThenLost = async ({ id, attempt, routes }: CallOrder) => {
    const claim = { id, attempt, trunk: routes[0]?.trunk ?? '', callerNumber: undefined, token: 1 }
    assert.notEqual((await claimCalls(slots.databaseOf(slotOfVerification(id)), [claim]))[0], undefined)
    throw new Error('no response in time')
  }
  const started = await startVerification(
    { ...deps, dispatchCall: claimedThenLost },
    apiClient,
    flashRequest(freshNumber('180')),
  )
  const id = started.vendor_id as VerificationId
  const kept = await readVerification(slots.databaseOf(slotOfVerification(id)), id)
  assert.equal(kept?.state, 'dialling', 'the hold was released')
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

test('a call that a retry dispatched is not undone by the first request, and the key keeps it', async () => {
  const apiClient = await clientOf(installation, await makeService(installation, 1))
  const phone = freshNumber('180')
  const retried = Promise.withResolvers<unknown>()
  // Its dispatch hangs; meanwhile the client retried elsewhere and got a response.
  const hanging = async ({ id }: CallOrder) => {
    await slots
      .databaseOf(slotOfVerification(id))
      .query(`UPDATE verifications SET accepted_at = accepted_at - interval '2 seconds' WHERE id = $1`, [id])
    retried.resolve((await startVerification(deps, apiClient, flashRequest(phone, 'twice'))).vendor_id)
    throw new Error('no response in time')
  }
  const first = await startVerification({ ...deps, dispatchCall: hanging }, apiClient, flashRequest(phone, 'twice'))
  assert.equal(first.vendor_id, await retried.promise)
  assert.equal((await startVerification(deps, apiClient, flashRequest(phone, 'twice'))).vendor_id, first.vendor_id)
})

test('a retry answered while the first request is in flight keeps its verification when the first fails', async () => {
  const apiClient = await clientOf(installation, await makeService(installation, 1))
  const phone = freshNumber('180')
  const retried = Promise.withResolvers<unknown>()
  const failingLater = async () => {
    retried.resolve((await startVerification(deps, apiClient, flashRequest(phone, 'soon'))).vendor_id)
    throw new Error('no response in time')
  }
  const first = await startVerification({ ...deps, dispatchCall: failingLater }, apiClient, flashRequest(phone, 'soon'))
  assert.equal(first.vendor_id, await retried.promise)
  assert.equal((await startVerification(deps, apiClient, flashRequest(phone, 'soon'))).vendor_id, first.vendor_id)
  // It is undone all the same if the number could not be leased.
  const id = first.vendor_id as VerificationId
  const lapsed = { id, attempt: 0, succeeded: false, reason: 'not-dispatched', sipStatus: undefined }
  await deps.batches.undo({ ...lapsed, numberHashes: undefined, numberLeaseId: undefined })
  assert.equal((await readVerification(slots.databaseOf(slotOfVerification(id)), id))?.state, 'failed')
})

test('a retry re-dispatches a call whose first process died before publishing', async () => {
  const service = await makeService(installation, 10)
  const apiClient = await clientOf(installation, service)
  const phone = freshNumber('180')
  const dead = { ...deps, dispatchCall: failing, batches: { ...deps.batches, undo: failing } }
  await assert.rejects(startVerification(dead, apiClient, flashRequest(phone, 'crash')), /the stream is unavailable/)
  orders.length = 0
  // A retry in the same second leaves it to the first request; a later one dispatches.
  await startVerification(deps, apiClient, flashRequest(phone, 'crash'))
  assert.equal(orders.length, 0)
  await Promise.all(
    slots.databases.map((database) =>
      database.query(`UPDATE verifications SET accepted_at = accepted_at - interval '2 seconds'`),
    ),
  )
  const response = await startVerification(deps, apiClient, flashRequest(phone, 'crash'))
  assert.equal(response.exists, true)
  const [order] = orders
  assert.equal(order?.id, response.vendor_id)
  assert.equal(order?.code, response.code)
  assert.equal(order?.number, phone)
  assert.equal(String(order?.routes[0]?.callerNumber).slice(-4), response.code)

  // Once it is claimed, a retry dispatches nothing; another number under the same key never does.
  orders.length = 0
  await startVerification(deps, apiClient, flashRequest(freshNumber('180'), 'crash'))
  assert.equal(orders.length, 0)
  const id = response.vendor_id as VerificationId
  const claim = { id, attempt: 1, trunk: 'first', callerNumber: undefined, token: 1 }
  assert.notEqual((await claimCalls(slots.databaseOf(slotOfVerification(id)), [claim]))[0], undefined)
  await startVerification(deps, apiClient, flashRequest(phone, 'crash'))
  assert.equal(orders.length, 0)
})

test('a full stream refuses the call before money moves', async () => {
  const service = await makeService(installation, 1)
  const apiClient = await clientOf(installation, service)
  await assert.rejects(
    startVerification(
      { ...deps, queueFaultOf: () => 'queue_full' as const },
      apiClient,
      flashRequest(freshNumber('180')),
    ),
    refusedWith('unavailable'),
  )
  const { rows } = await slots
    .databaseOf((service.accountId % 64) as never)
    .query('SELECT FROM ledger WHERE account_id = $1', [service.accountId])
  assert.equal(rows.length, 1, 'there is more than the first credit')
})

test('a code without a matching caller number is distinguished from an unavailable network', async () => {
  const service = await makeService(installation, 1)
  const apiClient = await clientOf(installation, service)
  const { trunks } = deps.routing()
  const half = {
    ...deps.routing(),
    ranges: [{ trunk: 'first', country: 'RU', first: 70000000000, last: 70000004999 }],
  }
  const start = (routing: typeof half, code: string) =>
    startVerification({ ...deps, routing: () => routing }, apiClient, { ...flashRequest(freshNumber('180')), code })
  await assert.rejects(start(half, '7777'), refusedWith('noCallerNumber'))
  assert.equal((await start(half, '0777')).code, '0777')
  await assert.rejects(
    start({ ...half, trunks: trunks.map((trunk) => ({ ...trunk, isOn: false })) }, '0777'),
    refusedWith('needsOperator'),
  )
})
