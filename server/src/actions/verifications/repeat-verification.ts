// initRepeat: calls the same phone with the same code again, free of charge, for services that have repeats on.

import type { ApiResponse } from '@ringproof/contract/responses.ts'
import type { CallBatches } from '../../db/verifications/call-batches.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import type { VerificationId } from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import type { PhoneNumber } from '../../domain/numbers/phone-number.ts'
import { unsealPerson } from '../../domain/verifications/person.ts'
import { repeatRefusalOf, repeatWaitSeconds } from '../../domain/verifications/repeat.ts'
import type { StartCommand } from '../../domain/verifications/start-command.ts'
import { Refusal } from '../../process/errors.ts'

export type RepeatDeps = {
  readonly batches: Pick<CallBatches, 'read'>
  readonly keys: { readonly sealRecords: KeyRing }
  readonly timeScale: number
  // Undefined once the number has been erased.
  readonly readForRepeat: (id: VerificationId) => Promise<PhoneNumber | undefined>
  readonly start: (apiClient: ApiClient, command: StartCommand) => Promise<ApiResponse<'initCall'>>
}

export async function repeatVerification(
  deps: RepeatDeps,
  apiClient: ApiClient,
  uid: number,
): Promise<ApiResponse<'initRepeat'>> {
  if (!apiClient.repeats) throw new Refusal('repeatNotSupported')
  const id = uid as VerificationId
  const first = await deps.batches.read(id)
  // Unknown and foreign IDs get the same response.
  if (first?.serviceId !== apiClient.serviceId || first.mode === 'inbound') throw new Refusal('notRepeatable')
  const refusal = repeatRefusalOf(first, apiClient, deps.timeScale)
  if (refusal === 'numberCooldown') throw new Refusal(refusal, {}, repeatWaitSeconds(first, deps.timeScale))
  if (refusal) throw new Refusal(refusal)
  const phone = await deps.readForRepeat(id)
  if (phone === undefined) throw new Refusal('notRepeatable')
  const { client, unique } = unsealPerson(deps.keys.sealRecords, apiClient.serviceId, first.personSealed)
  const { code, mode } = first
  const started = await deps.start(apiClient, {
    phone,
    code: code ?? undefined,
    client,
    unique: undefined,
    mode,
    repeatOf: id,
  })
  // A public client requires `exists`.
  const ofFirst = unique === undefined ? {} : { unique_request_id: unique }
  return { ...started, ...ofFirst, exists: false, free_repeated: true }
}
