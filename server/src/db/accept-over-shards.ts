// Accepts a call whose number has its limits in another database than the account.
//
// The key is looked up first, so that a replay touches no limit. Then the number is reserved in its own database, the call
// is accepted in the account's, and the reservation is confirmed, or given back if the account's database refused. A
// confirmation that fails undoes the accept. A process that dies in between leaves a reservation that lapses and, at worst,
// a hold that the sweep releases; or a replay reserves the number again.

import type { CallRequest } from '../domain/calls/call-request.ts'
import type { NumberRef } from '../domain/numbers/number-ref.ts'
import { slotOfAccount, type VerificationId } from '../domain/slot.ts'
import type { CallBatches } from './call-batches.ts'
import { findIdempotencyKey } from './idempotency-key.ts'
import { closeNumber, confirmNumber, type Reservation, reserveNumbers } from './number-limits.ts'
import type { SlotMap } from './slot-map.ts'
import type { Accepted } from './verification.ts'

type Deps = {
  readonly slots: SlotMap
  readonly batches: CallBatches
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly timeScale: number
}

// Under which key a service reserves a number, and its own limits for it.
type NumberLimitsOf = Pick<Reservation, 'serviceId' | 'keyDigests' | 'calls10Minutes' | 'callsDay'>

export async function acceptOverShards(
  deps: Deps,
  request: CallRequest,
  number: NumberRef,
): Promise<{ accepted: Accepted; numberLeaseId: number }> {
  const accountDatabase = deps.slots.databaseOf(slotOfAccount(request.accountId))
  const numberDatabase = deps.slots.databaseOf(number.slot)
  const ownLeaseId = newLeaseId(deps)
  const findKey = async () =>
    request.keyDigests && (await findIdempotencyKey(accountDatabase, request.serviceId, request.keyDigests))
  const known = await findKey()
  if (known) return { accepted: { decision: 'exists', id: known, retryMs: null }, numberLeaseId: ownLeaseId }

  const reservation = reservationOf(request, number, ownLeaseId)
  const [reserved] = await reserveNumbers(numberDatabase, [reservation], deps.timeScale)
  if (!reserved) throw new Error('a reservation was neither made nor refused')
  const { token } = reserved
  if (reserved.decision !== 'reserved') {
    // The call that holds the number may be this very one, accepted since the lookup.
    const id = await findKey()
    const accepted: Accepted = id
      ? { decision: 'exists', id, retryMs: null }
      : { decision: reserved.decision, id: null, retryMs: reserved.retryMs }
    return { accepted, numberLeaseId: token }
  }
  const giveBack = async () => {
    if (token === ownLeaseId) await closeNumber(numberDatabase, number.hashes, token, true)
  }
  const { accept, acceptRepeat } = deps.batches
  const accepted = await (request.firstId === undefined ? accept : acceptRepeat)(request).catch(
    async (error: unknown) => {
      await giveBack()
      throw error
    },
  )
  if (accepted.decision !== 'accepted') {
    // If the key exists by now, the request that was accepted under it shares the reservation and confirms it.
    if (accepted.decision !== 'exists') await giveBack()
    return { accepted, numberLeaseId: token }
  }
  const id = accepted.id as VerificationId
  try {
    if (await confirmNumber(numberDatabase, number.hashes, token, deps.timeScale))
      return { accepted, numberLeaseId: token }
  } catch (error) {
    await undo(deps, id)
    // Unless a replay has reserved the number for this call, and a worker has claimed it since.
    const kept = await deps.batches.read(id)
    if (kept?.state !== 'failed') return { accepted, numberLeaseId: token }
    // Perhaps it was confirmed and only the response was lost; otherwise it lapses.
    await closeNumber(numberDatabase, number.hashes, token, true).catch(() => undefined)
    throw error
  }
  // It took so long that the reservation lapsed, and another call to the number may be in flight by now.
  await undo(deps, id)
  return { accepted: { decision: 'too-soon', id: null, retryMs: 1_000 }, numberLeaseId: token }
}

// Reserves the number again for a call that was accepted and perhaps never confirmed. Returns the lease ID, or undefined when
// another call has the number by now. A reservation under the same key belongs to this call and is shared.
export async function reserveAgain(
  deps: Deps,
  request: NumberLimitsOf,
  number: NumberRef,
): Promise<number | undefined> {
  const database = deps.slots.databaseOf(number.slot)
  const reservation = reservationOf(request, number, newLeaseId(deps))
  const [reserved] = await reserveNumbers(database, [reservation], deps.timeScale)
  if (reserved?.decision !== 'reserved') return undefined
  return (await confirmNumber(database, number.hashes, reserved.token, deps.timeScale)) ? reserved.token : undefined
}

function reservationOf(request: NumberLimitsOf, number: NumberRef, token: number): Reservation {
  return {
    hashes: number.hashes,
    token,
    serviceId: request.serviceId,
    keyDigests: request.keyDigests,
    calls10Minutes: request.calls10Minutes,
    callsDay: request.callsDay,
    optOutDigest: number.optOutDigest,
  }
}

async function undo({ batches }: Deps, id: VerificationId): Promise<void> {
  await batches.undo({
    id,
    attempt: 0,
    succeeded: false,
    reason: 'not-dispatched',
    sipStatus: undefined,
    numberHashes: undefined,
    numberLeaseId: undefined,
  })
}

// Negative, so that it is not the ID of a verification.
function newLeaseId({ randomBytes }: Deps): number {
  return -1 - Buffer.from(randomBytes(6)).readUIntBE(0, 6)
}
