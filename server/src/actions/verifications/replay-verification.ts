// initCall with an idempotency key that was used before.

import type { ApiResponse } from '@ringproof/contract/responses.ts'
import { type SlotMap, sharesDatabase } from '../../db/core/slot-map.ts'
import type { RoutingTable } from '../../db/trunks/routing-table.ts'
import { reserveAgain } from '../../db/verifications/accept-over-shards.ts'
import type { CallBatches } from '../../db/verifications/call-batches.ts'
import type { Verification } from '../../db/verifications/verification.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import { slotOfAccount, type VerificationId } from '../../domain/core/slot.ts'
import { randomFraction } from '../../domain/crypto/random-fraction.ts'
import { numberRefOf, tenantHashes } from '../../domain/numbers/phone-number.ts'
import type { CallOrder } from '../../domain/verifications/call-order.ts'
import type { StartCommand } from '../../domain/verifications/call-request.ts'
import { unsealPerson } from '../../domain/verifications/person.ts'
import { firstRoutes, keyDigestsOf, type PlanKeys, routeCall } from '../../domain/verifications/plan-call.ts'
import { mustRedispatch } from '../../domain/verifications/verification.ts'
import { type Refusal, unavailable } from '../../process/errors.ts'

export type ReplayDeps = {
  readonly slots: SlotMap
  readonly batches: CallBatches
  readonly routing: () => RoutingTable
  readonly keys: PlanKeys
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly monotonicMs: () => number
  readonly timeScale: number
  // Resolves when the call is safe in the call queue of its trunk.
  readonly dispatchCall: (order: CallOrder) => Promise<void>
}

type Replay = {
  readonly apiClient: ApiClient
  readonly command: StartCommand
  // The verification of the key.
  readonly id: VerificationId
  // Why this request would be refused if its key were new.
  readonly refusal?: Refusal
}

// Returns the first result, even if the request would be refused by now. If the first process died before its dispatch, no
// worker has claimed the call. The number is not stored, but this request carries it, so the call is dispatched now. Where
// that is not possible, the sweep ends the call and releases its hold.
export async function replayVerification(deps: ReplayDeps, replay: Replay): Promise<ApiResponse<'initCall'>> {
  const { apiClient, command, id, refusal } = replay
  const first = await deps.batches.read(id)
  if (!first) throw new Error(`verification ${id} of an idempotency key is not in the database`)
  // Undone a moment ago, so the key is free again: the next retry starts a new call.
  if (first.reason === 'not-dispatched' && !first.pinned) throw refusal ?? unavailable('dispatch_failed')
  const hashes = tenantHashes(deps.keys.phoneTenant, apiClient.accountId, command.phone)
  const isSameNumber = hashes.some((hash) => hash.equals(first.phoneHash))
  // An invalid number is a parameter error, and parameters are evaluated before the key.
  if (refusal?.refusal === 'invalidPhone' && !isSameNumber) throw refusal
  // The client relies on this result from now on, so the first request may not undo it any more.
  if (first.state === 'accepted' && !first.pinned) {
    await deps.batches.pin(id)
    return replayVerification(deps, replay)
  }
  if (isSameNumber && mustRedispatch(first, deps.timeScale)) await dispatchAgain(deps, apiClient, command, first)
  const { phoneMask, client } = unsealPerson(deps.keys.sealRecords, apiClient.serviceId, first.personSealed)
  return {
    status: true,
    vendor_id: id,
    phone: phoneMask,
    code: first.code ?? '',
    client,
    ...(command.unique === undefined ? {} : { unique_request_id: command.unique }),
    exists: true,
  }
}

// The verification that an earlier request with the same idempotency key started.
export async function findFirst(
  { batches, keys }: ReplayDeps,
  { accountId, serviceId }: ApiClient,
  { unique }: StartCommand,
): Promise<VerificationId | undefined> {
  const keyDigests = keyDigestsOf(keys, serviceId, unique)
  return keyDigests && batches.findKey({ accountId, serviceId, keyDigests })
}

async function dispatchAgain(
  deps: ReplayDeps,
  apiClient: ApiClient,
  command: StartCommand,
  { id, mode, country, code: firstCode, isTest }: Verification,
): Promise<void> {
  const table = deps.routing()
  if (mode === 'inbound' || (table.stop && !isTest)) return
  const code = firstCode ?? ''
  const { routes } = routeCall(
    table,
    { isTest, phone: command.phone, country, mode, code },
    randomFraction(deps.randomBytes),
  )
  if (!routes) return
  const numberLeaseId = isTest ? id : await leaseNumberAgain(deps, apiClient, command, id)
  if (numberLeaseId === undefined) return
  const order: CallOrder = {
    id,
    accountId: apiClient.accountId,
    attempt: 1,
    routes: firstRoutes(routes),
    mode,
    code,
    language: apiClient.language,
    isTest,
    number: command.phone,
    numberLeaseId,
  }
  await deps.dispatchCall(order).catch(() => undefined)
}

// In the account's own database the accept leased the number under the ID of the verification.
async function leaseNumberAgain(
  deps: ReplayDeps,
  { accountId, serviceId, calls10Minutes, callsDay }: ApiClient,
  { phone, unique }: StartCommand,
  id: VerificationId,
): Promise<number | undefined> {
  const number = numberRefOf(deps.keys, phone)
  if (sharesDatabase(deps.slots, number.slot, slotOfAccount(accountId))) return id
  const keyDigests = keyDigestsOf(deps.keys, serviceId, unique)
  return reserveAgain(deps, { serviceId, keyDigests, calls10Minutes, callsDay }, number)
}
