// How long a session lasts. It ends when it was idle for too long, or at its absolute age. Operators have shorter limits, because
// they can reach every account.

import type { OperatorRole } from '@ringproof/contract/web/access.ts'
import { challengeSeconds } from './passkey.ts'

export type SessionLimits = { readonly idleSeconds: number; readonly ageSeconds: number }

const hour = 3_600
export const customerLimits: SessionLimits = { idleSeconds: 12 * hour, ageSeconds: 30 * 24 * hour }
export const operatorLimits: SessionLimits = { idleSeconds: hour / 2, ageSeconds: 12 * hour }

// Between the password and the second step.
export const secondStepSeconds = 600
// Guarded changes are possible for this long after the person has shown the password or a factor.
export const confirmedSeconds = 600

// How long an operator looks at a customer's dashboard with one reason.
export const viewSeconds = 1_800

export function limitsFor(operatorRole: OperatorRole | null): SessionLimits {
  return operatorRole === null ? customerLimits : operatorLimits
}

// How long links work.
export const linkSeconds = {
  'sign-up': 24 * hour,
  reset: hour,
  invitation: 7 * 24 * hour,
  operator: 24 * hour,
  telegram: 600,
  challenge: challengeSeconds,
  'own-phone': 600,
} as const
export type LinkKind = keyof typeof linkSeconds
