import type { ApiResponse } from '@ringproof/contract/responses.ts'
import type { CallBatches } from '../../db/verifications/call-batches.ts'
import type { Verification } from '../../db/verifications/verification.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import { secondOfVerification, type VerificationId } from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { unsealPerson } from '../../domain/verifications/person.ts'
import { freeRepeatsMax, repeatRefusalOf } from '../../domain/verifications/repeat.ts'
import { chargeOf } from '../../domain/verifications/verification.ts'
import { Refusal } from '../../process/errors.ts'

type Deps = {
  readonly batches: Pick<CallBatches, 'read'>
  readonly keys: { readonly sealRecords: KeyRing }
  readonly timeScale: number
}

// Another service's ID and an unknown ID get the same response.
export async function getInfo(deps: Deps, apiClient: ApiClient, uid: number): Promise<ApiResponse<'getInfo'>> {
  const id = uid as VerificationId
  const verification = await deps.batches.read(id)
  if (verification?.serviceId !== apiClient.serviceId) throw new Refusal('uidUnknown')
  // A call of a ladder is no verification of /v1.0.
  if (verification.ladderId !== null) throw new Refusal('uidUnknown')
  const person = unsealPerson(deps.keys.sealRecords, apiClient.serviceId, verification.personSealed)
  return {
    status: true,
    vendor_id: verification.id,
    init_time: secondOfVerification(id),
    call_status: callStatus(verification),
    ...repeatFields(verification, apiClient, deps.timeScale),
    ...(person.unique === undefined ? {} : { unique: person.unique }),
    client: person.client,
    phone: person.phoneMask,
    ...(verification.code === null ? {} : { code: verification.code }),
    country_code: verification.country,
    phone_info: verification.phoneInfo === null ? [] : [verification.phoneInfo],
    cost: toDecimal(chargeOf(verification)),
    balance: toDecimal(verification.balanceBefore),
  }
}

// Deprecated, and false where the service has no repeats.
function repeatFields(verification: Verification, apiClient: ApiClient, timeScale: number) {
  const { firstId, repeatIds } = verification
  const repeatable = apiClient.repeats && repeatRefusalOf(verification, apiClient, timeScale) === undefined
  return {
    is_repeated: firstId !== null,
    ...(firstId === null ? {} : { first_vendor_id: firstId }),
    repeatable,
    ...(repeatable ? { repeat_times: freeRepeatsMax - repeatIds.length } : {}),
    ...(repeatIds.length === 0 ? {} : { repeated_vendor_ids: [...repeatIds] }),
  }
}

function callStatus({ state }: Verification): -1 | 0 | 1 {
  if (state === 'succeeded') return 1
  return state === 'failed' ? 0 : -1
}
