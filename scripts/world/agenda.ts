// What is to happen, by time. Of two things at the same time the one that was added first comes first.

export type Agenda = {
  readonly add: (atMs: number, act: (atMs: number) => void) => void
  // Everything before this time, with what it adds.
  readonly runUntil: (untilMs: number) => void
}

type Item = { readonly atMs: number; readonly order: number; readonly act: (atMs: number) => void }

export function createAgenda(): Agenda {
  // A binary heap.
  const heap: Item[] = []
  let order = 0
  const isBefore = (one: number, other: number) => {
    const [a, b] = [heap[one], heap[other]]
    return a !== undefined && b !== undefined && (a.atMs - b.atMs || a.order - b.order) < 0
  }
  const swap = (one: number, other: number) => {
    const [a, b] = [heap[one], heap[other]]
    if (a && b) [heap[one], heap[other]] = [b, a]
  }
  const take = (): Item | undefined => {
    const first = heap[0]
    const last = heap.pop()
    if (!first || !last || heap.length === 0) return first
    heap[0] = last
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const smaller = isBefore(right, left) ? right : left
      if (!isBefore(smaller, at)) return first
      swap(at, smaller)
      at = smaller
    }
  }
  return {
    add: (atMs, act) => {
      heap.push({ atMs, order: order++, act })
      for (let at = heap.length - 1; at > 0; ) {
        const above = (at - 1) >> 1
        if (!isBefore(at, above)) break
        swap(at, above)
        at = above
      }
    },
    runUntil: (untilMs) => {
      while (heap[0] && heap[0].atMs < untilMs) {
        const item = take()
        item?.act(item.atMs)
      }
    },
  }
}
