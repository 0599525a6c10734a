// initCall with a key that was used before.

import type { ApiResponse } from '@ringproof/contract/responses.ts'
import { findIdempotencyKey } from '../db/idempotency-key.ts'
import type { Verification } from '../db/verification.ts'
import type { ApiClient } from '../domain/accounts/api-client.ts'
import { unsealPerson } from '../domain/calls/person.ts'
import type { StartCommand } from '../domain/calls/start-command.ts'
import { tenantHashes } from '../domain/numbers/phone-number.ts'
import { slotOfAccount, type VerificationId } from '../domain/slot.ts'
import { Refusal } from '../errors.ts'
import { reserveAgain } from './accept-over-shards.ts'
import { keyDigestsOf, numberPlaceOf, orderOf, type StartDeps, testRoutes, tryRoutes } from './plan-call.ts'

// How long a request may be on its way from the database to the stream before another looks after it.
const redispatchAfterMs = 1_000

// The same key again: the first result, whatever would be refused by now. If the first request died before its dispatch,
// nobody has claimed the call, and the number, which we did not keep, is in this request: it is dispatched now. Where that is
// not possible, a sweep ends the call and releases its hold.
export async function replayVerification(
  deps: StartDeps,
  apiClient: ApiClient,
  command: StartCommand,
  id: VerificationId,
  refusal?: Refusal,
): Promise<ApiResponse<'initCall'>> {
  const first = await deps.batches.read(id)
  if (!first) throw new Error(`verification ${id} of an idempotency key is not in the database`)
  // Undone a moment ago, and the key is free: whoever asks again gets another one.
  if (first.reason === 'not-dispatched' && !first.pinned) throw refusal ?? new Refusal('unavailable', {}, 5)
  const hashes = tenantHashes(deps.keys.phoneTenant, apiClient.accountId, command.phone)
  const isSameNumber = hashes.some((hash) => hash.equals(first.phoneHash))
  // A number that is none is a parameter that is wrong, and parameters come before the key.
  if (refusal?.refusal === 'invalidPhone' && !isSameNumber) throw refusal
  // Whoever is answered with it must find it again under its key, so the first request may not undo it any more.
  if (first.state === 'accepted' && !first.pinned) {
    await deps.batches.pin(id)
    return replayVerification(deps, apiClient, command, id, refusal)
  }
  // Those that come within a moment of the first find it still at work.
  if (first.state === 'accepted' && isSameNumber && first.acceptedAgoMs > redispatchAfterMs * deps.timeScale) {
    await dispatchAgain(deps, apiClient, command, first)
  }
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

async function dispatchAgain(
  deps: StartDeps,
  apiClient: ApiClient,
  command: StartCommand,
  { id, mode, country, code: firstCode, isTest }: Verification,
): Promise<void> {
  const table = deps.routing()
  if (mode === 'inbound' || (table.stop && !isTest)) return
  const code = firstCode ?? ''
  const { routes } = isTest ? { routes: testRoutes } : tryRoutes(deps, table, { country, mode, code })
  if (!routes) return
  const numberLeaseId = isTest ? id : await numberTokenOf(deps, apiClient, command, id)
  if (numberLeaseId === undefined) return
  const order = orderOf(apiClient, { ...command, mode }, { routes, code, isTest }, id, numberLeaseId)
  await deps.dispatchCall(order).catch(() => undefined)
}

// In the account's own database the number was taken with the accept, and bears its id.
async function numberTokenOf(
  deps: StartDeps,
  apiClient: ApiClient,
  command: StartCommand,
  id: VerificationId,
): Promise<number | undefined> {
  const { isLocalShard, ...place } = numberPlaceOf(deps, apiClient, command)
  return isLocalShard
    ? id
    : reserveAgain(deps, { ...apiClient, keyDigests: keyDigestsOf(deps, apiClient, command) }, place)
}

export async function findFirst(
  deps: StartDeps,
  apiClient: ApiClient,
  command: StartCommand,
): Promise<VerificationId | undefined> {
  const digests = keyDigestsOf(deps, apiClient, command)
  const database = deps.slots.databaseOf(slotOfAccount(apiClient.accountId))
  return digests && findIdempotencyKey(database, apiClient.serviceId, digests)
}
