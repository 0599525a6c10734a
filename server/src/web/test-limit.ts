// How often the people of an account may test their settings. A test reveals a little about a number, such as whether it was called
// a moment ago: a person tests now and then, a program must not search.

import type { AccountId } from '../domain/core/slot.ts'
import type { Clock } from '../process/clock.ts'

const windowMs = 60_000
export const testsMax = 20
const accountsMax = 10_000

// Seconds to wait; undefined if the test may go on.
export function createTestLimit(clock: Pick<Clock, 'monotonicMs'>): (accountId: AccountId) => number | undefined {
  const windows = new Map<AccountId, { readonly startedMs: number; tests: number }>()
  return (accountId) => {
    const nowMs = clock.monotonicMs()
    const known = windows.get(accountId)
    const current = known && nowMs - known.startedMs < windowMs ? known : { startedMs: nowMs, tests: 0 }
    if (current.tests >= testsMax) return Math.ceil((current.startedMs + windowMs - nowMs) / 1_000)
    current.tests += 1
    if (windows.size >= accountsMax) windows.clear()
    windows.set(accountId, current)
    return undefined
  }
}
