// Requests that meet travel together: one function call, one commit. A lone request leaves at once, at the end of the turn
// of the event loop it came in; while a batch is under way on its lane, those that come wait for it and leave together.
// So waiting for company costs nothing when there is none, and batches grow by themselves under load.
//
// What touches the same row goes by the same lane, where it cannot wait for a lock that another lane holds. A batch fails as
// a whole, unless it gives back promises: then each of its items comes to its own end.

import { endOfTurn } from '../clock.ts'

export type MicroBatch<I, O> = (item: I) => Promise<O>

type Run<I, O> = (items: readonly I[]) => Promise<readonly (O | Promise<O>)[]>
type Waiting<I, O> = {
  readonly item: I
  readonly resolve: (result: O | PromiseLike<O>) => void
  readonly reject: (error: unknown) => void
}

const itemsMax = 64

export function microBatch<I, O>(
  run: Run<I, O>,
  laneOf: (item: I) => number = () => 0,
  laneCount = 1,
): MicroBatch<I, O> {
  const lanes = Array.from({ length: laneCount }, () => ({ waiting: [] as Waiting<I, O>[], isBusy: false }))

  async function drive(lane: (typeof lanes)[number]): Promise<void> {
    lane.isBusy = true
    // Let those of the same turn come aboard: it brings what many sockets have to say.
    await endOfTurn()
    while (lane.waiting.length > 0) {
      const batch = lane.waiting.splice(0, itemsMax)
      await runBatch(run, batch)
    }
    lane.isBusy = false
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      const lane = lanes[Math.abs(laneOf(item)) % laneCount]
      if (!lane) throw new RangeError('there is no such lane')
      lane.waiting.push({ item, resolve, reject })
      if (!lane.isBusy) drive(lane).catch(reject)
    })
}

async function runBatch<I, O>(run: Run<I, O>, batch: readonly Waiting<I, O>[]): Promise<void> {
  try {
    const results = await run(batch.map(({ item }) => item))
    for (const [index, { resolve, reject }] of batch.entries()) {
      if (index < results.length) resolve(results[index] as O | Promise<O>)
      else reject(new Error('a batch gave back less than it was given'))
    }
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}
