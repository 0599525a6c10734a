// The only place that knows time. Deadlines, limits and ids of the database use PostgreSQL's clock; this one measures
// how long things take in this process, and waits. The time of day is for comparing it with PostgreSQL's. Every wait of the product is scaled, so that tests need not sit
// through minutes.

export type Clock = {
  // Milliseconds since some moment; never goes back, whatever happens to the clock on the wall.
  readonly monotonicMs: () => number
  // Milliseconds since 1970, by the clock of this machine.
  readonly timeOfDayMs: () => number
  // Calls again and again until stopped. It keeps no process alive.
  readonly every: (intervalMs: number, work: () => void) => { readonly stop: () => void }
  // Calls once, unless stopped before.
  readonly after: (durationMs: number, work: () => void) => { readonly stop: () => void }
  // Resolves after the time, or at once when the signal is aborted.
  readonly sleep: (durationMs: number, signal: AbortSignal) => Promise<void>
  // A duration of the product as it passes here.
  readonly scaledMs: (durationMs: number) => number
}

export function createClock(timeScale: number): Clock {
  const scaledMs = (durationMs: number) => Math.max(1, Math.round(durationMs * timeScale))
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
    sleep: (durationMs, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const done = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          resolve()
        }
        const timer = setTimeout(done, scaledMs(durationMs))
        signal.addEventListener('abort', done)
      }),
    scaledMs,
  }
}

// By the clock on the wall, which may jump; for the age of files, which goes by it, too.
export function wallMs(): number {
  return Date.now()
}

// When everything that came in this turn of the event loop has been looked at; no time passes for somebody who is alone.
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
