import type { WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import type { Actor } from '../../db/core/action-log.ts'
import { addPhones, listPhones } from '../../db/phones/virtual-phone.ts'
import { readVerification } from '../../db/verifications/verification.ts'
import { type AccountId, slotOfAccount, slotOfVerification, type VerificationId } from '../../domain/core/slot.ts'
import type { PhoneNumber } from '../../domain/numbers/phone-number.ts'
import { phonesMax } from '../../domain/phones/virtual-phone.ts'
import { Denial } from '../../process/errors.ts'
import { findTestService } from '../accounts/find-test-service.ts'

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
