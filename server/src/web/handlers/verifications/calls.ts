// Calls of all customers, for operators.

import { operatorRights } from '@ringproof/contract/web/access.ts'
import type { WebInput } from '@ringproof/contract/web/api.ts'
import { findCalls, listCalls, showCall } from '../../../actions/verifications/calls.ts'
import type { VerificationId } from '../../../domain/core/slot.ts'
import type { VerificationFilter } from '../../../domain/verifications/verification-filter.ts'
import type { WebDeps } from '../core/deps.ts'
import { type Handlers, visitorOf } from '../core/handlers.ts'
import { verificationFilter } from './verification-filter.ts'

const pageRows = 50

export function callHandlers(deps: WebDeps) {
  return {
    calls: async (_, input) => listCalls(deps, callFilter(input), pageRows),
    'find-calls': async (visit, { text }) => findCalls(deps, visit.actor, visitorOf(visit).user, text),
    call: async (visit, { id }) =>
      showCall(deps, operatorRights(visitorOf(visit).user.operatorRole), Number(id) as VerificationId),
  } satisfies Partial<Handlers>
}

// Found by ID: whatever it is.
export function callFilter(input: WebInput<'calls'>): VerificationFilter {
  const filter = verificationFilter(input)
  return filter.ids === undefined ? filter : { ...filter, isTest: undefined }
}
