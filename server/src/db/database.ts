// One PostgreSQL database, and a transaction in it.
//
// Every query has a deadline on both sides. The server cancels a statement that takes too long; where the server itself is
// silent (a frozen backend, a link without RST), the client gives up a second later and destroys the connection. Between two
// queries TCP keepalive finds a dead peer. Node cannot set TCP_USER_TIMEOUT on its own socket: the deadline stands in for it
// here, and the server is asked to set it on its side.

import { Client, type ClientBase, DatabaseError, Pool, type QueryConfig, types } from 'pg'
import { createClock } from '../clock.ts'
import { type DatabaseRole, groupOf } from '../domain/database-role.ts'
import { connectionOf } from './connection.ts'

// Real time, whatever the scale of the product's.
const clock = createClock(1)

export type Database = Pool

// Whatever a statement can be sent to: a database, or a transaction that is open in it.
export type Session = Pick<ClientBase, 'query'>

export type Deadlines = {
  // After this the server cancels a statement.
  readonly statementMs: number
  // After this the client gives up, whatever the server does: the wait for a connection and the query together.
  readonly responseMs: number
}

// For requests, and for everything that works in small steps beside them.
export const requestDeadlines: Deadlines = { statementMs: 4_000, responseMs: 5_000 }
// For housekeeping and for the operator's commands: an audit or a drop of a partition reads a lot.
export const jobDeadlines: Deadlines = { statementMs: 600_000, responseMs: 605_000 }

const connectMs = 3_000
// Connections of a pool at most. A process with all roles has 28 to each database, one that serves the API alone 10.
const connectionsMax: Readonly<Record<DatabaseRole, number>> = {
  api: 10,
  calls: 10,
  webhooks: 4,
  keeper: 4,
  operator: 4,
}
// A transaction that its client forgot, or that a suspended command left open, must not hold rows for longer.
const idleInTransactionMs = 5_000
export const lockMs = 2_000
const keepAliveMs = 5_000
const serverSide =
  '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=5 -c tcp_user_timeout=6000'

// With a role, every session of the login has the rights of that role and no others.
export function connect(
  url: string,
  { statementMs, responseMs }: Deadlines = requestDeadlines,
  role?: DatabaseRole,
): Database {
  const pool = new Pool({
    ...connectionOf(url, role ? `${serverSide} -c role=${groupOf(role)}` : serverSide),
    application_name: role ? `ringproof ${role}` : 'ringproof',
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    query_timeout: responseMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    max: role ? connectionsMax[role] : 10,
    types: { getTypeParser: typeParser },
  })
  // An idle connection that breaks is replaced at its next use, which reports the trouble if it lasts. One that breaks while
  // it is in use fails its query. Without listeners either would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.query = ((query: string | QueryConfig, values?: unknown[]) =>
    ask(pool, responseMs, query, values)) as Pool['query']
  return pool
}

// The pool's own query closes the connection after every error. An error that the server reports leaves the session usable,
// and a lock timeout must not cost a reconnect.
async function ask(pool: Pool, responseMs: number, query: string | QueryConfig, values?: unknown[]): Promise<unknown> {
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
    const isTold = error instanceof DatabaseError && error.severity !== 'FATAL'
    client.release(isTold ? undefined : (error as Error))
    if (!isTold && isLost(error)) failures.set(error as Error, 'unanswered')
    throw error
  }
}

// Whether the database answers over a connection of its own, whatever the pool is doing.
export async function answersDirectly(database: Database, responseMs: number): Promise<boolean> {
  const client = new Client({ ...database.options, connectionTimeoutMillis: responseMs, query_timeout: responseMs })
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

// What is known of a query that failed without a word of the server's.
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
    // Behind a query without an answer nothing else is answered either; the end of the connection is the rollback.
    if (isSilence(error)) broken = error
    else
      await client.query('ROLLBACK').catch((rollbackError: Error) => {
        broken = rollbackError
      })
    throw error
  } finally {
    client.release(broken)
  }
}

// A session for work that takes longer than a request may, in a process that also serves requests.
export async function inJob<T>(database: Database, work: (session: Session) => Promise<T>): Promise<T> {
  const { statementMs, responseMs } = jobDeadlines
  const client = await database.connect()
  const session = {
    query: (query: string | QueryConfig, values?: unknown[]) => client.query(withDeadline(query, values, responseMs)),
  } as Session
  try {
    await client.query(`SET statement_timeout = ${statementMs}`)
    return await work(session)
  } finally {
    // The setting goes with the session.
    client.release(true)
  }
}

// The driver takes a deadline with each query; its types do not know.
function withDeadline(query: string | QueryConfig, values: unknown[] | undefined, query_timeout: number): QueryConfig {
  const config = typeof query === 'string' ? { text: query, ...(values && { values }) } : query
  return { ...config, query_timeout } as QueryConfig
}

// As opposed to a fault of ours, such as an answer that cannot be read.
function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return 'code' in error || /^(Query read timeout|Connection terminated|Client has encountered)/.test(error.message)
}

// The driver's own words for a query that was not answered in time.
function isSilence(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout'
}

// Whether a statement gave up because somebody else held a row for longer than lock_timeout.
export function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '55P03'
}

// Whether PostgreSQL has no room for it: its disk is full, or its memory, or it has no connection left. Nothing was written.
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof DatabaseError && error.code?.startsWith('53') === true
}

// Whether the database could not be asked, or cancelled the work itself: nothing was written.
export function isNotDone(error: unknown): boolean {
  if (error instanceof DatabaseError && isRolledBack(error)) return true
  return error instanceof Error && failures.get(error) === 'not-sent'
}

// Whether the answer to a query was lost: it may have been done, or may be done yet.
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && failures.get(error) === 'unanswered'
}

// A lock or the statement itself took too long.
function isRolledBack({ code }: DatabaseError): boolean {
  return code === '57014' || code === '55P03'
}

// SQL for a parameter of a function. It is evaluated before the function begins, and from then on to the end of the
// transaction locks are waited for as long as the other parameter says.
export function withLockTimeout(parameter: string, lockParameter: string): string {
  return `CASE WHEN set_config('lock_timeout', ${lockParameter}, true) <> '' THEN ${parameter} END`
}

// As PostgreSQL reads bytes in a text.
export function byteaText(value: Buffer | undefined): string | undefined {
  return value && `\\x${value.toString('hex')}`
}

// Our bigints (ids of 53 bits, micro-roubles) all fit a number exactly, and arrive as one. Anything larger is a fault.
const typeParser = ((oid: number, format: 'text') => {
  const bigint: number = types.builtins.INT8
  return oid === bigint ? exactNumber : types.getTypeParser(oid, format)
}) as typeof types.getTypeParser

function exactNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('the database holds a number that is too large to be exact')
  return value
}
