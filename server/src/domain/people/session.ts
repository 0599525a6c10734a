// How long a session lasts. It ends when it was idle for too long, or at its absolute age. Operators have shorter limits, because
// they can reach every account.

import type { OperatorRole } from '@ringproof/contract/web/access.ts'
import { days, hours, minutes, type Period, seconds, secondsOf } from '../values/period.ts'
import { retention } from '../values/retention.ts'
import { challengeSeconds } from './passkey.ts'

export type SessionLimits = { readonly idleSeconds: number; readonly ageSeconds: number }

export const customerLimits: SessionLimits = {
  idleSeconds: secondsOf(hours(12)),
  ageSeconds: secondsOf(retention.sessions.kept),
}

const operatorLimits: SessionLimits = {
  idleSeconds: secondsOf(minutes(30)),
  ageSeconds: secondsOf(hours(12)),
}

// Between the password and the second step.
export const secondStepSeconds = 600

// Guarded changes are possible for this long after the person has shown the password or a factor.
export const confirmedFor = minutes(10)

export const confirmedSeconds = secondsOf(confirmedFor)

// How long an operator looks at a customer's dashboard with one reason.
export const viewFor = minutes(30)

export const viewSeconds = secondsOf(viewFor)

export function limitsFor(operatorRole: OperatorRole | null): SessionLimits {
  return operatorRole === null ? customerLimits : operatorLimits
}

// How long links work, and codes that are stored as such.
export const linkLife = {
  'sign-up': hours(24),
  reset: hours(1),
  invitation: days(7),
  operator: hours(24),
  telegram: minutes(10),
  challenge: seconds(challengeSeconds),
  'own-phone': minutes(10),
} as const satisfies Readonly<Record<string, Period>>

export type LinkKind = keyof typeof linkLife

// The browser and system behind a user agent, in words that nobody can choose freely: they go into messages.

const browsers = [
  ['YaBrowser', 'Yandex Browser'],
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const

const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

// '' if neither is known.
export function browserName(userAgent: string): string {
  const of = (names: readonly (readonly [string, string])[]) => names.find(([mark]) => userAgent.includes(mark))?.[1]
  return [of(browsers), of(systems)].filter((name) => name !== undefined).join(', ')
}
