// Takes call orders from the streams and places the calls: one loop per trunk. It takes only orders that it can dial at once, so
// none waits in a process that may die. Each needs a free channel of the trunk (max_ack_pending, across all nodes), a
// calls-per-second token (live nodes share the rate equally) and a switch that is ready. One pull asks for as many as there are
// tokens and channels, and its orders arrive as they come: a pull for each would be a round trip for each.
//
// The order is decrypted first. If its key is not on this node, the message is returned for a node that has the key, or for
// this node once the key is copied; nothing is claimed. The worker then dials only if it wins the claim in the database; a
// worker that loses drops the order. The message is kept alive during the call and acknowledged once the end is in the
// database. If a trunk refuses without ringing, the call is dispatched to the next trunk and then acknowledged.

import type { Consumer, ConsumerConfig, JsMsg } from '@nats-io/jetstream'
import { AckPolicy } from '@nats-io/jetstream'
import type { RoutingTable } from '../../db/trunks/routing-table.ts'
import { MissingKeyError } from '../../domain/crypto/sealing.ts'
import { testTrunk } from '../../domain/trunks/trunk.ts'
import { createTokenBucket } from '../../domain/values/token-bucket.ts'
import { type CallOrder, decryptOrder, orderName } from '../../domain/verifications/call-order.ts'
import type { Events } from '../../process/metrics/events.ts'
import type { Switch } from '../../telephony/switch.ts'
import type { Bus } from '../core/bus.ts'
import { callStreams, consumerOf, nanoseconds } from '../core/streams.ts'
import { type ExecuteDeps, executeCall } from './execute-call.ts'

type WorkerDeps = ExecuteDeps & {
  readonly switch: Pick<Switch, 'isReady'>
  readonly events: Pick<Events, 'callEnded' | 'channelsUsed'>
  readonly bus: Bus
  readonly routing: () => RoutingTable
  readonly liveNodes: () => number
}

const testTrunkLimits = { name: testTrunk, channels: 1_000, callsPerSecond: 1_000 }
const pullMs = 1_000
// What a process that dies may hold: other nodes get it after the ack wait.
const pullMax = 64
// In real time.
const idleMs = 20
const trunkPollMs = 1_000
// A call must start within 10 seconds. Another node takes the message sooner than that, and copying a key is quicker too.
const missingKeyMs = 500
const notReadyMs = 100

export function startCallWorker(deps: WorkerDeps): { readonly close: () => Promise<void> } {
  const closing = new AbortController()
  const loops = new Map<string, Promise<void>>()
  const watching = (async () => {
    while (!closing.signal.aborted) {
      for (const { name } of [testTrunkLimits, ...deps.routing().trunks]) {
        if (!loops.has(name)) loops.set(name, serveTrunk(deps, name, closing.signal))
      }
      await deps.clock.pause(trunkPollMs, closing.signal)
    }
  })()
  return {
    close: async () => {
      closing.abort()
      await watching
      await Promise.all(loops.values())
    },
  }
}

function limitsOf(
  deps: WorkerDeps,
  name: string,
): { readonly channels: number; readonly callsPerSecond: number } | undefined {
  return name === testTrunk ? testTrunkLimits : deps.routing().trunks.find((trunk) => trunk.name === name && trunk.isOn)
}

// Test numbers need no switch. With the kill switch on nothing is dialled but virtual phones: calls accepted earlier fail at their start
// deadline and are refunded.
function isServed(deps: WorkerDeps, trunk: string): boolean {
  if (trunk === testTrunk) return true
  const { stop, trunks } = deps.routing()
  const leadsToPhones = () => trunks.some(({ name, isTest }) => name === trunk && isTest)
  return deps.switch.isReady() && (stop === undefined || leadsToPhones())
}

async function serveTrunk(deps: WorkerDeps, trunk: string, closing: AbortSignal): Promise<void> {
  const { clock, events, log } = deps
  const calls = new Set<Promise<void>>()
  const tokens = createTokenBucket(clock.monotonicMs())
  let consumer: TrunkConsumer | undefined
  const take = (message: JsMsg) => {
    // The switch may have disconnected or filled up while we waited: another node dials it, or this one later.
    if (!limitsOf(deps, trunk) || !isServed(deps, trunk)) return message.nak(clock.scaledMs(notReadyMs))
    tokens.spend()
    const call = handle(deps, trunk, message).finally(() => {
      calls.delete(call)
      events.channelsUsed(trunk, calls.size)
    })
    calls.add(call)
    events.channelsUsed(trunk, calls.size)
  }
  while (!closing.aborted) {
    const limits = limitsOf(deps, trunk)
    const free = limits ? tokens.available(limits.callsPerSecond / deps.liveNodes(), clock.monotonicMs()) : 0
    const room = Math.min(free, pullMax, (limits?.channels ?? 0) - calls.size)
    if (!limits || room < 1 || !isServed(deps, trunk)) {
      await clock.sleep(idleMs / deps.timeScale, closing)
      continue
    }
    try {
      if (consumer?.channels !== limits.channels) consumer = await openConsumer(deps, trunk, limits.channels)
      for await (const message of await consumer.fetch({ max_messages: room, expires: pullMs })) take(message)
    } catch (error) {
      consumer = undefined
      if (!closing.aborted) log.warn({ err: error, trunk }, 'call order fetch failed')
      await clock.sleep(pullMs, closing)
    }
  }
  // Finish the calls in progress: no other process can.
  await Promise.all(calls)
}

type TrunkConsumer = Pick<Consumer, 'fetch'> & { readonly channels: number }

async function openConsumer({ bus, timeScale }: WorkerDeps, trunk: string, channels: number): Promise<TrunkConsumer> {
  const config: Partial<ConsumerConfig> & { durable_name: string } = {
    durable_name: consumerOf(trunk),
    filter_subject: bus.names.subjectOf(trunk),
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanoseconds(Math.max(1, callStreams.ackWaitSeconds * timeScale)),
    max_ack_pending: channels,
  }
  const stream = bus.names.streamOf(trunk)
  const { consumers } = bus.manager
  const known = await consumers.info(stream, config.durable_name).catch(() => undefined)
  if (!known) await consumers.add(stream, config)
  else if (known.config.max_ack_pending !== channels || known.config.ack_wait !== config.ack_wait) {
    await consumers.update(stream, config.durable_name, config)
  }
  const consumer = await bus.client.consumers.get(stream, config.durable_name)
  return { channels, fetch: (options) => consumer.fetch(options) }
}

async function handle(deps: WorkerDeps, trunk: string, message: JsMsg): Promise<void> {
  const { clock, log, timeScale } = deps
  const order = decryptOrReturn(deps, trunk, message)
  if (!order) return
  // Only now its mode is known: flash calls may go another way than spoken ones.
  if (trunk !== testTrunk && !deps.switch.isReady(order.mode === 'flash' ? 'flash' : 'spoken'))
    return message.nak(clock.scaledMs(notReadyMs))
  const keepAliveMs = (Math.max(1, callStreams.ackWaitSeconds * timeScale) * 1_000) / 3 / timeScale
  const alive = clock.every(keepAliveMs, () => message.working())
  try {
    await executeCall(deps, order)
    message.ack()
  } catch (error) {
    // Not acknowledged, so it is redelivered; the claim then decides whether anything is left to do.
    log.error({ err: error, vendor_id: order.id, attempt: order.attempt, trunk }, 'call execution failed')
  } finally {
    alive.stop()
  }
}

function decryptOrReturn({ keys, clock, log }: WorkerDeps, trunk: string, message: JsMsg): CallOrder | undefined {
  try {
    return decryptOrder(keys.sealNumbers, message.data)
  } catch (error) {
    if (error instanceof MissingKeyError) {
      message.nak(clock.scaledMs(missingKeyMs))
      const fix = `copy seal-numbers-${error.keyNumber}.key to RINGPROOF_SECRETS_DIR of this node`
      log.error({ vendor_id: orderName(message.data).id, trunk, key: error.keyNumber, fix }, 'call order returned')
    } else {
      // No node can decrypt it. Its verification ends as not started.
      message.term()
      log.error({ err: error, trunk }, 'call order dropped')
    }
    return undefined
  }
}
