import type { SlotMap } from '../../db/core/slot-map.ts'
import { type ApiRequestDetail, readApiRequest } from '../../db/requests/api-request.ts'
import { readVerification, type Verification } from '../../db/verifications/verification.ts'
import { slotOfAccount } from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { curlCommand, type KnownValues, requestText, responseText } from '../../domain/requests/show-request.ts'
import { maySeeCode } from '../../domain/verifications/code-visibility.ts'
import { unsealPerson } from '../../domain/verifications/person.ts'
import type { OwnReader } from '../people/find-visitor.ts'

type Deps = { readonly slots: SlotMap; readonly recordKeys: KeyRing; readonly nowSeconds: () => number }

type Shown = {
  readonly row: ApiRequestDetail
  readonly requestText: string
  readonly responseText: string
  readonly curl: string
}

// One request by its X-Request-Id; undefined if the account has none, or it is kept no longer.
export async function showApiRequest(
  deps: Deps,
  { accountId, rights }: OwnReader,
  id: string,
  publicUrl: string,
): Promise<Shown | undefined> {
  const database = deps.slots.databaseOf(slotOfAccount(accountId))
  const row = await readApiRequest(database, accountId, id)
  if (!row) return undefined
  const { verificationId } = row
  const found = verificationId === null ? undefined : await readVerification(database, verificationId)
  const known = found?.accountId === accountId ? knownValues(deps, found, rights) : {}
  return {
    row,
    requestText: requestText(row, known),
    responseText: responseText(row, known),
    curl: curlCommand(row, publicUrl),
  }
}

function knownValues(
  { recordKeys, nowSeconds }: Deps,
  verification: Verification,
  rights: OwnReader['rights'],
): KnownValues {
  const { id, serviceId, personSealed, code, mode, callerNumber } = verification
  const { phoneMask, client, unique } = unsealPerson(recordKeys, serviceId, personSealed)
  const isOpen = maySeeCode(verification, rights, nowSeconds() * 1_000)
  return {
    phone: phoneMask,
    client,
    unique,
    unique_request_id: unique,
    uid: id,
    ...(isOpen && code !== null && { code }),
    ...(isOpen && mode === 'inbound' && callerNumber !== null && { confirmation_number: String(callerNumber) }),
  }
}
