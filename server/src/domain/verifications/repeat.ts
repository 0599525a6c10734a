// Free repeats of a call, for services that have them on (initRepeat). A repeat is a separate verification with the code and
// the number of the first one, at no price. It obeys every limit of a call.

import { repeatMinutes } from '@ringproof/contract/limits.ts'
import type { ApiClient } from '../accounts/api-client.ts'
import type { VerificationId } from '../core/slot.ts'
import { minuteMs } from '../values/time.ts'
import { cooldownMs } from './number-limits.ts'
import type { VerificationState } from './verification.ts'

export const freeRepeatsMax = 2
// Counted from the acceptance of the first call. The sealed number is kept as long.
export const repeatWindowMs = repeatMinutes * minuteMs

type RepeatableCall = {
  readonly mode: string
  // Set for a call of a ladder.
  readonly ladderId: VerificationId | null
  readonly state: VerificationState
  readonly isTest: boolean
  readonly acceptedAgoMs: number
  // Set for a repeat.
  readonly firstId: VerificationId | null
  readonly repeatIds: readonly VerificationId[]
}

// Why the call cannot be repeated now. Undefined: it can.
export function repeatRefusalOf(
  first: RepeatableCall,
  { testNumbers }: Pick<ApiClient, 'testNumbers'>,
  timeScale: number,
): 'notRepeatable' | 'repeatTooLate' | 'repeatLimitReached' | 'numberCooldown' | undefined {
  if (first.mode === 'inbound' || first.ladderId !== null || first.firstId !== null) return 'notRepeatable'
  if (first.isTest && !testNumbers) return 'notRepeatable'
  if (first.repeatIds.length >= freeRepeatsMax) return 'repeatLimitReached'
  if (first.acceptedAgoMs > repeatWindowMs * timeScale) return 'repeatTooLate'
  return first.state === 'accepted' || first.state === 'dialling' ? 'numberCooldown' : undefined
}

// When a repeat that came while its first call is in progress can be sent again: a call may also outlast the cooldown.
export function repeatWaitSeconds({ acceptedAgoMs }: RepeatableCall, timeScale: number): number {
  return Math.max(1, Math.ceil((cooldownMs * timeScale - acceptedAgoMs) / 1000))
}
