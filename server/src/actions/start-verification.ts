// initCall: what is cheap to refuse is refused first and without the database; then one batched step in the database evaluates
// key, caps, money and limits and accepts; then the call is dispatched, and only then is the client answered. A dispatch
// that fails takes the accept back, unless a worker has claimed the call by then.

import type { ApiResponse } from '@ringproof/contract/responses.ts'
import { closeNumber } from '../db/number-limits.ts'
import type { Accepted, CallEnd } from '../db/verification.ts'
import type { ApiClient } from '../domain/accounts/api-client.ts'
import type { CallOrder } from '../domain/calls/call-order.ts'
import type { StartCommand } from '../domain/calls/start-command.ts'
import { mask } from '../domain/numbers/phone-number.ts'
import { Refusal } from '../errors.ts'
import { acceptOverShards } from './accept-over-shards.ts'
import { mapLockTimeout } from './map-lock-timeout.ts'
import { orderOf, type Plan, planCall, type StartDeps } from './plan-call.ts'
import { refuseDecision } from './refuse-decision.ts'
import { findFirst, replayVerification } from './replay-verification.ts'

export async function startVerification(
  deps: StartDeps,
  apiClient: ApiClient,
  command: StartCommand,
): Promise<ApiResponse<'initCall'>> {
  let plan: Plan
  try {
    plan = planCall(deps, apiClient, command)
  } catch (refusal) {
    // What has changed since the first request is no reason to refuse it its result: only here is the key looked up apart.
    const id = refusal instanceof Refusal ? await findFirst(deps, apiClient, command) : undefined
    if (id === undefined) throw refusal
    return replayVerification(deps, apiClient, command, id, refusal as Refusal)
  }
  const { accepted, numberLeaseId } = await mapLockTimeout(accept(deps, plan))
  const { decision, id } = accepted
  if (id === null || (decision !== 'accepted' && decision !== 'exists')) throw refuseDecision(accepted, apiClient)
  if (decision === 'exists') return replayVerification(deps, apiClient, command, id)
  await dispatchOrUndo(deps, plan, orderOf(apiClient, command, plan, id, numberLeaseId ?? id))
  const { unique, client } = command
  const replayed = unique === undefined ? {} : { unique_request_id: unique, exists: false }
  return { status: true, vendor_id: id, phone: mask(command.phone), code: plan.code, client, ...replayed }
}

async function accept(deps: StartDeps, plan: Plan): Promise<{ accepted: Accepted; numberLeaseId: number | undefined }> {
  if (plan.isTest || plan.request.numberHashes) {
    return { accepted: await deps.batches.accept(plan.request), numberLeaseId: undefined }
  }
  return acceptOverShards(deps, plan)
}

async function dispatchOrUndo(deps: StartDeps, plan: Plan, order: CallOrder): Promise<void> {
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
    // A dispatch whose response was lost may have come through all the same, and a retry may have been answered with the call:
    // then it was not undone.
    const kept = await deps.batches.read(id)
    if (kept !== undefined && (kept.state !== 'failed' || kept.attempt > 0)) return
    if (!plan.isTest && !plan.request.numberHashes) {
      await closeNumber(deps.slots.databaseOf(plan.numberSlot), plan.numberHashes, numberLeaseId, true)
    }
    throw new Refusal('unavailable', {}, 5, { cause: error })
  }
}
