import { Refusal } from '../errors.ts'

export type Crowd = {
  readonly isFull: () => boolean
  // Refuses while it is full.
  readonly enter: <T>(work: () => Promise<T>) => Promise<T>
}

// Enough for full batches to the record and to the stream, with as many waiting behind them: what a process carries off in
// a fraction of a second.
export const underWayMax = 256

// More may come than goes through. A queue without an end would let everybody wait until nobody wants the answer any more;
// so this many are under way at once, and whoever comes on top of them is told so before anything was worked out for them.
export function openCrowd(): Crowd {
  let underWay = 0
  const isFull = () => underWay >= underWayMax
  return {
    isFull,
    enter: async (work) => {
      if (isFull()) throw new Refusal('cannotStart', {}, 1)
      underWay += 1
      try {
        return await work()
      } finally {
        underWay -= 1
      }
    },
  }
}
