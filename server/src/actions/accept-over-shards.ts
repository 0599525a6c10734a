// An account and the limits of the number it calls in two databases: the key is looked up first, so that a replay touches
// no limit; then the number is reserved in its own database, the call accepted in the account's, and the reservation
// confirmed, or given back when the account's database refused. A confirmation that fails undoes the accept. A process that
// dies in between leaves a reservation that lapses and, at worst, a hold that a sweep releases; or a replay reserves again.

import type { CallBatches } from '../db/call-batches.ts'
import { findIdempotencyKey } from '../db/idempotency-key.ts'
import { closeNumber, confirmNumber, type Reservation, reserveNumbers } from '../db/number-limits.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { Accepted, CallRequest } from '../db/verification.ts'
import { type Slot, slotOfAccount, type VerificationId } from '../domain/slot.ts'

type Deps = {
  readonly slots: SlotMap
  readonly batches: CallBatches
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly timeScale: number
}

type Plan = {
  readonly request: CallRequest
  readonly numberHashes: readonly Buffer[]
  readonly numberSlot: Slot
  readonly optOutDigest: Buffer
}

export async function acceptOverShards(
  deps: Deps,
  { request, numberHashes, numberSlot, optOutDigest }: Plan,
): Promise<{ accepted: Accepted; numberLeaseId: number }> {
  const accountDatabase = deps.slots.databaseOf(slotOfAccount(request.accountId))
  const numberDatabase = deps.slots.databaseOf(numberSlot)
  const ownLeaseId = newToken(deps)
  const findKey = async () =>
    request.keyDigests && (await findIdempotencyKey(accountDatabase, request.serviceId, request.keyDigests))
  const known = await findKey()
  if (known) return { accepted: { decision: 'exists', id: known, retryMs: null }, numberLeaseId: ownLeaseId }

  const reservation = { ...request, hashes: numberHashes, token: ownLeaseId, optOutDigest }
  const [reserved] = await reserveNumbers(numberDatabase, [reservation], deps.timeScale)
  if (!reserved) throw new Error('a reservation was neither made nor refused')
  const { token } = reserved
  if (reserved.decision !== 'reserved') {
    // The call that is in the way may be this very one, accepted since we looked.
    const id = await findKey()
    const accepted: Accepted = id
      ? { decision: 'exists', id, retryMs: null }
      : { decision: reserved.decision, id: null, retryMs: reserved.retryMs }
    return { accepted, numberLeaseId: token }
  }
  const giveBack = async () => {
    if (token === ownLeaseId) await closeNumber(numberDatabase, numberHashes, token, true)
  }
  const accepted = await deps.batches.accept(request).catch(async (error: unknown) => {
    await giveBack()
    throw error
  })
  if (accepted.decision !== 'accepted') {
    // Where the key exists by now, whoever was accepted under it shares the reservation and confirms it.
    if (accepted.decision !== 'exists') await giveBack()
    return { accepted, numberLeaseId: token }
  }
  const id = accepted.id as VerificationId
  try {
    if (await confirmNumber(numberDatabase, numberHashes, token, deps.timeScale))
      return { accepted, numberLeaseId: token }
  } catch (error) {
    await undo(deps, id)
    // Unless a replay has taken the number for this very call, and a worker has claimed it since.
    const kept = await deps.batches.read(id)
    if (kept?.state !== 'failed') return { accepted, numberLeaseId: token }
    // Perhaps it was confirmed and only the response was lost; otherwise it lapses.
    await closeNumber(numberDatabase, numberHashes, token, true).catch(() => undefined)
    throw error
  }
  // It took so long that the reservation lapsed, and somebody else may be calling the number by now.
  await undo(deps, id)
  return { accepted: { decision: 'too-soon', id: null, retryMs: 1_000 }, numberLeaseId: token }
}

// Takes the number again for a call that was accepted and perhaps never confirmed: the token of its reservation, or
// undefined when somebody else has the number by now. A reservation with the same key is this call's own, and is shared.
export async function reserveAgain(
  deps: Deps,
  request: Omit<Reservation, 'hashes' | 'token' | 'optOutDigest'>,
  { numberHashes, numberSlot, optOutDigest }: Omit<Plan, 'request'>,
): Promise<number | undefined> {
  const database = deps.slots.databaseOf(numberSlot)
  const reservation = { ...request, hashes: numberHashes, token: newToken(deps), optOutDigest }
  const [reserved] = await reserveNumbers(database, [reservation], deps.timeScale)
  if (reserved?.decision !== 'reserved') return undefined
  return (await confirmNumber(database, numberHashes, reserved.token, deps.timeScale)) ? reserved.token : undefined
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

// Below zero, so that it is nobody's verification.
function newToken({ randomBytes }: Deps): number {
  return -1 - Buffer.from(randomBytes(6)).readUIntBE(0, 6)
}
