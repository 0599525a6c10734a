// What the first and every further call of a ladder have in common: its plan's input, its accept, and its dispatch.

import { sharesDatabase } from '../../db/core/slot-map.ts'
import { isOwnPhone } from '../../db/phones/virtual-phone.ts'
import { isOptedOut } from '../../db/protection/opt-out.ts'
import { acceptOverShards } from '../../db/verifications/accept-over-shards.ts'
import type { AcceptedRung } from '../../db/verifications/ladder.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import type { PromptLanguage } from '../../domain/accounts/modes.ts'
import { slotOfAccount, type VerificationId } from '../../domain/core/slot.ts'
import { randomFraction } from '../../domain/crypto/random-fraction.ts'
import { nonceBytes } from '../../domain/crypto/sealing.ts'
import type { PhoneNumber } from '../../domain/numbers/phone-number.ts'
import type { RungRequest } from '../../domain/verifications/ladder.ts'
import type { LadderCommand, RungInput, RungPlan } from '../../domain/verifications/plan-ladder.ts'
import { Refusal } from '../../process/errors.ts'
import { dispatchOrUndo, type StartDeps } from './start-verification.ts'

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
  const { slots, randomBytes } = deps
  return {
    apiClient,
    command,
    code,
    secondsLeft,
    isOwnPhone: apiClient.isTest && (await isOwnPhone(slots.globalDatabase, apiClient, command.phone)),
    table: deps.routing(),
    index: deps.numbers(),
    keys: deps.keys,
    random: {
      code: randomFraction(randomBytes),
      route: randomFraction(randomBytes),
      probe: randomFraction(randomBytes),
      nonce: randomBytes(nonceBytes),
    },
    prefixHourMax: deps.prefixHourMax,
    isLocalShard: (slot) => sharesDatabase(slots, slot, slotOfAccount(apiClient.accountId)),
    queueFaultOf: deps.queueFaultOf,
    openOrdersOf: deps.openOrdersOf,
  }
}

// The step that accepts a call from the subscriber evaluates opt-outs in the account's database only.
export async function refuseOptOutElsewhere({ slots }: LadderDeps, { call, number }: RungPlan): Promise<void> {
  if ('mode' in call || call.optOutDigest || call.isTest) return
  if (await isOptedOut(slots.databaseOf(number.slot), number.optOutDigest)) throw new Refusal('phoneOptedOut')
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
