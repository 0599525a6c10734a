// Plans a call start as the API does and asks the database whether it would accept it. Nothing is dispatched, charged or counted.
// Left out is what does not belong to the service: the key, the rate of the address, and the load of the installation.

import { mapLockTimeout } from '../../db/core/map-lock-timeout.ts'
import { type SlotMap, sharesDatabase } from '../../db/core/slot-map.ts'
import { isOwnPhone } from '../../db/phones/virtual-phone.ts'
import { tryCall } from '../../db/verifications/try-call.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import { slotOfAccount } from '../../domain/core/slot.ts'
import { randomFraction } from '../../domain/crypto/random-fraction.ts'
import { nonceBytes } from '../../domain/crypto/sealing.ts'
import type { NumberingIndex } from '../../domain/numbers/numbering-index.ts'
import { readPhoneNumber } from '../../domain/numbers/phone-number.ts'
import { misspellingOf, uncallable } from '../../domain/numbers/uncallable.ts'
import { type CallPlan, type CallTable, type PlanKeys, planCall } from '../../domain/verifications/plan-call.ts'
import { refuseDecision } from '../../domain/verifications/refuse-decision.ts'
import type { StartCommand } from '../../domain/verifications/start-command.ts'
import { Refusal } from '../../process/errors.ts'

export type TryStartDeps = {
  readonly slots: SlotMap
  readonly keys: PlanKeys
  readonly numbers: () => NumberingIndex
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly prefixHourMax: number | undefined
  readonly timeScale: number
}

type Command = Pick<StartCommand, 'mode' | 'code'> & { readonly phone: string }

export type TriedStart = {
  // Undefined if the plan refused it.
  readonly plan: CallPlan | undefined
  // What the database decided, if it was asked.
  readonly decision: string | undefined
  readonly refusal: Refusal | undefined
}

// `checks` are refusals before the plan. Without an account of the database nothing is asked there.
export async function tryStart(
  deps: TryStartDeps,
  table: CallTable,
  apiClient: ApiClient,
  command: Command,
  { checks = () => undefined, isKnown = true }: { readonly checks?: () => void; readonly isKnown?: boolean } = {},
): Promise<TriedStart> {
  let plan: CallPlan | undefined
  let decision: string | undefined
  try {
    checks()
    plan = await planStart(deps, table, apiClient, command)
    if (!isKnown) return { plan, decision, refusal: undefined }
    const decided = await mapLockTimeout(tryCall(deps, plan.request, plan.number))
    decision = decided.decision
    if (decision !== 'accepted') throw refuseDecision(decided, apiClient)
    return { plan, decision, refusal: undefined }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { plan, decision, refusal: error }
  }
}

async function planStart(
  deps: TryStartDeps,
  table: CallTable,
  apiClient: ApiClient,
  { phone: text, mode, code }: Command,
): Promise<CallPlan> {
  const { slots, randomBytes } = deps
  const phone = readPhoneNumber(text)
  if (phone === undefined) throw uncallable(misspellingOf(text))
  return planCall({
    apiClient,
    command: { phone, code, client: '', unique: undefined, mode },
    isOwnPhone: await isOwnPhone(slots.globalDatabase, apiClient, phone),
    table,
    index: deps.numbers(),
    keys: deps.keys,
    random: {
      code: randomFraction(randomBytes),
      route: randomFraction(randomBytes),
      // As most calls go.
      probe: 0.999,
      nonce: randomBytes(nonceBytes),
    },
    prefixHourMax: deps.prefixHourMax,
    isLocalShard: (slot) => sharesDatabase(slots, slot, slotOfAccount(apiClient.accountId)),
    // How full the queue is belongs to the moment.
    queueFaultOf: () => undefined,
    openOrdersOf: () => 0,
  })
}
