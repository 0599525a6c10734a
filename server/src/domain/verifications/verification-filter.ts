// What verifications are filtered by: their lists, files, counts and charts. A number and a client are found by their digests.

import type { ServiceMode } from '../accounts/modes.ts'
import type { AccountId, IdRange, ServiceId, VerificationId } from '../core/slot.ts'
import type { VerificationState } from './verification.ts'

// Fields that counts are kept by, so that a chart shows what its list has.
export type CountedFilter = {
  readonly serviceId?: ServiceId | undefined
  readonly isTest?: boolean | undefined
  readonly states?: readonly VerificationState[] | undefined
  readonly mode?: ServiceMode | undefined
  readonly reason?: string | undefined
  readonly country?: string | undefined
  // The provider that serves the number now; empty: unknown.
  readonly provider?: string | undefined
  readonly trunk?: string | undefined
}

export type VerificationFilter = IdRange &
  CountedFilter & {
    readonly ids?: readonly VerificationId[] | undefined
    readonly accountId?: AccountId | undefined
    readonly sipStatus?: number | undefined
    // Reasons, those of refused calls with their SIP status: "refused 486".
    readonly ends?: readonly string[] | undefined
    readonly phoneHashes?: readonly Buffer[] | undefined
    readonly clientDigests?: readonly Buffer[] | undefined
  }
