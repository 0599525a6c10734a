import { type Actor, logAction } from '../../db/core/action-log.ts'
import type { PhoneNumber } from '../../domain/numbers/phone-number.ts'
import { findPersonalData, type PersonalData, type PersonalDataDeps } from './find-personal-data.ts'

type Command = { readonly phone: PhoneNumber; readonly reference: string | undefined }

// Everything that is stored about a person, to be handed out. That it was handed out is logged, without the number.
export async function exportPersonalData(
  deps: PersonalDataDeps,
  actor: Actor,
  { phone, reference }: Command,
): Promise<PersonalData> {
  const data = await findPersonalData(deps, phone)
  const details = { verifications: data.verifications.length, ...(reference === undefined ? {} : { reference }) }
  await logAction(deps.slots.globalDatabase, actor, { accountId: null, action: 'personal data exported', details })
  return data
}
