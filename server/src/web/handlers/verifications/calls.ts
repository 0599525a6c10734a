// Calls of all customers, for operators.

import { operatorRights } from '@ringproof/contract/web/access.ts'
import type { WebInput } from '@ringproof/contract/web/api.ts'
import { type CallQuery, findCalls, listCalls, showCall } from '../../../actions/verifications/calls.ts'
import type { AccountId, VerificationId } from '../../../domain/core/slot.ts'
import { endsOfSide } from '../../../domain/verifications/call-explanation.ts'
import { sideNames } from '../../../domain/verifications/shown-status.ts'
import type { WebDeps } from '../core/deps.ts'
import { type HandlersOf, visitorOf } from '../core/handlers.ts'
import { idOfMs, statesOf } from './verifications.ts'

const pageRows = 50

export function callHandlers(deps: WebDeps): HandlersOf<'calls' | 'find-calls' | 'call'> {
  return {
    calls: async (_, input) => listCalls(deps, callQuery(input), pageRows),
    'find-calls': async (visit, { text }) => findCalls(deps, visit.actor, visitorOf(visit).user, text),
    call: async (visit, { id }) =>
      showCall(deps, operatorRights(visitorOf(visit).user.operatorRole), Number(id) as VerificationId),
  }
}

export function callQuery(input: WebInput<'calls'>): CallQuery {
  const { traffic, from, until, status, account, sip, side, ids, before, ...same } = input
  const untilId = until === undefined ? Number.MAX_SAFE_INTEGER : idOfMs(until)
  return {
    ...same,
    firstId: from === undefined ? 0 : idOfMs(from),
    endId: Math.min(untilId, before === undefined ? untilId : Number(before)),
    // Found by ID: whatever it is.
    isTest: ids === undefined ? traffic === 'test' : undefined,
    states: status && statesOf[status],
    accountId: account === undefined ? undefined : (Number(account) as AccountId),
    sipStatus: sip === undefined ? undefined : Number(sip),
    ends: side && endsOfSide(sideNames[side]),
    ids: ids?.split(',').map((id) => Number(id) as VerificationId),
  }
}
