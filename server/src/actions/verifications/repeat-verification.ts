// initRepeat: calls the same phone with the same code again, free of charge, for services that have repeats on.

import type { ApiResponse } from '@ringproof/contract/responses.ts'
import type { WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import type { Actor } from '../../db/core/action-log.ts'
import { addPhones, listPhones } from '../../db/phones/virtual-phone.ts'
import type { CallBatches } from '../../db/verifications/call-batches.ts'
import { readVerification } from '../../db/verifications/verification.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import { type AccountId, slotOfAccount, slotOfVerification, type VerificationId } from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import type { PhoneNumber } from '../../domain/numbers/phone-number.ts'
import { phonesMax } from '../../domain/phones/virtual-phone.ts'
import type { StartCommand } from '../../domain/verifications/call-request.ts'
import { unsealPerson } from '../../domain/verifications/person.ts'
import { repeatRefusalOf, repeatWaitSeconds } from '../../domain/verifications/repeat.ts'
import { Denial, Refusal } from '../../process/errors.ts'
import { findTestService } from '../accounts/services.ts'

type RepeatDeps = {
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

type Deps = Parameters<typeof findTestService>[0] & {
  readonly runHere: (actor: Actor, input: WebInput<'run-here'>) => Promise<WebOutput<'run-here'>>
}

// Starts the mode of a verification again, from a test service to a virtual phone: it is free, and nobody's phone rings.
export async function repeatAsTest(
  deps: Deps,
  actor: Actor,
  accountId: AccountId,
  id: VerificationId,
): Promise<WebOutput<'repeat-as-test'>> {
  if (slotOfVerification(id) !== slotOfAccount(accountId)) throw new Denial('not-found')
  const verification = await readVerification(deps.slots.databaseOf(slotOfAccount(accountId)), id)
  if (verification?.accountId !== accountId) throw new Denial('not-found')
  const number = await findPhone(deps, accountId)
  const serviceId = await findTestService(deps, actor, accountId)
  const { mode } = verification
  const request =
    mode === 'inbound'
      ? ({ method: 'inboundCallWaiting', mode: 'flash' } as const)
      : ({ method: 'initCall', mode } as const)
  return { ...(await deps.runHere(actor, { ...request, serviceId, phone: number })), number }
}

async function findPhone({ slots: { globalDatabase } }: Deps, accountId: AccountId): Promise<PhoneNumber> {
  const [known] = await listPhones(globalDatabase, accountId)
  const number = known?.number ?? (await addPhones(globalDatabase, accountId, { count: 1, max: phonesMax }))
  if (number === undefined) throw new Denial('too-many')
  return number
}
