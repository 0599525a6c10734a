// Combines concurrent requests into batches: one function call, one commit. A lone request starts at the end of the current
// event loop turn; while a batch is in flight, new requests wait and form the next one. So a lone request has no added
// latency, and batches grow under load. One batch at a time per kind is enough for one process, and keeps at most one CPU
// core of the database busy.
//
// Where no request waits for the result, a batch may gather: it leaves a while after its first item, or when it is full. While fewer
// items come than gatherPerSecond, there is nothing to gather, and each leaves at once.
//
// A slow batch is not waited for: its connection may be dead. After 250 ms the next batch starts beside it on another
// connection, up to batchesMax. So a dead connection costs the requests of one batch only.
//
// A batch fails as a whole, unless it returns promises: then each item succeeds or fails separately.

import { createClock, endOfTurn } from '../../process/clock.ts'

export type MicroBatch<I, O> = (item: I) => Promise<O>

type Run<I, O> = (items: readonly I[]) => Promise<readonly (O | Promise<O>)[]>
type Waiting<I, O> = {
  readonly item: I
  readonly leavesAtMs: number
  readonly resolve: (result: O | PromiseLike<O>) => void
  readonly reject: (error: unknown) => void
}

// Real time, not scaled: these are database timeouts.
const clock = createClock(1)

export const itemsMax = 64
// Much longer than a healthy batch takes, much shorter than a user waits.
export const timeoutMs = 250
export const batchesMax = 4
export const gatherPerSecond = 20

export function microBatch<I, O>(run: Run<I, O>, gatherMs = 0): MicroBatch<I, O> {
  const waiting: Waiting<I, O>[] = []
  const isBusy = createPace(gatherPerSecond)
  let inFlight = 0
  // Batches in flight for less than timeoutMs.
  let fresh = 0
  let isStarting = false
  let gathering: Gathering | undefined

  const mayStart = () => waiting.length > 0 && fresh === 0 && inFlight < batchesMax
  const isFull = () => waiting.length >= itemsMax

  async function startSoon(): Promise<void> {
    isStarting = true
    const leftMs = isFull() ? 0 : (waiting[0]?.leavesAtMs ?? 0) - clock.monotonicMs()
    if (leftMs > 0) {
      gathering = clock.deadline(leftMs)
      await gathering.over
      gathering = undefined
    } else {
      // Include the other requests of this turn: one turn handles data of many sockets.
      await endOfTurn()
    }
    isStarting = false
    start()
  }

  function start(): boolean {
    if (!mayStart()) return false
    inFlight += 1
    fresh += 1
    let isFresh = true
    const age = () => {
      if (isFresh) fresh -= 1
      isFresh = false
    }
    const timeout = clock.after(timeoutMs, () => {
      age()
      start()
    })
    const batch = waiting.splice(0, itemsMax)
    const end = async (): Promise<void> => {
      const settle = await runBatch(run, batch)
      timeout.stop()
      age()
      inFlight -= 1
      if (gatherMs > 0) startWhenGathered()
      // Start the next batch before settling this one: the requests continue while the database works.
      else if (start()) await endOfTurn()
      settle()
    }
    end().catch((error: unknown) => batch.forEach(({ reject }) => reject(error)))
    return true
  }

  function startWhenGathered(): void {
    if (!isStarting && mayStart()) startSoon().catch((error: unknown) => waiting.forEach(({ reject }) => reject(error)))
    if (isFull()) gathering?.stop()
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      const nowMs = clock.monotonicMs()
      waiting.push({ item, leavesAtMs: isBusy(nowMs) ? nowMs + gatherMs : 0, resolve, reject })
      startWhenGathered()
    })
}

type Gathering = ReturnType<typeof clock.deadline>

// At each event: whether there were at least so many in the second before it.
function createPace(perSecond: number): (nowMs: number) => boolean {
  const times = new Float64Array(perSecond).fill(Number.NEGATIVE_INFINITY)
  let next = 0
  return (nowMs) => {
    const isBusy = nowMs - (times[next] ?? 0) < 1_000
    times[next] = nowMs
    next = (next + 1) % perSecond
    return isBusy
  }
}

// Resolves when the batch is done, to a function that settles its items.
async function runBatch<I, O>(run: Run<I, O>, batch: readonly Waiting<I, O>[]): Promise<() => void> {
  try {
    const results = await run(batch.map(({ item }) => item))
    // Rejected promises are settled in a moment; until then they must not count as unhandled.
    for (const result of results) if (result instanceof Promise) result.catch(() => undefined)
    return () => {
      for (const [index, { resolve, reject }] of batch.entries()) {
        if (index < results.length) resolve(results[index] as O | Promise<O>)
        else reject(new Error('batch returned fewer results than items'))
      }
    }
  } catch (error) {
    return () => {
      for (const { reject } of batch) reject(error)
    }
  }
}
