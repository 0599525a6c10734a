// Requests that meet travel together: one function call, one commit. A lone request leaves at once, at the end of the turn
// of the event loop it came in; while a batch is under way, those that come wait for it and leave together. So waiting for
// company costs nothing when there is none, and batches grow by themselves under load. One batch at a time is enough for all
// that a process can ask of a kind, and keeps no more than one of the database's CPU cores busy with it.
//
// A batch that takes long is not waited for: its connection may be silent. After a moment the next one leaves beside it, over
// another connection, up to a bound. So a connection that gives no answer costs the requests of one batch, and no others.
//
// A batch fails as a whole, unless it gives back promises: then each of its items comes to its own end.

import { createClock, endOfTurn } from '../clock.ts'

export type MicroBatch<I, O> = (item: I) => Promise<O>

type Run<I, O> = (items: readonly I[]) => Promise<readonly (O | Promise<O>)[]>
type Waiting<I, O> = {
  readonly item: I
  readonly resolve: (result: O | PromiseLike<O>) => void
  readonly reject: (error: unknown) => void
}

// Real time, whatever the scale of the product's.
const clock = createClock(1)

export const itemsMax = 64
// Far above what a healthy batch takes, far below what a person waits.
export const timeoutMs = 250
export const batchesMax = 4

export function microBatch<I, O>(run: Run<I, O>): MicroBatch<I, O> {
  const waiting: Waiting<I, O>[] = []
  let inFlight = 0
  // Batches that have not taken long yet.
  let fresh = 0
  let isLeaving = false

  const mayLeave = () => waiting.length > 0 && fresh === 0 && inFlight < batchesMax

  async function leaveSoon(): Promise<void> {
    isLeaving = true
    // Let those of the same turn come aboard: it brings what many sockets have to say.
    await endOfTurn()
    isLeaving = false
    leave()
  }

  function leave(): boolean {
    if (!mayLeave()) return false
    inFlight += 1
    fresh += 1
    let isFresh = true
    const age = () => {
      if (isFresh) fresh -= 1
      isFresh = false
    }
    const timeout = clock.after(timeoutMs, () => {
      age()
      leave()
    })
    const batch = waiting.splice(0, itemsMax)
    const end = async (): Promise<void> => {
      const tell = await runBatch(run, batch)
      timeout.stop()
      age()
      inFlight -= 1
      // The next one is on its way before this one hears: what that goes on to do, it does while the database works.
      if (leave()) await endOfTurn()
      tell()
    }
    end().catch((error: unknown) => batch.forEach(({ reject }) => reject(error)))
    return true
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isLeaving && mayLeave()) leaveSoon().catch(reject)
    })
}

// Resolves when the batch is done, to the telling of it.
async function runBatch<I, O>(run: Run<I, O>, batch: readonly Waiting<I, O>[]): Promise<() => void> {
  try {
    const results = await run(batch.map(({ item }) => item))
    // One that has failed is told so in a moment, and is nobody's oversight until then.
    for (const result of results) if (result instanceof Promise) result.catch(() => undefined)
    return () => {
      for (const [index, { resolve, reject }] of batch.entries()) {
        if (index < results.length) resolve(results[index] as O | Promise<O>)
        else reject(new Error('a batch gave back less than it was given'))
      }
    }
  } catch (error) {
    return () => {
      for (const { reject } of batch) reject(error)
    }
  }
}
