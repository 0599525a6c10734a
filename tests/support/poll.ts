// Waits for a condition that announces itself by no event.

import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'

type PollOptions = {
  // Generous: a slow machine must not fail a test that only waits.
  readonly timeoutMs?: number
  readonly intervalMs?: number
}

// What a reader gives back as soon as there is something.
type Found<T> = Exclude<T, undefined | null | false | 0 | ''>

// Reads again and again until the value is the wanted one, and returns it. `what` completes "timed out waiting for …".
export async function poll<T>(what: string, read: () => T | Promise<T>): Promise<Found<T>>
export async function poll<T>(
  what: string,
  read: () => T | Promise<T>,
  isWanted: (value: T) => boolean,
  options?: PollOptions,
): Promise<T>
export async function poll<T>(
  what: string,
  read: () => T | Promise<T>,
  isWanted: (value: T) => boolean = Boolean,
  { timeoutMs = 60_000, intervalMs = 20 }: PollOptions = {},
): Promise<T> {
  const deadlineMs = performance.now() + timeoutMs
  for (;;) {
    const value = await read()
    if (isWanted(value)) return value
    if (performance.now() > deadlineMs) {
      throw new Error(`timed out after ${timeoutMs} ms waiting for ${what}; the last value was ${inspect(value)}`)
    }
    // Reading without a pause would take CPU time from the awaited work.
    await sleep(intervalMs)
  }
}

// The same for an action that rejects until it succeeds: a server that does not listen yet.
export async function pollUntilResolved<T>(what: string, act: () => Promise<T>, options?: PollOptions): Promise<T> {
  const read = () =>
    act().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
  const result = await poll(what, read, (outcome) => 'value' in outcome, options)
  return (result as { value: T }).value
}
