// The connection to NATS, with the streams made sure of. It reconnects by itself and for ever: the dispatch may be away
// for a while, and everybody who needs it says code 5 meanwhile. It may come back without anything that it held, so what
// must be there is made sure of at every return, before the dispatch counts as up.

import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { connectTo, type NatsServers } from './nats-servers.ts'
import { type StreamNames, streamConfigs, streamNames } from './streams.ts'

export type Bus = {
  readonly connection: NatsConnection
  readonly client: JetStreamClient
  readonly manager: JetStreamManager
  readonly names: StreamNames
  readonly isUp: () => boolean
  // Makes something that must be there, now and whenever the connection has returned.
  readonly keep: <T>(make: () => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

const requestTimeoutMs = 3_000
const makeAgainMs = 250
const pingMs = 5_000
const pingsUnansweredMax = 2

export async function connectBus(
  servers: NatsServers,
  prefix: string,
  timeScale: number,
  clock: Clock,
  log: Logger,
): Promise<Bus> {
  // A trace is an error made for every message, in case that it fails: dearer than the message. Pings find a link that went
  // silent without a word: after two without an response the connection is made anew, within fifteen seconds.
  const pings = { pingInterval: pingMs, maxPingOut: pingsUnansweredMax }
  const options = { maxReconnectAttempts: -1, reconnectTimeWait: 250, noAsyncTraces: true, ...pings }
  const connection = await connectTo(servers, options)
  const manager = await jetstreamManager(connection, { timeout: requestTimeoutMs })
  const closing = new AbortController()
  const returning = watchReturns(connection, { timeScale, clock, log }, closing.signal)
  for (const config of streamConfigs(prefix, timeScale)) {
    await returning.keep(() => manager.streams.add(config).catch(() => manager.streams.update(config.name, config)))
  }
  return {
    connection,
    client: jetstream(connection, { timeout: requestTimeoutMs }),
    manager,
    names: streamNames(prefix),
    isUp: returning.isUp,
    keep: returning.keep,
    close: async () => {
      closing.abort()
      await connection.drain()
      await returning.ended
    },
  }
}

type ReturnDeps = { readonly timeScale: number; readonly clock: Clock; readonly log: Logger }

function watchReturns(connection: NatsConnection, { timeScale, clock, log }: ReturnDeps, closing: AbortSignal) {
  const kept: (() => Promise<unknown>)[] = []
  let isUp = true
  // Of several comings and goings the last one counts.
  let change = new AbortController()
  const makeAll = async (overtaken: AbortSignal): Promise<void> => {
    while (!overtaken.aborted) {
      try {
        for (const make of kept) await make()
        isUp ||= !overtaken.aborted
        return
      } catch (error) {
        log.warn({ err: error }, 'the dispatch is back and not whole yet')
        // In real time: it waits for a machine.
        await clock.sleep(makeAgainMs / timeScale, overtaken)
      }
    }
  }
  const watch = async (): Promise<void> => {
    let making = Promise.resolve()
    for await (const { type } of connection.status()) {
      if (type !== 'disconnect' && type !== 'reconnect') continue
      change.abort()
      change = new AbortController()
      isUp = false
      log.info({ event: type }, 'the dispatch')
      if (type === 'reconnect') making = makeAll(AbortSignal.any([change.signal, closing]))
    }
    await making
  }
  const keep = async <T>(make: () => Promise<T>): Promise<T> => {
    kept.push(make)
    return make()
  }
  return { keep, isUp: () => isUp, ended: watch() }
}

// One word to everybody who listens, from a command that has no bus of its own.
export async function publishOnce(servers: NatsServers, subject: string): Promise<void> {
  const connection = await connectTo(servers, { reconnect: false })
  connection.publish(subject)
  await connection.drain()
}
