// Verifications of an account: the list, the chart above it, one of them.

import { showOwnVerification } from '../../../actions/verifications/own-verification-view.ts'
import {
  countOwnVerifications,
  findOwnVerifications,
  listOwnVerifications,
} from '../../../actions/verifications/own-verifications-view.ts'
import { repeatAsTest } from '../../../actions/verifications/repeat-verification.ts'
import type { VerificationId } from '../../../domain/core/slot.ts'
import type { WebDeps } from '../core/deps.ts'
import { accountOf, actorOf, type Handlers, readerOf } from '../core/handlers.ts'
import { countFilter, verificationFilter } from './verification-filter.ts'

const pageRows = 50

export function verificationHandlers(deps: WebDeps) {
  const nowMs = () => deps.nowSeconds() * 1_000
  return {
    verifications: async (visit, input) =>
      listOwnVerifications(deps, readerOf(visit.visitor), verificationFilter(input), pageRows),
    'verification-counts': async (visit, input) =>
      countOwnVerifications(deps, { ...countFilter(input, nowMs()), accountId: accountOf(visit) }),
    'find-verifications': async (visit, { text }) => findOwnVerifications(deps, accountOf(visit), text),
    verification: async (visit, { id }) =>
      showOwnVerification(deps, readerOf(visit.visitor), Number(id) as VerificationId),
    'repeat-as-test': async (visit, { id }) => {
      const repeated = await repeatAsTest(deps, actorOf(visit), accountOf(visit), id as VerificationId)
      deps.noteChange(accountOf(visit), 'phones')
      return repeated
    },
  } satisfies Partial<Handlers>
}
