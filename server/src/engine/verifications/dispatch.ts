// Publishes accepted calls, sealed, to their trunk's subject, and resolves once JetStream has them on disk. Up to singlesMax
// messages are published individually. Calls above that go as one atomic batch per stream, which the server syncs once; while
// one is on its way, new calls wait for the next. When more wait than a batch can hold, two are on their way at once, so that the
// server has one to sync while we write the other. If it does not support batches, they are published one by one.

import { itemsMax, microBatch } from '../../db/core/micro-batch.ts'
import { type KeyRing, nonceBytes } from '../../domain/crypto/sealing.ts'
import { type CallOrder, routeOf, sealOrder } from '../../domain/verifications/call-order.ts'
import type { OpenOrdersOf, QueueFaultOf } from '../../domain/verifications/plan-call.ts'
import type { Clock } from '../../process/clock.ts'
import type { Events } from '../../process/metrics/events.ts'
import type { Bus } from '../core/bus.ts'
import { type AckedPublisher, createAckedPublisher } from '../core/publish-acks.ts'
import { callStreams } from '../core/streams.ts'

export type Dispatch = {
  readonly dispatchCall: (order: CallOrder) => Promise<void>
  // Why the trunk's queue takes no more, if so; its depth is read every second.
  readonly queueFaultOf: QueueFaultOf
  // With what this process has published since. What other processes have published since is missing, for a second at most.
  readonly openOrdersOf: OpenOrdersOf
  readonly isUp: () => boolean
  readonly close: () => Promise<void>
}

type Publication = { readonly subject: string; readonly payload: Uint8Array }

const depthMs = 1_000
const publishMs = 3_000
// A batch costs the server as much as two or three dozen single messages, however few it holds. Below that a batch only adds
// latency.
const singlesMax = 24

type DispatchDeps = {
  readonly bus: Bus
  readonly keys: { readonly sealNumbers: KeyRing }
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly clock: Clock
  readonly events: Pick<Events, 'queuesMeasured'>
}

export function createDispatch({ bus, keys, randomBytes, clock, events }: DispatchDeps): Dispatch {
  const byStream = new Map<string, (publication: Publication) => Promise<void>>()
  const depths = new Map<string, number>()
  // Hundreds of retries of one request may dispatch the same call at once; they share one publication.
  const inFlight = new Map<string, Promise<void>>()
  const acked = createAckedPublisher(bus.connection)
  const closing = new AbortController()
  const watching = watchDepths({ bus, clock, events }, depths, closing.signal)
  const publishOrder = async (order: CallOrder): Promise<void> => {
    const route = routeOf(order)
    if (!route) throw new RangeError('call order has no route for its attempt')
    const stream = bus.names.streamOf(route.trunk)
    const publish = byStream.get(stream) ?? createPublisher(bus, acked)
    byStream.set(stream, publish)
    const payload = sealOrder(keys.sealNumbers, order, randomBytes(nonceBytes))
    const subject = bus.names.subjectOf(route.trunk)
    depths.set(subject, (depths.get(subject) ?? 0) + 1)
    await publish({ subject, payload })
  }
  const depthOf = (trunk: string) => depths.get(bus.names.subjectOf(trunk)) ?? 0
  return {
    dispatchCall: (order) => {
      const name = `${order.id}-${order.attempt}`
      const known = inFlight.get(name)
      if (known) return known
      const published = publishOrder(order).finally(() => inFlight.delete(name))
      inFlight.set(name, published)
      return published
    },
    queueFaultOf: (trunk) => {
      if (!bus.isUp()) return 'nats_down'
      return depthOf(trunk) >= callStreams.messagesPerTrunkMax ? 'queue_full' : undefined
    },
    openOrdersOf: depthOf,
    isUp: bus.isUp,
    close: async () => {
      closing.abort()
      await watching
      acked.close()
    },
  }
}

function createPublisher(bus: Bus, acked: AckedPublisher): (publication: Publication) => Promise<void> {
  const createLane = () => ({
    publish: microBatch((items: readonly Publication[]) => publishAll(bus, acked, items)),
    orders: 0,
  })
  const [first, second] = [createLane(), createLane()]
  let singles = 0
  return async (publication) => {
    if (first.orders === 0 && second.orders === 0 && singles < singlesMax) {
      singles += 1
      return acked.publish(publication.subject, publication.payload).finally(() => (singles -= 1))
    }
    const lane = first.orders < itemsMax || first.orders <= second.orders ? first : second
    lane.orders += 1
    return lane.publish(publication).finally(() => (lane.orders -= 1))
  }
}

// Returns one promise per message, settled: a full trunk must not fail the messages of another trunk.
async function publishAll(
  bus: Bus,
  acked: AckedPublisher,
  items: readonly Publication[],
): Promise<readonly Promise<void>[]> {
  const [first, ...rest] = items
  const last = rest.pop()
  if (first && last && items.length >= singlesMax) {
    try {
      const batch = await bus.client.startBatch(first.subject, first.payload)
      for (const { subject, payload } of rest) batch.add(subject, payload)
      await batch.commit(last.subject, last.payload, { timeout: publishMs })
      return items.map(() => Promise.resolve())
    } catch {
      // The server does not support batches, or one trunk is full: publish each message singly. If the batch was stored
      // after all, a call is delivered twice and claimed once.
    }
  }
  const published = items.map(({ subject, payload }) => acked.publish(subject, payload))
  await Promise.allSettled(published)
  return published
}

// What cannot be read counts as empty: publishing to a full queue is refused anyway.
async function watchDepths(
  { bus, clock, events }: Pick<DispatchDeps, 'bus' | 'clock' | 'events'>,
  depths: Map<string, number>,
  closing: AbortSignal,
): Promise<void> {
  while (!closing.aborted) {
    await clock.pause(depthMs, closing)
    if (closing.aborted) return
    const infos = await Promise.all(
      bus.names.streams.map((stream) =>
        bus.manager.streams.info(stream, { subjects_filter: '>' }).catch(() => undefined),
      ),
    )
    depths.clear()
    for (const [subject, count] of infos.flatMap((info) => Object.entries(info?.state.subjects ?? {}))) {
      depths.set(subject, count)
    }
    events.queuesMeasured(new Map([...depths].map(([subject, count]) => [trunkOf(subject), count])))
  }
}

function trunkOf(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1)
}
