// Verifications of an account: the list, the chart above it, one of them.

import type { WebInput } from '@ringproof/contract/web/api.ts'
import { showOwnVerification } from '../../../actions/verifications/own-verification-view.ts'
import {
  countOwnVerifications,
  digestsOf,
  findOwnVerifications,
  listOwnVerifications,
  type OwnFilter,
} from '../../../actions/verifications/own-verifications-view.ts'
import { repeatAsTest } from '../../../actions/verifications/repeat-verification.ts'
import type { CountFilter } from '../../../db/verifications/call-counts.ts'
import { firstIdOfSecond, type ServiceId, type VerificationId } from '../../../domain/core/slot.ts'
import { dayMs, hourMs } from '../../../domain/values/time.ts'
import { actorOf } from '../accounts/own-service.ts'
import type { WebDeps } from '../core/deps.ts'
import { accountOf, type HandlersOf, readerOf } from '../core/handlers.ts'

type Names = 'verifications' | 'verification-counts' | 'find-verifications' | 'verification' | 'repeat-as-test'
type Filters = WebInput<'verification-counts'>

const pageRows = 50
// Half a year and a year are asked for by day.
const rangeMsMax = 400 * dayMs

export function verificationHandlers(deps: WebDeps): HandlersOf<Names> {
  const nowMs = () => deps.nowSeconds() * 1_000
  return {
    verifications: async (visit, input) =>
      listOwnVerifications(deps, readerOf(visit.visitor), listFilter(input), pageRows),
    'verification-counts': async (visit, input) =>
      countOwnVerifications(deps, countFilter(accountOf(visit), input, nowMs())),
    'find-verifications': async (visit, { text }) => findOwnVerifications(deps, accountOf(visit), text),
    verification: async (visit, { id }) =>
      showOwnVerification(deps, readerOf(visit.visitor), Number(id) as VerificationId),
    'repeat-as-test': async (visit, { id }) => {
      const repeated = await repeatAsTest(deps, actorOf(visit), accountOf(visit), id as VerificationId)
      deps.noteChange(accountOf(visit), 'phones')
      return repeated
    },
  }
}

export const statesOf = {
  succeeded: ['succeeded'],
  failed: ['failed'],
  open: ['accepted', 'dialling'],
} as const

export function listFilter(input: WebInput<'verifications'>): OwnFilter {
  const { traffic, from, until, status, service, number, client, ids, before, ...same } = input
  const untilId = until === undefined ? Number.MAX_SAFE_INTEGER : idOfMs(until)
  return {
    ...same,
    firstId: from === undefined ? 0 : idOfMs(from),
    endId: Math.min(untilId, before === undefined ? untilId : Number(before)),
    isTest: traffic === 'test',
    states: status && statesOf[status],
    serviceId: service === undefined ? undefined : (Number(service) as ServiceId),
    phoneHashes: number === undefined ? undefined : digestsOf(number),
    clientDigests: client === undefined ? undefined : digestsOf(client),
    ids: ids?.split(',').map((id) => Number(id) as VerificationId),
  }
}

export function idOfMs(ms: string): number {
  return firstIdOfSecond(Math.ceil(Number(ms) / 1_000))
}

// Whole hours; the last day unless the address says otherwise.
export function countFilter(accountId: CountFilter['accountId'], input: Filters, nowMs: number): CountFilter {
  const { traffic, from, until, status, service, mode, country, provider, trunk, reason } = input
  const untilMs = Math.ceil(Math.min(Number(until ?? nowMs), nowMs + hourMs) / hourMs) * hourMs
  const fromMs = Math.floor(Math.max(Number(from ?? untilMs - dayMs), untilMs - rangeMsMax) / hourMs) * hourMs
  return {
    accountId,
    from: new Date(Math.min(fromMs, untilMs)),
    until: new Date(untilMs),
    isTest: traffic === 'test',
    states: status && statesOf[status],
    serviceId: service === undefined ? undefined : (Number(service) as ServiceId),
    mode,
    country,
    provider,
    trunk,
    reason,
  }
}
