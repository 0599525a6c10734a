// The connection to NATS, with the streams made sure of. It reconnects by itself and for ever: the hand-off may be away
// for a while, and everybody who needs it says code 5 meanwhile.

import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Logger } from '../log.ts'
import { type StreamNames, streamConfigs, streamNames } from './streams.ts'

export type Bus = {
  readonly connection: NatsConnection
  readonly client: JetStreamClient
  readonly manager: JetStreamManager
  readonly names: StreamNames
  readonly isUp: () => boolean
  readonly close: () => Promise<void>
}

const requestTimeoutMs = 3_000

export async function openBus(urls: readonly string[], prefix: string, timeScale: number, log: Logger): Promise<Bus> {
  const connection = await connect({ ...serversOf(urls), maxReconnectAttempts: -1, reconnectTimeWait: 250 })
  const manager = await jetstreamManager(connection, { timeout: requestTimeoutMs })
  for (const config of streamConfigs(prefix, timeScale)) {
    await manager.streams.add(config).catch(() => manager.streams.update(config.name, config))
  }
  let isUp = true
  const watching = (async () => {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect' || type === 'reconnect') {
        isUp = type === 'reconnect'
        log.info({ event: type }, 'the hand-off')
      }
    }
  })()
  return {
    connection,
    client: jetstream(connection, { timeout: requestTimeoutMs }),
    manager,
    names: streamNames(prefix),
    isUp: () => isUp,
    close: async () => {
      await connection.drain()
      await watching
    },
  }
}

// One word to everybody who listens, from a command that has no bus of its own.
export async function tellOnce(urls: readonly string[], subject: string): Promise<void> {
  const connection = await connect({ ...serversOf(urls), reconnect: false })
  connection.publish(subject)
  await connection.drain()
}

function serversOf(urls: readonly string[]) {
  const addresses = urls.map((url) => new URL(url))
  return {
    servers: addresses.map(({ host }) => host),
    user: decodeURIComponent(addresses[0]?.username ?? ''),
    pass: decodeURIComponent(addresses[0]?.password ?? ''),
    name: 'ringproof',
    timeout: requestTimeoutMs,
  }
}
