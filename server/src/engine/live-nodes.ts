// How many nodes place calls now: each says that it lives, and hears the others. A node is forgotten after three seconds of
// silence, and its share of calls a second goes to the rest.

import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Bus } from './bus.ts'

const beatMs = 1_000
const silenceMs = 3_000

export function startLiveNodes(bus: Bus, clock: Clock): { readonly count: () => number; readonly close: () => void } {
  const self = randomUUID()
  const heard = new Map<string, number>()
  const subscription = bus.connection.subscribe(bus.names.aliveSubject, {
    callback: (error, message) => {
      if (!error) heard.set(message.string(), clock.monotonicMs())
    },
  })
  const beat = () => {
    if (!bus.connection.isClosed()) bus.connection.publish(bus.names.aliveSubject, self)
  }
  beat()
  const beating = clock.every(beatMs, beat)
  return {
    count: () => {
      const oldestMs = clock.monotonicMs() - clock.scaledMs(silenceMs)
      for (const [node, atMs] of heard) if (atMs < oldestMs) heard.delete(node)
      return Math.max(1, heard.has(self) ? heard.size : heard.size + 1)
    },
    close: () => {
      beating.stop()
      subscription.unsubscribe()
    },
  }
}
