// Inbound calls between a switch and its one reader, which also gets those added before it started reading.

import type { InboundCall } from './switch.ts'

type InboundQueue = {
  readonly calls: AsyncIterable<InboundCall>
  // False once it is closed.
  readonly add: (call: InboundCall) => boolean
  readonly close: () => void
}

export function createInboundQueue(): InboundQueue {
  const waiting: InboundCall[] = []
  let changed = Promise.withResolvers<void>()
  let isClosed = false
  const wakeReader = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  async function* calls(): AsyncGenerator<InboundCall> {
    for (;;) {
      const call = waiting.shift()
      if (call) yield call
      else if (isClosed) return
      else await changed.promise
    }
  }
  return {
    calls: { [Symbol.asyncIterator]: calls },
    add: (call) => {
      if (!isClosed) waiting.push(call)
      wakeReader()
      return !isClosed
    },
    close: () => {
      isClosed = true
      wakeReader()
    },
  }
}

// Ends when all of them have ended.
export function joinInbound(sources: readonly AsyncIterable<InboundCall>[]): AsyncIterable<InboundCall> {
  const queue = createInboundQueue()
  const read = async (source: AsyncIterable<InboundCall>) => {
    for await (const call of source) queue.add(call)
  }
  Promise.all(sources.map(read)).then(queue.close, queue.close)
  return queue.calls
}
