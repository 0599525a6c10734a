// The connection to NATS. It creates the streams and reconnects for ever: while NATS is down, requests that need it get
// code 5. NATS may come back empty, so streams and buckets are created again after every reconnect, before the connection
// counts as up.

import {
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type StreamConfig,
} from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import { connectTo, type NatsServers } from './nats-servers.ts'
import { type StreamNames, streamConfigs, streamNames } from './streams.ts'

export type Bus = {
  readonly connection: NatsConnection
  readonly client: JetStreamClient
  readonly manager: JetStreamManager
  readonly names: StreamNames
  // How many servers hold a copy of each stream and bucket.
  readonly replicas: number
  readonly isUp: () => boolean
  // Creates a stream or bucket now and again after every reconnect.
  readonly ensure: <T>(create: () => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

const requestTimeoutMs = 3_000
const retryMs = 250
const pingMs = 2_000
const pingsUnansweredMax = 2

export async function connectBus(
  servers: NatsServers & { readonly natsReplicas?: number },
  prefix: string,
  timeScale: number,
  clock: Clock,
  log: Logger,
): Promise<Bus> {
  // An async trace allocates an Error per message, which costs more than the message. Pings detect a dead link: after two
  // without a reply the client reconnects, within 6 seconds.
  const pings = { pingInterval: pingMs, maxPingOut: pingsUnansweredMax }
  const options = { maxReconnectAttempts: -1, reconnectTimeWait: 250, noAsyncTraces: true, ...pings }
  const connection = await connectTo(servers, options)
  const manager = await jetstreamManager(connection, { timeout: requestTimeoutMs })
  const closing = new AbortController()
  const reconnects = watchReconnects(connection, { timeScale, clock, log }, closing.signal)
  const replicas = servers.natsReplicas ?? 1
  for (const config of streamConfigs(prefix, timeScale)) {
    await reconnects.ensure(() => putStream(manager, { ...config, num_replicas: replicas }))
  }
  return {
    connection,
    client: jetstream(connection, { timeout: requestTimeoutMs }),
    manager,
    names: streamNames(prefix),
    replicas,
    isUp: reconnects.isUp,
    ensure: reconnects.ensure,
    close: async () => {
      closing.abort()
      await connection.drain()
      await reconnects.ended
    },
  }
}

const nameInUse = 10_058

async function putStream(manager: JetStreamManager, config: Partial<StreamConfig> & { name: string }): Promise<void> {
  try {
    await manager.streams.add(config)
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== nameInUse) throw error
    await manager.streams.update(config.name, config)
  }
}

type ReconnectDeps = { readonly timeScale: number; readonly clock: Clock; readonly log: Logger }

function watchReconnects(connection: NatsConnection, { timeScale, clock, log }: ReconnectDeps, closing: AbortSignal) {
  const ensured: (() => Promise<unknown>)[] = []
  let isUp = true
  // Only the latest connect or disconnect counts.
  let change = new AbortController()
  const createAll = async (superseded: AbortSignal): Promise<void> => {
    while (!superseded.aborted) {
      try {
        for (const create of ensured) await create()
        isUp ||= !superseded.aborted
        return
      } catch (error) {
        log.warn({ err: error }, 'nats setup failed')
        // Real time, not product time: this waits for a server to start.
        await clock.sleep(retryMs / timeScale, superseded)
      }
    }
  }
  const watch = async (): Promise<void> => {
    let creating = Promise.resolve()
    for await (const { type } of connection.status()) {
      if (type !== 'disconnect' && type !== 'reconnect') continue
      change.abort()
      change = new AbortController()
      isUp = false
      log.info({ event: type }, 'nats connection changed')
      if (type === 'reconnect') creating = createAll(AbortSignal.any([change.signal, closing]))
    }
    await creating
  }
  const ensure = async <T>(create: () => Promise<T>): Promise<T> => {
    ensured.push(create)
    return create()
  }
  return { ensure, isUp: () => isUp, ended: watch() }
}

// Publishes one message over a short-lived connection, for CLI commands.
export async function publishOnce(servers: NatsServers, subject: string): Promise<void> {
  const connection = await connectTo(servers, { reconnect: false })
  connection.publish(subject)
  await connection.drain()
}
