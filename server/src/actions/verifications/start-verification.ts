// initCall. The plan refuses what can be refused from memory. Then one batched step in the database evaluates the
// idempotency key, caps, money and limits, and accepts. Then the call is dispatched, and only then does the client get its
// response. A failed dispatch undoes the accept, unless a worker has claimed the call by then.

import type { ApiResponse } from '@ringproof/contract/responses.ts'
import { mapLockTimeout } from '../../db/core/map-lock-timeout.ts'
import { sharesDatabase } from '../../db/core/slot-map.ts'
import { isOwnPhone } from '../../db/phones/virtual-phone.ts'
import { acceptOverShards } from '../../db/verifications/accept-over-shards.ts'
import type { Accepted, CallEnd } from '../../db/verifications/verification.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import { type Slot, slotOfAccount, type VerificationId } from '../../domain/core/slot.ts'
import { randomFraction } from '../../domain/crypto/random-fraction.ts'
import { nonceBytes } from '../../domain/crypto/sealing.ts'
import type { NumberingIndex } from '../../domain/numbers/numbering-index.ts'
import { mask, type PhoneNumber } from '../../domain/numbers/phone-number.ts'
import type { CallOrder } from '../../domain/verifications/call-order.ts'
import type { StartCommand } from '../../domain/verifications/call-request.ts'
import { type CallPlan, type OpenOrdersOf, planCall, type QueueFaultOf } from '../../domain/verifications/plan-call.ts'
import { refuseDecision } from '../../domain/verifications/refuse-decision.ts'
import { Refusal, unavailable } from '../../process/errors.ts'
import { findFirst, type ReplayDeps, replayVerification } from './replay-verification.ts'

export type StartDeps = ReplayDeps & {
  readonly numbers: () => NumberingIndex
  // Calls an hour to one prefix over all services.
  readonly prefixHourMax: number | undefined
  readonly queueFaultOf: QueueFaultOf
  readonly openOrdersOf: OpenOrdersOf
  // Keeps the number, sealed, while the call can be repeated. If it cannot be kept, the call just has no repeats.
  readonly keepForRepeat: (id: VerificationId, number: PhoneNumber) => Promise<void>
}

export async function startVerification(
  deps: StartDeps,
  apiClient: ApiClient,
  command: StartCommand,
): Promise<ApiResponse<'initCall'>> {
  let plan: CallPlan
  try {
    const isOwn = apiClient.isTest && (await isOwnPhone(deps.slots.globalDatabase, apiClient, command.phone))
    plan = planWith(deps, apiClient, command, isOwn)
  } catch (refusal) {
    // What changed since the first request does not take its result away. This is the only place that looks the
    // idempotency key up by itself.
    const id = refusal instanceof Refusal ? await findFirst(deps, apiClient, command) : undefined
    if (id === undefined) throw refusal
    return replayVerification(deps, { apiClient, command, id, refusal: refusal as Refusal })
  }
  const { accepted, numberLeaseId } = await mapLockTimeout(acceptPlan(deps, plan))
  const { decision, id } = accepted
  if (id === null || (decision !== 'accepted' && decision !== 'exists')) throw refuseDecision(accepted, apiClient)
  if (decision === 'exists') return replayVerification(deps, { apiClient, command, id })
  await dispatchOrUndo(deps, plan, {
    id,
    accountId: apiClient.accountId,
    attempt: 1,
    routes: plan.routes,
    mode: plan.request.mode,
    code: plan.code,
    language: apiClient.language,
    isTest: plan.isTest,
    destination: plan.destination,
    number: command.phone,
    numberLeaseId: numberLeaseId ?? id,
  })
  if (apiClient.repeats && command.repeatOf === undefined) await deps.keepForRepeat(id, command.phone)
  const { unique, client } = command
  const replayed = unique === undefined ? {} : { unique_request_id: unique, exists: false }
  return { status: true, vendor_id: id, phone: mask(command.phone), code: plan.code, client, ...replayed }
}

function planWith(deps: StartDeps, apiClient: ApiClient, command: StartCommand, isOwn: boolean): CallPlan {
  return planCall({ ...planParts(deps, apiClient), command, isOwnPhone: isOwn })
}

// What every plan of this client's calls takes from the process.
export function planParts(deps: Omit<StartDeps, 'keepForRepeat'>, apiClient: ApiClient) {
  const { slots, randomBytes } = deps
  return {
    apiClient,
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
    isLocalShard: (slot: Slot) => sharesDatabase(slots, slot, slotOfAccount(apiClient.accountId)),
    queueFaultOf: deps.queueFaultOf,
    openOrdersOf: deps.openOrdersOf,
  }
}

async function acceptPlan(
  deps: StartDeps,
  plan: CallPlan,
): Promise<{ accepted: Accepted; numberLeaseId: number | undefined }> {
  const { batches } = deps
  const accept = plan.request.firstId === undefined ? batches.accept : batches.acceptRepeat
  if (plan.isTest || plan.request.numberHashes)
    return { accepted: await accept(plan.request), numberLeaseId: undefined }
  return acceptOverShards(deps, plan.request, plan.number, accept)
}

type Undoable = Pick<CallPlan, 'isTest' | 'number'> & { readonly request: Pick<CallPlan['request'], 'numberHashes'> }

export async function dispatchOrUndo(
  deps: Pick<StartDeps, 'batches' | 'dispatchCall'>,
  plan: Undoable,
  order: CallOrder,
): Promise<void> {
  const { id, numberLeaseId } = order
  try {
    await deps.dispatchCall(order)
  } catch (error) {
    const end: CallEnd = {
      id,
      attempt: 0,
      succeeded: false,
      reason: 'not-dispatched',
      sipStatus: undefined,
      numberHashes: plan.request.numberHashes,
      numberLeaseId,
    }
    await deps.batches.undo(end)
    // The dispatch may have succeeded although its response was lost, and a retry may have returned the call already. In
    // both cases it was not undone.
    const kept = await deps.batches.read(id)
    if (kept !== undefined && (kept.state !== 'failed' || kept.attempt > 0)) return
    if (!plan.isTest && !plan.request.numberHashes) {
      await deps.batches.closeNumber({ ...plan.number, leaseId: numberLeaseId, givesBack: true })
    }
    throw unavailable('dispatch_failed', { cause: error })
  }
}
