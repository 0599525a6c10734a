// How often a person may be called, over all accounts and services: one call at a time, a cooldown from one acceptance to the
// next, and a limit for any 24 hours. Within that, each service has its own limits for a number: calls in ten minutes and calls in
// a day. Windows slide; a call counts while less than the window has passed since it was accepted.
//
// The SQL functions in db/functions/ decide, with these constants in db/functions/rules.sql, which `npm run generate` writes. tests/support/model/number-limits.ts states the same rules with these constants,
// and tests/integration/model.test.ts compares decisions, waits and rows after every random step.

import { cooldownSeconds } from '@ringproof/contract/limits.ts'

export const cooldownMs = cooldownSeconds * 1_000
export const callsPerDayOverAll = 30

// The shorter of the two windows in which a service has a limit for a number.
export const shortWindowMs = 600_000

// A number in another database than the account is reserved first. The lease outlasts every call accepted within this time.
export const reservationMs = 5_000
