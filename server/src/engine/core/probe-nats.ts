// What NATS runs with, for `ringproof doctor`. It creates nothing.

import { once } from 'node:events'
import { connect } from 'node:net'
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import type { NatsFacts, NatsStorage } from '../../domain/installation/queue-check.ts'
import { connectTo, type NatsServers } from './nats-servers.ts'
import { streamNames } from './streams.ts'

const requestTimeoutMs = 3_000
const natsPort = 4_222

export async function probeNats(servers: NatsServers, prefix: string, signal: AbortSignal): Promise<NatsFacts> {
  await assertGreeting(servers, signal)
  const connection = await connectTo(servers, { reconnect: false, maxReconnectAttempts: 0 })
  try {
    const { version = 'unknown', cluster } = connection.info ?? {}
    const manager = await jetstreamManager(connection, { timeout: requestTimeoutMs })
    const { streams, vaultBucket, repeatBucket } = streamNames(prefix)
    const names = [...streams, `KV_${vaultBucket}`, `KV_${repeatBucket}`]
    const found = await Promise.all(names.map((name) => replicasOf(manager, name)))
    return { version, cluster, streams: found.flat() }
  } finally {
    await connection.close()
  }
}

// NATS speaks first. Of a server that accepts a connection and stays silent, the client would keep the socket for ever.
async function assertGreeting({ natsUrls }: NatsServers, signal: AbortSignal): Promise<void> {
  const greetings = natsUrls.map(async (url) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || natsPort) })
    const cut = () => socket.destroy(new Error('no response in time'))
    signal.addEventListener('abort', cut)
    try {
      await once(socket, 'data')
    } finally {
      signal.removeEventListener('abort', cut)
      socket.destroy()
    }
  })
  await Promise.any(greetings).catch((error: unknown) => {
    throw error instanceof AggregateError ? error.errors[0] : error
  })
}

// A process creates the streams when it first serves; until then there are none.
async function replicasOf(manager: JetStreamManager, name: string): Promise<NatsFacts['streams']> {
  try {
    const { config } = await manager.streams.info(name)
    return [{ name, replicas: config.num_replicas }]
  } catch (error) {
    if (error instanceof Error && /not found/i.test(error.message)) return []
    throw error
  }
}

// Clients cannot read the sync interval; the monitoring port shows it.
export async function probeNatsStorage(monitorUrl: string, signal: AbortSignal): Promise<NatsStorage> {
  const response = await fetch(new URL('/jsz', monitorUrl), { signal }).catch((error: unknown) => {
    // fetch hides the reason in the cause.
    throw error instanceof Error && error.cause instanceof Error ? error.cause : error
  })
  if (!response.ok) throw new Error(`/jsz responds with status ${response.status}`)
  const { config } = (await response.json()) as { config?: { sync_interval?: number; sync_always?: boolean } }
  if (config === undefined) throw new Error('JetStream is disabled')
  return { isSyncedAlways: config.sync_always === true, syncIntervalMs: (config.sync_interval ?? 0) / 1e6 }
}
