// What a verification cost. A failed call is free, unless the tariff charges failed calls. Even then a call that never reached
// a carrier is free: it did not happen.

import { type MicroAmount, zeroMoney } from '../money/money.ts'
import type { OutcomeReason } from './call-outcome.ts'
import type { VerificationState } from './verification.ts'

// Outcomes of calls that a carrier has taken. In SQL: charged_failures() in db/functions/rules.sql.
export const chargedFailures: readonly OutcomeReason[] = [
  'not-answered',
  'hung-up-early',
  'broke-off',
  'announcement',
  'answered-unseen',
  'no-ringing',
  'refused',
]

type EndedCall = {
  readonly state: VerificationState
  readonly price: MicroAmount
  readonly chargesFailed: boolean
  readonly reason: string | null
}

// The price while the call is in progress: it is held.
export function chargeOf({ state, price, chargesFailed, reason }: EndedCall): MicroAmount {
  if (state !== 'failed') return price
  return chargesFailed && (chargedFailures as readonly (string | null)[]).includes(reason) ? price : zeroMoney
}
