// The verification of the Verify API: read, listed, checked and cancelled. Nothing here returns a code, but that of a test.

import type { PublicVerification, Verification, VerificationList } from '@ringproof/contract/v2/verification.ts'
import { followSlot } from '../../db/core/follow-slot.ts'
import { mapLockTimeout } from '../../db/core/map-lock-timeout.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import {
  type CheckedCode,
  cancelLadder,
  checkLadder,
  listLadders,
  readLadder,
  readLadderCalls,
} from '../../db/verifications/ladder.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import { type ServiceId, slotOfService, slotOfVerification, type VerificationId } from '../../domain/core/slot.ts'
import { checkKeyOf, clientDigests } from '../../domain/crypto/keyed-digest.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { type PhoneNumber, tenantHashes } from '../../domain/numbers/phone-number.ts'
import type { Ladder, LadderCall, LadderState } from '../../domain/verifications/ladder.ts'
import { publicVerification, verificationOf } from '../../domain/verifications/ladder-view.ts'
import { erasedPerson, unsealPerson } from '../../domain/verifications/person.ts'

export type LadderViewDeps = {
  readonly slots: SlotMap
  readonly keys: { readonly sealRecords: KeyRing; readonly phoneTenant: KeyRing }
  readonly currency: string
}

export type { CheckedCode }

const checkKeyBytes = 20

// Undefined if there is none. It may be shown only to a client of its service.
export async function findLadder({ slots }: LadderViewDeps, id: VerificationId): Promise<Ladder | undefined> {
  const slot = slotOfVerification(id)
  return followSlot(slots, [slot], () => readLadder(slots.databaseOf(slot), id))
}

export async function showLadder(deps: LadderViewDeps, ladder: Ladder): Promise<Verification> {
  const [view] = await verificationsOf(deps, [ladder])
  if (!view) throw new RangeError('one ladder has one view')
  return view
}

// What a client token may see.
export async function showPublicLadder(deps: LadderViewDeps, ladder: Ladder): Promise<PublicVerification> {
  const calls = await readLadderCalls(deps.slots.databaseOf(slotOfVerification(ladder.id)), ladder.callIds)
  return publicVerification(sourceOf(deps, ladder, calls))
}

export type ListCommand = {
  readonly limit: number
  readonly beforeId: VerificationId | undefined
  readonly state: LadderState | undefined
  readonly phone: PhoneNumber | undefined
  readonly reference: string | undefined
}

export async function listOwnLadders(
  deps: LadderViewDeps,
  { accountId, serviceId }: ApiClient,
  { limit, beforeId, state, phone, reference }: ListCommand,
): Promise<VerificationList> {
  const { slots, keys } = deps
  const phoneHashes = phone && tenantHashes(keys.phoneTenant, accountId, phone)
  const digests = reference === undefined ? undefined : clientDigests(keys.phoneTenant, accountId, reference)
  const query = { serviceId, beforeId, state, phoneHashes, clientDigests: digests }
  const ladders = await listLadders(slots.databaseOf(slotOfService(serviceId)), query, limit + 1)
  return { data: [...(await verificationsOf(deps, ladders.slice(0, limit)))], has_more: ladders.length > limit }
}

type CheckCommand = {
  readonly serviceId: ServiceId
  readonly id: VerificationId
  readonly code: string
  // A retry under the same key gets the first result and uses up no further check.
  readonly idempotencyKey: string | undefined
}

// A 2xx response means that this has returned `approved`, and nothing else does.
export async function checkCode(
  deps: LadderViewDeps & { readonly randomBytes: (bytes: number) => Uint8Array },
  { serviceId, id, code, idempotencyKey }: CheckCommand,
): Promise<CheckedCode> {
  const { slots, keys } = deps
  const key =
    idempotencyKey === undefined
      ? Buffer.from(deps.randomBytes(checkKeyBytes))
      : checkKeyOf(keys.sealRecords, serviceId, `${id} ${idempotencyKey}`, code)
  const slot = slotOfVerification(id)
  return mapLockTimeout(
    followSlot(slots, [slot], () => checkLadder(slots.databaseOf(slot), serviceId, id, { code, key })),
  )
}

// The state that it has now, and whether this cancel has given it.
export async function cancelOwnLadder(
  { slots }: LadderViewDeps,
  serviceId: ServiceId,
  id: VerificationId,
): Promise<Awaited<ReturnType<typeof cancelLadder>>> {
  const slot = slotOfVerification(id)
  return mapLockTimeout(followSlot(slots, [slot], () => cancelLadder(slots.databaseOf(slot), serviceId, id)))
}

// All of one service, so of one database.
async function verificationsOf(deps: LadderViewDeps, ladders: readonly Ladder[]): Promise<readonly Verification[]> {
  const [first] = ladders
  if (!first) return []
  const database = deps.slots.databaseOf(slotOfVerification(first.id))
  const calls = await readLadderCalls(
    database,
    ladders.flatMap(({ callIds }) => callIds),
  )
  const byId = new Map(calls.map((call) => [call.id, call]))
  return ladders.map((ladder) =>
    verificationOf(
      sourceOf(
        deps,
        ladder,
        ladder.callIds.flatMap((id) => byId.get(id) ?? []),
      ),
    ),
  )
}

function sourceOf({ keys, currency }: LadderViewDeps, ladder: Ladder, calls: readonly LadderCall[]) {
  const [first] = calls
  const person = first ? unsealPerson(keys.sealRecords, ladder.serviceId, first.personSealed) : erasedPerson
  return { ladder, calls, person, currency }
}
