// inboundCallWaiting. The plan refuses what can be refused from memory. Then one step in the database evaluates caps and
// money, picks a confirmation number that no pending request of the subscriber uses, and holds the price. Nothing is
// dispatched: the subscriber's call will find the request.

import type { ApiResponse } from '@ringproof/contract/responses.ts'
import { mapLockTimeout } from '../../db/core/map-lock-timeout.ts'
import { type SlotMap, sharesDatabase } from '../../db/core/slot-map.ts'
import { isOwnPhone } from '../../db/phones/virtual-phone.ts'
import { isOptedOut } from '../../db/protection/opt-out.ts'
import type { RoutingTable } from '../../db/trunks/routing-table.ts'
import type { CallBatches } from '../../db/verifications/call-batches.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import { slotOfAccount } from '../../domain/core/slot.ts'
import { randomFraction } from '../../domain/crypto/random-fraction.ts'
import { nonceBytes } from '../../domain/crypto/sealing.ts'
import type { NumberingIndex } from '../../domain/numbers/numbering-index.ts'
import { mask } from '../../domain/numbers/phone-number.ts'
import type { InboundCommand } from '../../domain/verifications/call-request.ts'
import type { PlanKeys } from '../../domain/verifications/plan-call.ts'
import { type InboundPlan, planInboundRequest, type WaitPlan } from '../../domain/verifications/plan-inbound-request.ts'
import { refuseDecision } from '../../domain/verifications/refuse-decision.ts'
import { Refusal } from '../../process/errors.ts'

export type InboundDeps = {
  readonly slots: SlotMap
  readonly batches: Pick<CallBatches, 'startInbound'>
  readonly routing: () => RoutingTable
  readonly numbers: () => NumberingIndex
  readonly keys: PlanKeys
  readonly randomBytes: (bytes: number) => Uint8Array
  // Networks of the operator that webhooks may reach although they are not public.
  readonly webhookAllow: readonly string[]
}

export async function startInboundVerification(
  deps: InboundDeps,
  apiClient: ApiClient,
  command: InboundCommand,
): Promise<ApiResponse<'inboundCallWaiting'>> {
  const isOwn = await isOwnPhone(deps.slots.globalDatabase, apiClient, command.phone)
  const plan = planWith(deps, apiClient, command, isOwn)
  await refuseOptOutInOtherShard(deps, plan)
  const started = await mapLockTimeout(deps.batches.startInbound(plan.request))
  if (started.decision !== 'accepted') throw refuseDecision(started, apiClient)
  return {
    status: true,
    vendor_id: started.id,
    phone: mask(command.phone),
    confirmation_number: String(started.confirmationNumber),
  }
}

function planWith(deps: InboundDeps, apiClient: ApiClient, command: InboundCommand, isOwn: boolean): InboundPlan {
  const { slots, randomBytes } = deps
  return planInboundRequest({
    apiClient,
    command,
    isOwnPhone: isOwn,
    table: deps.routing(),
    index: deps.numbers(),
    keys: deps.keys,
    random: {
      candidate: randomFraction(randomBytes),
      personNonce: randomBytes(nonceBytes),
      callbackNonce: randomBytes(nonceBytes),
    },
    webhookAllow: deps.webhookAllow,
    isLocalShard: (slot) => sharesDatabase(slots, slot, slotOfAccount(apiClient.accountId)),
  })
}

// The step that starts the request evaluates opt-outs in the account's database only.
export async function refuseOptOutInOtherShard(
  { slots }: Pick<InboundDeps, 'slots'>,
  { request, number }: WaitPlan,
): Promise<void> {
  if (request.optOutDigest || request.isTest) return
  if (await isOptedOut(slots.databaseOf(number.slot), number.optOutDigest)) throw new Refusal('phoneOptedOut')
}
