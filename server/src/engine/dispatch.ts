// Dispatches accepted calls to their trunks, sealed, and resolves only when JetStream has them on disk. A few at a time go as messages of
// their own, each at once; whoever finds that many under way goes with all others who do, as one atomic batch a stream, which
// the server syncs once. Where a server does not take batches, they go one by one.

import type { Clock } from '../clock.ts'
import { microBatch } from '../db/micro-batch.ts'
import { type CallOrder, routeOf, sealOrder } from '../domain/calls/call-order.ts'
import { type KeyRing, nonceBytes } from '../domain/crypto/sealing.ts'
import type { Bus } from './bus.ts'
import { callStreams } from './streams.ts'

export type Dispatch = {
  readonly dispatchCall: (order: CallOrder) => Promise<void>
  // Whether a trunk has more waiting than it may; known to the second.
  readonly isFull: (trunk: string) => boolean
  readonly isUp: () => boolean
  readonly close: () => Promise<void>
}

type Publication = { readonly subject: string; readonly payload: Uint8Array }

const depthMs = 1_000
const publishMs = 3_000
// A batch costs the server as much as two or three dozen messages of their own, however few it holds: below that it would only
// make everybody wait.
const apartMax = 24

export type DispatchDeps = {
  readonly bus: Bus
  readonly keys: { readonly sealNumbers: KeyRing }
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly clock: Clock
}

export function createDispatch({ bus, keys, randomBytes, clock }: DispatchDeps): Dispatch {
  const byStream = new Map<string, (publication: Publication) => Promise<void>>()
  const depths = new Map<string, number>()
  // Hundreds of retries of one request may want to dispatch one call; once at a time is enough for all of them.
  const inFlight = new Map<string, Promise<void>>()
  const closing = new AbortController()
  const watching = watchDepths(bus, clock, depths, closing.signal)
  const publishOrder = async (order: CallOrder): Promise<void> => {
    const route = routeOf(order)
    if (!route) throw new RangeError('an order has no route for its attempt')
    const stream = bus.names.streamOf(route.trunk)
    const publish = byStream.get(stream) ?? createDoor(bus)
    byStream.set(stream, publish)
    const payload = sealOrder(keys.sealNumbers, order, randomBytes(nonceBytes))
    await publish({ subject: bus.names.subjectOf(route.trunk), payload })
  }
  return {
    dispatchCall: (order) => {
      const name = `${order.id}-${order.attempt}`
      const known = inFlight.get(name)
      if (known) return known
      const published = publishOrder(order).finally(() => inFlight.delete(name))
      inFlight.set(name, published)
      return published
    },
    isFull: (trunk) => !bus.isUp() || (depths.get(bus.names.subjectOf(trunk)) ?? 0) >= callStreams.messagesPerTrunkMax,
    isUp: bus.isUp,
    close: async () => {
      closing.abort()
      await watching
    },
  }
}

function createDoor(bus: Bus): (publication: Publication) => Promise<void> {
  const together = microBatch((items: readonly Publication[]) => publishAll(bus, items))
  let apart = 0
  return async (publication) => {
    if (apart >= apartMax) return together(publication)
    apart += 1
    return publishOne(bus, publication).finally(() => (apart -= 1))
  }
}

// For each of them how it went, once all have gone: one trunk that is full must not fail those of another.
async function publishAll(bus: Bus, items: readonly Publication[]): Promise<readonly Promise<void>[]> {
  const [first, ...rest] = items
  const last = rest.pop()
  if (first && last && items.length >= apartMax) {
    try {
      const batch = await bus.client.startBatch(first.subject, first.payload)
      for (const { subject, payload } of rest) batch.add(subject, payload)
      await batch.commit(last.subject, last.payload, { timeout: publishMs })
      return items.map(() => Promise.resolve())
    } catch {
      // A server that takes no batches, or one trunk of them that is full: each for itself. What the batch may have stored
      // all the same comes twice, and is claimed once.
    }
  }
  const published = items.map((item) => publishOne(bus, item))
  await Promise.allSettled(published)
  return published
}

async function publishOne({ client }: Bus, { subject, payload }: Publication): Promise<void> {
  await client.publish(subject, payload, { timeout: publishMs })
}

async function watchDepths(bus: Bus, clock: Clock, depths: Map<string, number>, closing: AbortSignal): Promise<void> {
  while (!closing.aborted) {
    await clock.sleep(depthMs, closing)
    if (closing.aborted) return
    for (const stream of bus.names.streams) {
      const info = await bus.manager.streams.info(stream, { subjects_filter: '>' }).catch(() => undefined)
      for (const [subject, count] of Object.entries(info?.state.subjects ?? {})) depths.set(subject, count)
      for (const subject of depths.keys()) if (!(subject in (info?.state.subjects ?? {}))) depths.delete(subject)
    }
  }
}
