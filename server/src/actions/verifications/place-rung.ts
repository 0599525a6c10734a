// What the first and every further call of a ladder have in common: its plan's input, its accept, and its dispatch.

import { isOwnPhone } from '../../db/phones/virtual-phone.ts'
import { acceptOverShards } from '../../db/verifications/accept-over-shards.ts'
import type { AcceptedRung } from '../../db/verifications/ladder.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import type { PromptLanguage } from '../../domain/accounts/modes.ts'
import type { VerificationId } from '../../domain/core/slot.ts'
import type { PhoneNumber } from '../../domain/numbers/phone-number.ts'
import type { RungRequest } from '../../domain/verifications/ladder.ts'
import type { LadderCommand, RungInput, RungPlan } from '../../domain/verifications/plan-ladder.ts'
import { refuseOptOutInOtherShard } from './start-inbound-verification.ts'
import { dispatchOrUndo, planParts, type StartDeps } from './start-verification.ts'

export type LadderDeps = Omit<StartDeps, 'keepForRepeat'> & {
  // Numbers of ladders, sealed, outside the database.
  readonly vault: {
    readonly put: (number: PhoneNumber) => Promise<string>
    readonly read: (name: string) => Promise<PhoneNumber | undefined>
    readonly erase: (name: string) => Promise<void>
  }
}

export async function rungInput(
  deps: LadderDeps,
  apiClient: ApiClient,
  command: LadderCommand,
  { code, secondsLeft }: Pick<RungInput, 'code' | 'secondsLeft'>,
): Promise<RungInput> {
  const isOwn = apiClient.isTest && (await isOwnPhone(deps.slots.globalDatabase, apiClient, command.phone))
  return { ...planParts(deps, apiClient), command, code, secondsLeft, isOwnPhone: isOwn }
}

export async function refuseOptOutElsewhere({ slots }: LadderDeps, { call, number }: RungPlan): Promise<void> {
  if (!('mode' in call)) await refuseOptOutInOtherShard({ slots }, { request: call, number })
}

type Decided<D> = Pick<AcceptedRung<D>, 'decision' | 'id' | 'retryMs'>

export async function acceptRungPlan<D extends string>(
  deps: LadderDeps,
  { call, number }: RungPlan,
  accept: (call: RungRequest) => Promise<Decided<D>>,
): Promise<{ readonly accepted: Decided<D>; readonly numberLeaseId: number | undefined }> {
  if (!('mode' in call) || call.isTest || call.numberHashes) {
    return { accepted: await accept(call), numberLeaseId: undefined }
  }
  return acceptOverShards(deps, call, number, accept)
}

type Dispatched = {
  readonly id: VerificationId
  readonly numberLeaseId: number | undefined
  readonly phone: PhoneNumber
  readonly language: PromptLanguage
}

export async function dispatchRung(
  deps: LadderDeps,
  { accountId }: ApiClient,
  { call, number, order }: RungPlan,
  { id, numberLeaseId, phone, language }: Dispatched,
): Promise<void> {
  if (!order || !('mode' in call)) return
  const { isTest } = order
  await dispatchOrUndo(
    deps,
    { isTest, number, request: call },
    {
      ...order,
      id,
      accountId,
      attempt: 1,
      language,
      number: phone,
      numberLeaseId: numberLeaseId ?? id,
      ladder: true,
    },
  )
}
