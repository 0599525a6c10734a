// Accepts a call whose number has its limits in another database than the account.
//
// The key is looked up first, so that a replay touches no limit. Then the number is reserved in its own database, and the call
// is accepted in the account's. The reservation is a lease that outlasts every call accepted within reservationMs, so nothing
// has to be confirmed; an accept that took longer is undone. It is given back if the account's database refused. A process that
// dies in between leaves a lease that lapses and, at worst, a hold that the sweep releases; or a replay reserves the number
// again.

import type { VerificationId } from '../../domain/core/slot.ts'
import type { NumberRef } from '../../domain/numbers/phone-number.ts'
import type { CallRequest } from '../../domain/verifications/call-request.ts'
import { reservationMs } from '../../domain/verifications/number-limits.ts'
import type { CallBatches } from './call-batches.ts'
import type { Reservation } from './number-limits.ts'
import type { Accepted } from './verification.ts'

type Deps = {
  readonly batches: CallBatches
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly monotonicMs: () => number
}

// Under which key a service reserves a number, and its own limits for it.
type NumberLimitsOf = Pick<Reservation, 'serviceId' | 'keyDigests' | 'calls10Minutes' | 'callsDay' | 'continuesLease'>

type Decided<D> = Omit<Accepted, 'decision'> & { readonly decision: Accepted['decision'] | D }

export async function acceptOverShards<D extends string = never>(
  deps: Deps,
  request: CallRequest,
  number: NumberRef,
  accept: (request: CallRequest) => Promise<Decided<D>>,
): Promise<{ accepted: Decided<D>; numberLeaseId: number }> {
  const { batches, monotonicMs } = deps
  const ownLeaseId = newLeaseId(deps)
  const known = await findKey(deps, request)
  if (known) return { accepted: exists(known), numberLeaseId: ownLeaseId }

  const startedMs = monotonicMs()
  const reserved = await batches.reserveNumber(reservationOf(request, number, ownLeaseId))
  const { decision, retryMs, token: numberLeaseId } = reserved
  if (decision !== 'reserved') {
    // The call that holds the number may be this very one, accepted since the lookup.
    const id = await findKey(deps, request)
    return { accepted: id ? exists(id) : { decision, id: null, retryMs }, numberLeaseId }
  }
  const giveBack = async () => {
    if (numberLeaseId === ownLeaseId) await batches.closeNumber({ ...number, leaseId: numberLeaseId, givesBack: true })
  }
  const accepted = await accept(request).catch(async (error: unknown) => {
    // It may have been accepted all the same. Nobody dispatches that call, unless a replay of its key does, under this lease.
    if (!request.keyDigests) await giveBack()
    throw error
  })
  if (accepted.decision !== 'accepted') {
    // If the key exists by now, the request that was accepted under it shares the reservation.
    if (accepted.decision !== 'exists') await giveBack()
    return { accepted, numberLeaseId }
  }
  if (monotonicMs() - startedMs <= reservationMs) return { accepted, numberLeaseId }
  // It took so long that the lease may end before the call does.
  const id = accepted.id as VerificationId
  await undo(deps, id)
  // Unless a replay has reserved the number for this call, and a worker has claimed it since.
  const kept = await batches.read(id)
  if (kept?.state !== 'failed') return { accepted, numberLeaseId }
  await giveBack()
  return { accepted: { decision: 'too-soon', id: null, retryMs: 1_000 }, numberLeaseId }
}

// Reserves the number again for a call that was accepted and perhaps never dispatched. Returns the lease ID, or undefined when
// another call has the number by now. A reservation under the same key belongs to this call and is shared.
export async function reserveAgain(
  deps: Deps,
  request: NumberLimitsOf,
  number: NumberRef,
): Promise<number | undefined> {
  const { decision, token } = await deps.batches.reserveNumber(reservationOf(request, number, newLeaseId(deps)))
  return decision === 'reserved' ? token : undefined
}

async function findKey(
  { batches }: Deps,
  { accountId, serviceId, keyDigests }: CallRequest,
): Promise<VerificationId | undefined> {
  return keyDigests && batches.findKey({ accountId, serviceId, keyDigests })
}

function exists(id: VerificationId): Accepted {
  return { decision: 'exists', id, retryMs: null }
}

function reservationOf(request: NumberLimitsOf, number: NumberRef, token: number): Reservation {
  return {
    ...number,
    token,
    serviceId: request.serviceId,
    keyDigests: request.keyDigests,
    calls10Minutes: request.calls10Minutes,
    callsDay: request.callsDay,
    continuesLease: request.continuesLease,
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
