// One piece of work at a time, and those who wait take turns by key: who sends many waits behind their own. When the line is full,
// the newest of the longest queue is turned away, so that somebody who sends one gets in beside others who send hundreds.

import { Denial } from '../process/errors.ts'

type Waiting = { readonly goOn: () => void; readonly turnAway: (why: Denial) => void }

export function createFairLine(waitingMax: number): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  // The first key is the next one.
  const queues = new Map<string, Waiting[]>()
  let count = 0
  let isBusy = false

  const wait = (key: string) =>
    new Promise<void>((goOn, turnAway) => {
      const queue = queues.get(key) ?? []
      if (count >= waitingMax) {
        const longest = [...queues.values()].reduce((one, other) => (other.length > one.length ? other : one))
        if (longest.length <= queue.length + 1) return turnAway(fullDenial())
        longest.pop()?.turnAway(fullDenial())
        count -= 1
      }
      queue.push({ goOn, turnAway })
      queues.set(key, queue)
      count += 1
    })

  const callNext = () => {
    const [entry] = queues
    if (!entry) {
      isBusy = false
      return
    }
    const [key, queue] = entry
    const next = queue.shift()
    // To the end, if there is more.
    queues.delete(key)
    if (queue.length > 0) queues.set(key, queue)
    count -= 1
    next?.goOn()
  }

  return async (key, work) => {
    if (isBusy) await wait(key)
    isBusy = true
    try {
      return await work()
    } finally {
      callNext()
    }
  }
}

function fullDenial(): Denial {
  return new Denial('throttled', [], 1)
}
