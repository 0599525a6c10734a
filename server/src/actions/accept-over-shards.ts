// An account and the limits of the number it calls in two databases: the key is looked up first, so that a replay touches
// no limit; then the number is reserved in its own database, the call accepted in the account's, and the reservation
// confirmed, or given back when the account's database refused. Whoever dies in between leaves a reservation that lapses
// and, at worst, a hold that the keeper releases.

import type { Accepted, CallRequest } from '../db/call.ts'
import type { CallBatches } from '../db/call-batches.ts'
import { findIdempotencyKey } from '../db/idempotency-key.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { closeNumber, confirmNumber, reserveNumbers } from '../db/subscriber-number.ts'
import { type Slot, slotOfAccount } from '../domain/slot.ts'

type Deps = {
  readonly slots: SlotMap
  readonly batches: CallBatches
  readonly chance: (bytes: number) => Uint8Array
  readonly timeScale: number
}

type Plan = { readonly request: CallRequest; readonly numberHash: Buffer; readonly numberSlot: Slot }

export async function acceptOverShards(
  deps: Deps,
  { request, numberHash, numberSlot }: Plan,
): Promise<{ accepted: Accepted; numberToken: number }> {
  const accountDatabase = deps.slots.databaseOf(slotOfAccount(request.accountId))
  const numberDatabase = deps.slots.databaseOf(numberSlot)
  // Below zero, so that it is nobody's verification.
  const token = -1 - Buffer.from(deps.chance(6)).readUIntBE(0, 6)
  const known = request.keyDigest && (await findIdempotencyKey(accountDatabase, request.serviceId, request.keyDigest))
  if (known) return { accepted: { verdict: 'exists', id: known, retryMs: null }, numberToken: token }

  const [reserved] = await reserveNumbers(numberDatabase, [{ ...request, hash: numberHash, token }], deps.timeScale)
  if (!reserved) throw new Error('a reservation was neither made nor refused')
  if (reserved.verdict !== 'reserved') {
    return { accepted: { verdict: reserved.verdict, id: null, retryMs: reserved.retryMs }, numberToken: token }
  }
  const accepted = await deps.batches.accept(request).catch(async (error: unknown) => {
    await closeNumber(numberDatabase, numberHash, token, true)
    throw error
  })
  if (accepted.verdict === 'accepted') await confirmNumber(numberDatabase, numberHash, token, deps.timeScale)
  else await closeNumber(numberDatabase, numberHash, token, true)
  return { accepted, numberToken: token }
}
