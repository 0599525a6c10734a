// The only source of time in the process. Deadlines, limits and IDs use PostgreSQL's clock; this one measures durations and
// waits. The time of day is only for comparison with PostgreSQL's. All product durations are multiplied by timeScale, so that
// tests need not wait minutes.

export type Clock = {
  // Milliseconds on a monotonic clock, unaffected by changes of the system time.
  readonly monotonicMs: () => number
  // Milliseconds since 1970, by this machine's clock.
  readonly timeOfDayMs: () => number
  // Calls repeatedly until stopped. Does not keep the process alive.
  readonly every: (intervalMs: number, work: () => void) => { readonly stop: () => void }
  // Calls once, unless stopped first. Does not keep the process alive.
  readonly after: (durationMs: number, work: () => void) => { readonly stop: () => void }
  // Resolves after the time, or at once if the signal is aborted.
  readonly sleep: (durationMs: number, signal: AbortSignal) => Promise<void>
  // Between two rounds of a loop that polls: a sleep of at least a quarter of a second of real time, so that a process whose clock
  // runs fast does not read its tables fifty times a second.
  readonly pause: (durationMs: number, signal: AbortSignal) => Promise<void>
  // Resolves after the time, or at once when stopped. Keeps the process alive. Takes a fraction of the memory of a sleep.
  readonly deadline: (durationMs: number) => { readonly over: Promise<void>; readonly stop: () => void }
  // A product duration in real milliseconds.
  readonly scaledMs: (durationMs: number) => number
}

const pauseMsMin = 250

export function createClock(timeScale: number): Clock {
  const scaledMs = (durationMs: number) => Math.max(1, Math.round(durationMs * timeScale))
  const sleepMs = (realMs: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) return resolve()
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, realMs)
      signal.addEventListener('abort', done)
    })
  return {
    monotonicMs: () => performance.now(),
    timeOfDayMs: () => Date.now(),
    every: (intervalMs, work) => {
      const timer = setInterval(work, scaledMs(intervalMs)).unref()
      return { stop: () => clearInterval(timer) }
    },
    after: (durationMs, work) => {
      const timer = setTimeout(work, scaledMs(durationMs)).unref()
      return { stop: () => clearTimeout(timer) }
    },
    sleep: (durationMs, signal) => sleepMs(scaledMs(durationMs), signal),
    pause: (durationMs, signal) => sleepMs(Math.max(pauseMsMin, scaledMs(durationMs)), signal),
    deadline: (durationMs) => {
      const { promise: over, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, scaledMs(durationMs))
      const stop = () => {
        clearTimeout(timer)
        resolve()
      }
      return { over, stop }
    },
    scaledMs,
  }
}

// The result of the work, or what is said of its failure. It fails when it takes longer; the signal then asks it to stop.
export async function withTimeLimit<T>(
  clock: Clock,
  limitMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  failed: (error: unknown) => T,
): Promise<T> {
  const over = new AbortController()
  const late = Promise.withResolvers<never>()
  const limit = clock.after(limitMs, () => {
    late.reject(new Error(`no result within ${limitMs / 1_000} s`))
    over.abort()
  })
  try {
    return await Promise.race([work(over.signal), late.promise])
  } catch (error) {
    return failed(error)
  } finally {
    limit.stop()
  }
}

// By the system clock, which may jump; for the age of files, which uses it too.
export function wallMs(): number {
  return Date.now()
}

// Resolves after all events of the current event loop turn have been handled, without a timer delay.
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
