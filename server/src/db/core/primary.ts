// Opens the sessions of this process with a database. Of several hosts it finds the primary, because Patroni may make another host
// the primary at any time:
//
//   unknown ──a host is not in recovery──▶ known
//   known ──a connect or a query failed──▶ known, and all hosts are asked
//     the same host is the primary: nothing changes
//     another one is: new connections go there, sessions with the others are destroyed
//     none is: unknown; sessions with a host that accepts no connection are destroyed
//
// Hosts are asked only while somebody wants to connect, once at a time for all pools of the process, and with jitter: after a
// failover many processes look for the primary at once.
//
// For the same reason only a few sessions are opened at a time, also with a single host. A server that is too slow for all who come
// back at once would start all of their sessions, and finish none before its client gives up and tries again.

import { randomInt } from 'node:crypto'
import type { Socket } from 'node:net'
import { callbackify } from 'node:util'
import { Client, type ClientConfig } from 'pg'
import { eachHost } from '../../domain/core/database-address.ts'
import { createClock } from '../../process/clock.ts'
import { connectionOf } from './connection.ts'

export type Primary = {
  readonly Client: typeof Client
  // A query failed without a response.
  readonly doubt: () => void
}

type Host = { readonly host: string; readonly port: number; readonly config: ClientConfig }
type State = 'standby' | 'silent' | 'refused' | { readonly timeline: number }

// Real time, not scaled: these are network timeouts.
const clock = createClock(1)
const askMs = 1_500
// A connection waits so long for a primary; the pool gives up a little later.
const findMs = 2_500
const pauseMs = 200
const pauseJitterMs = 200
// After one host has said that it is the primary, another with a later timeline may still respond.
const otherMs = 500
const momentMs = 200
const opensAtOnceMax = 4
const never = new AbortController().signal

const primaries = new Map<string, Primary>()

export function primaryOf(url: string): Primary {
  const hosts = eachHost(url)
  const known = primaries.get(url) ?? (hosts.length === 1 ? createOnly() : createPrimary(hosts.map(hostOf)))
  primaries.set(url, known)
  return known
}

function hostOf(url: string): Host {
  const { hostname, port } = new URL(url)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 5432), config: connectionOf(url) }
}

// Whatever is there is used.
function createOnly(): Primary {
  const doubt = () => undefined
  return { Client: clientOf({ aim: async () => doubt, doubt }), doubt }
}

function createPrimary(hosts: readonly Host[]): Primary {
  const sessions = new Map<Client, Host>()
  let known: Host | undefined
  let silent: ReadonlySet<Host> = new Set()
  let isInDoubt = true
  let asking: Promise<void> | undefined

  const destroy = (isDead: (host: Host) => boolean) => {
    for (const [client, host] of sessions) if (isDead(host)) streamOf(client).destroy()
  }
  const askAll = async (): Promise<void> => {
    const { primary, silent: silentNow } = await askHosts(hosts, silent)
    silent = silentNow
    if (primary) destroy((host) => host !== primary)
    else destroy((host) => silent.has(host))
    known = primary
    isInDoubt = primary === undefined
  }
  const ask = (): Promise<void> => {
    asking ??= askAll().finally(() => (asking = undefined))
    return asking
  }
  const find = async (): Promise<Host> => {
    const startedMs = clock.monotonicMs()
    for (;;) {
      if (known && !isInDoubt) return known
      await ask()
      if (known) return known
      if (clock.monotonicMs() - startedMs > findMs - askMs) throw new NoPrimaryError(hosts)
      await clock.sleep(pauseMs + randomInt(pauseJitterMs), never)
    }
  }
  const doubt = () => {
    isInDoubt = true
    void ask().catch(() => undefined)
  }

  const aim = async (client: Client) => {
    const host = await find()
    Object.assign(client, { host: host.host, port: host.port })
    const forget = () => sessions.delete(client)
    sessions.set(client, host)
    client.once('end', forget)
    return forget
  }
  return { Client: clientOf({ aim, doubt }), doubt }
}

type Target = {
  // Names the host to connect to. What it returns is called if nothing comes of it.
  readonly aim: (client: Client) => Promise<() => void>
  readonly doubt: () => void
}

function clientOf({ aim, doubt }: Target): typeof Client {
  const gate = createGate(opensAtOnceMax)
  return class extends Client {
    override connect(): Promise<Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<Client> | undefined {
      if (!callback) return this.#open()
      callbackify(() => this.#open())(callback)
      return undefined
    }

    async #open(): Promise<Client> {
      // A connection that breaks in use fails its query; one that breaks before its pool listens would end the process.
      let broken: Error | undefined
      this.on('error', (error) => (broken = error))
      const forget = await aim(this)
      return gate(async () => {
        if (streamOf(this).destroyed) {
          forget()
          throw new Error('the pool gave up while the connection waited for its turn')
        }
        try {
          const client = await super.connect()
          if (broken) throw broken
          return client
        } catch (error) {
          forget()
          doubt()
          throw error
        }
      })
    }
  }
}

class NoPrimaryError extends Error {
  // As the driver's errors of a connection have one.
  readonly code = 'NOPRIMARY'
  constructor(hosts: readonly Host[]) {
    super(`none of ${hosts.map(({ host, port }) => `${host}:${port}`).join(', ')} is the primary`)
  }
}

// A host that was silent the last time is waited for only a moment, so that a new primary is found soon.
async function askHosts(
  hosts: readonly Host[],
  silentBefore: ReadonlySet<Host>,
): Promise<{ primary: Host | undefined; silent: ReadonlySet<Host> }> {
  const states = new Map<Host, State>([...silentBefore].map((host) => [host, 'silent']))
  const first = Promise.withResolvers<void>()
  const ask = async (host: Host) => {
    const state = await askHost(host)
    states.set(host, state)
    if (typeof state === 'object') first.resolve()
  }
  const late = hosts.filter((host) => silentBefore.has(host)).map(ask)
  const prompt = hosts.filter((host) => !silentBefore.has(host)).map(ask)
  await Promise.race([
    Promise.all([...late, ...prompt]),
    Promise.all(prompt.length > 0 ? [...prompt, clock.sleep(momentMs, never)] : late),
    first.promise.then(() => clock.sleep(otherMs, never)),
  ])
  const able = [...states].flatMap(([host, state]) => (typeof state === 'object' ? [{ host, ...state }] : []))
  const [primary] = able.toSorted((a, b) => b.timeline - a.timeline)
  return { primary: primary?.host, silent: new Set(hosts.filter((host) => states.get(host) === 'silent')) }
}

const silentCodes = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])

const askedSql = `SELECT CASE WHEN pg_is_in_recovery() THEN NULL
  ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int END AS timeline`

async function askHost(host: Host): Promise<State> {
  const client = new Client({ ...host.config, connectionTimeoutMillis: askMs, query_timeout: askMs })
  client.on('error', () => undefined)
  let hasConnected = false
  streamOf(client).once('connect', () => (hasConnected = true))
  try {
    await client.connect()
    const { rows } = await client.query<{ timeline: number | null }>(askedSql)
    const timeline = rows[0]?.timeline ?? null
    return timeline === null ? 'standby' : { timeline }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'ETIMEDOUT'
    return !hasConnected && silentCodes.has(code) ? 'silent' : 'refused'
  } finally {
    void client.end().catch(() => undefined)
  }
}

// The driver's types leave out the connection.
function streamOf(client: Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

// Runs at most so many at once; the others wait.
function createGate(atOnceMax: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = atOnceMax
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
