// One PostgreSQL database, and a transaction in it.
//
// Every query has a deadline on both sides. The server cancels a statement that takes too long. If the server does not
// respond at all (a frozen backend, a link dropped without RST), the client gives up one second later and destroys the
// connection. Between queries TCP keepalive detects a dead peer. Node cannot set TCP_USER_TIMEOUT on its sockets: the client
// deadline replaces it here, and the server sets it on its side.

import { Client, type ClientBase, DatabaseError, Pool, type QueryConfig, types } from 'pg'
import { hostsOf } from '../../domain/core/database-address.ts'
import { type DatabaseRole, groupOf } from '../../domain/core/database-role.ts'
import type { Slot } from '../../domain/core/slot.ts'
import { createClock } from '../../process/clock.ts'
import { connectionOf } from './connection.ts'
import { type Primary, primaryOf } from './primary.ts'

// Real time, not scaled: these are database timeouts.
const clock = createClock(1)

export type Database = Pool

// What a statement can be sent to: a database, or an open transaction.
export type Session = Pick<ClientBase, 'query'>

export type Deadlines = {
  // The server cancels a statement after this.
  readonly statementMs: number
  // The client gives up after this: waiting for a connection and the query together.
  readonly responseMs: number
}

// For requests, and for background work in small steps.
export const requestDeadlines: Deadlines = { statementMs: 4_000, responseMs: 5_000 }
// For housekeeping and operator commands: an audit or dropping a partition reads a lot.
export const jobDeadlines: Deadlines = { statementMs: 600_000, responseMs: 605_000 }

const connectMs = 3_000
// Maximum connections per pool. A process with all roles has 33 per database, one with only the API role 11: the API log has a
// pool of one connection.
const connectionsMax: Readonly<Record<DatabaseRole, number>> = {
  api: 10,
  calls: 10,
  webhooks: 4,
  keeper: 4,
  web: 4,
  operator: 4,
}
// A transaction left open by a stuck or suspended client must not hold rows for longer.
const idleInTransactionMs = 5_000
export const lockMs = 2_000
const keepAliveMs = 5_000
const serverSide =
  '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=5 -c tcp_user_timeout=6000 -c jit=off'

// With a role, every session has the rights of that role and no others.
export function connect(
  url: string,
  { statementMs, responseMs }: Deadlines = requestDeadlines,
  role?: DatabaseRole,
  poolSize = role ? connectionsMax[role] : 10,
): Database {
  const primary = primaryOf(url)
  const pool = new Pool({
    Client: primary.Client,
    ...connectionOf(url, role ? `${serverSide} -c role=${groupOf(role)}` : serverSide),
    application_name: role ? `ringproof ${role}` : 'ringproof',
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    query_timeout: responseMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    max: poolSize,
    types: { getTypeParser: typeParser },
  })
  // A broken idle connection is replaced at its next use, which reports the error if it persists. Without a listener it would
  // end the process.
  pool.on('error', () => undefined)
  places.set(pool, { url, primary })
  pool.query = ((query: string | QueryConfig, values?: unknown[]) =>
    runQuery(pool, responseMs, query, values)) as Pool['query']
  return pool
}

// Pool.query closes the connection after every error. After an error reported by the server the session is still usable, and
// a lock timeout must not cost a reconnect.
async function runQuery(
  pool: Pool,
  responseMs: number,
  query: string | QueryConfig,
  values?: unknown[],
): Promise<unknown> {
  const startedMs = clock.monotonicMs()
  const client = await pool.connect().catch((error: Error) => {
    failures.set(error, 'not-sent')
    throw error
  })
  try {
    const leftMs = Math.max(1, Math.round(responseMs - (clock.monotonicMs() - startedMs)))
    const result = await client.query(withDeadline(query, values, leftMs))
    client.release()
    return result
  } catch (error) {
    const isReported = error instanceof DatabaseError && error.severity !== 'FATAL' && !isStandby(error)
    client.release(isReported ? undefined : (error as Error))
    if (!isReported && isLost(error)) {
      failures.set(error as Error, isStandby(error) ? 'not-sent' : 'unanswered')
      places.get(pool)?.primary.doubt()
    }
    throw error
  }
}

// Where a pool connects to. With several hosts, one of them is the primary.
const places = new WeakMap<Database, { readonly url: string; readonly primary: Primary }>()

// Hosts, ports and database, without the login.
export function nameOf(database: Database): string {
  const { pathname } = new URL(database.options.connectionString ?? '')
  return `${hostsOfDatabase(database)}${pathname}`
}

export function hostsOfDatabase(database: Database): string {
  return hostsOf(places.get(database)?.url ?? '')
}

// Whether the database responds on a new connection, independent of the pool.
export async function respondsDirectly(database: Database, responseMs: number): Promise<boolean> {
  const client = new (places.get(database)?.primary?.Client ?? Client)({
    ...database.options,
    connectionTimeoutMillis: responseMs,
    query_timeout: responseMs,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('SELECT')
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
}

// How far a query got that failed without an error from the server.
const failures = new WeakMap<Error, 'not-sent' | 'unanswered'>()

export async function inTransaction<T>(database: Database, work: (session: Session) => Promise<T>): Promise<T> {
  const client = await database.connect()
  let broken: Error | undefined
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    // After an unanswered query no other gets a response either; closing the connection rolls back.
    if (isQueryTimeout(error)) broken = error
    else
      await client.query('ROLLBACK').catch((rollbackError: Error) => {
        broken = rollbackError
      })
    throw error
  } finally {
    if (broken) places.get(database)?.primary?.doubt()
    client.release(broken)
  }
}

// A session for work that takes longer than a request is allowed to, in a process that also serves requests.
export async function inJob<T>(database: Database, work: (session: Session) => Promise<T>): Promise<T> {
  const { statementMs, responseMs } = jobDeadlines
  const client = await database.connect()
  const session = {
    query: (query: string | QueryConfig, values?: unknown[]) => client.query(withDeadline(query, values, responseMs)),
  } as Session
  let isSound = false
  try {
    await client.query(`SET statement_timeout = ${statementMs}`)
    const result = await work(session)
    await client.query('RESET statement_timeout')
    isSound = true
    return result
  } finally {
    // The session is kept: a new one plans every statement of the housekeeping again.
    client.release(!isSound)
  }
}

// The driver accepts a deadline per query, but its types omit it.
function withDeadline(query: string | QueryConfig, values: unknown[] | undefined, query_timeout: number): QueryConfig {
  const config = typeof query === 'string' ? { text: query, ...(values && { values }) } : query
  return { ...config, query_timeout } as QueryConfig
}

// The server has become a standby and refuses to write. A new connection may find the new primary.
function isStandby(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '25006'
}

// The connection failed, as opposed to a fault of ours such as a result that cannot be parsed.
function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return 'code' in error || /^(Query read timeout|Connection terminated|Client has encountered)/.test(error.message)
}

// The driver's message for a query that timed out on the client.
function isQueryTimeout(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout'
}

// Whether a statement failed because another transaction held a row for longer than lock_timeout.
export function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '55P03'
}

// The slot that a statement would have changed while it is frozen or lives in another database. Nothing was written.
export function movingSlotOf(error: unknown): Slot | undefined {
  return error instanceof DatabaseError && error.code === 'RING5' ? (Number(error.detail) as Slot) : undefined
}

// Whether PostgreSQL is out of disk, memory or connections. Nothing was written.
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof DatabaseError && error.code?.startsWith('53') === true
}

// Whether the query was never sent, a standby refused it or the server cancelled it: nothing was written.
export function isNotDone(error: unknown): boolean {
  if (isRolledBack(error)) return true
  return error instanceof Error && failures.get(error) === 'not-sent'
}

// Whether the response to a query was lost: it may have been executed, or may still be.
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && failures.get(error) === 'unanswered'
}

// statement_timeout or lock_timeout.
export function isRolledBack(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '57014' || error.code === '55P03')
}

// SQL for a function parameter that also sets lock_timeout to the other parameter. It is evaluated before the function
// starts and lasts until the end of the transaction.
export function withLockTimeout(parameter: string, lockParameter: string): string {
  return `CASE WHEN set_config('lock_timeout', ${lockParameter}, true) <> '' THEN ${parameter} END`
}

// PostgreSQL's hex text format for bytea.
export function byteaText(value: Buffer | undefined): string | undefined {
  return value && `\\x${value.toString('hex')}`
}

// All our bigints (53-bit IDs, micro-units) fit a JavaScript number exactly. A larger one is a fault.
const typeParser = ((oid: number, format: 'text') => {
  const bigint: number = types.builtins.INT8
  if (oid === bigint) return exactNumber
  const parse = types.getTypeParser(oid, format)
  // The driver reads an array of bigint as texts.
  return oid === bigintArray ? (text: string) => (parse(text) as unknown as string[]).map(exactNumber) : parse
}) as typeof types.getTypeParser

const bigintArray = 1016

function exactNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('bigint from the database exceeds 2^53')
  return value
}
