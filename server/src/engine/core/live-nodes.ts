// Counts the nodes that place calls now: each publishes a heartbeat every second and listens to the others. A node is
// dropped after three seconds of silence, and its share of the calls per second goes to the rest.

import { randomUUID } from 'node:crypto'
import type { Clock } from '../../process/clock.ts'
import type { Bus } from './bus.ts'

const heartbeatMs = 1_000
const silenceMs = 3_000

export function startLiveNodes(bus: Bus, clock: Clock): { readonly count: () => number; readonly close: () => void } {
  const self = randomUUID()
  const others = watchLiveNodes(bus, clock)
  const sendHeartbeat = () => {
    if (!bus.connection.isClosed()) bus.connection.publish(bus.names.aliveSubject, self)
  }
  sendHeartbeat()
  const heartbeats = clock.every(heartbeatMs, sendHeartbeat)
  return {
    count: () => {
      const nodes = others.nodes()
      return nodes.has(self) ? nodes.size : nodes.size + 1
    },
    close: () => {
      heartbeats.stop()
      others.close()
    },
  }
}

type LiveNodes = {
  readonly nodes: () => ReadonlySet<string>
  // Whether any node places calls. True until the first heartbeats had time to arrive.
  readonly any: () => boolean
  readonly close: () => void
}

// Listens only.
export function watchLiveNodes(bus: Bus, clock: Clock): LiveNodes {
  const sinceMs = clock.monotonicMs()
  const lastBeatMs = new Map<string, number>()
  const subscription = bus.connection.subscribe(bus.names.aliveSubject, {
    callback: (error, message) => {
      if (!error) lastBeatMs.set(message.string(), clock.monotonicMs())
    },
  })
  const oldestMs = () => clock.monotonicMs() - clock.scaledMs(silenceMs)
  const nodes = () => {
    for (const [node, atMs] of lastBeatMs) if (atMs < oldestMs()) lastBeatMs.delete(node)
    return new Set(lastBeatMs.keys())
  }
  return { nodes, any: () => nodes().size > 0 || sinceMs > oldestMs(), close: () => subscription.unsubscribe() }
}
