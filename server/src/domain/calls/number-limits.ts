// How often a person may be called, over all accounts and services: one call at a time, 15 seconds from one acceptance to the
// next, 30 calls in any 24 hours. Within that, each service has its own limits for a number: calls in ten minutes and calls in
// a day. Windows slide; a call counts while less than the window has passed since it was accepted.
//
// The SQL functions in db/functions/ decide. tests/support/model/number-limits.ts states the same rules with these constants,
// and tests/integration/model.test.ts compares decisions, waits and rows after every random step.

export const cooldownMs = 15_000
export const callsPerDayOverAll = 30

// A number in another database than the account is reserved first. A reservation that is not confirmed lapses.
export const reservationMs = 5_000
