// What a read-only link to statistics shows: the filter of the page when it was made. Times are milliseconds since 1970, so that the
// same link shows the same period for as long as it is valid.

import type { CallMode } from '@ringproof/contract/methods.ts'
import type { ServiceId } from '../slot.ts'

export type FrozenFilter = {
  readonly isTest: boolean
  readonly from: number
  readonly until: number
  // Undefined: the time before.
  readonly compared?: { readonly from: number; readonly until: number }
  readonly mode?: CallMode | 'inbound'
  readonly serviceId?: ServiceId
  readonly country?: string
  readonly provider?: string
}

// Of one account.
export const sharesMax = 20
