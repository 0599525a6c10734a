// Requests that meet travel together: one function call, one commit. A lone request leaves at once, at the end of the turn
// of the event loop it came in; while a batch is under way, those that come wait for it and leave together. So waiting for
// company costs nothing when there is none, and batches grow by themselves under load. One batch at a time is enough for all
// that a process can ask of a kind, and keeps no more than one of the record's processors busy with it.
//
// A batch fails as a whole, unless it gives back promises: then each of its items comes to its own end.

import { endOfTurn } from '../clock.ts'

export type MicroBatch<I, O> = (item: I) => Promise<O>

type Run<I, O> = (items: readonly I[]) => Promise<readonly (O | Promise<O>)[]>
type Waiting<I, O> = {
  readonly item: I
  readonly resolve: (result: O | PromiseLike<O>) => void
  readonly reject: (error: unknown) => void
}

export const itemsMax = 64

export function microBatch<I, O>(run: Run<I, O>): MicroBatch<I, O> {
  const waiting: Waiting<I, O>[] = []
  let isBusy = false

  async function drive(): Promise<void> {
    isBusy = true
    // Let those of the same turn come aboard: it brings what many sockets have to say.
    await endOfTurn()
    let tellLast: (() => void) | undefined
    while (waiting.length > 0) {
      const sent = runBatch(run, waiting.splice(0, itemsMax))
      // The next one is on its way before the last one hears: what that goes on to do, it does while the record works.
      if (tellLast) await endOfTurn()
      tellLast?.()
      tellLast = await sent
    }
    tellLast?.()
    isBusy = false
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isBusy) drive().catch(reject)
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
