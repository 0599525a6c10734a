// One PostgreSQL database, and a transaction in it.

import { type ClientBase, DatabaseError, Pool, types } from 'pg'
import { connectionOf } from './connection.ts'

export type Database = Pool

// Whatever a statement can be sent to: a database, or a transaction that is open in it.
export type Session = Pick<ClientBase, 'query'>

export function connect(url: string): Database {
  const pool = new Pool({
    ...connectionOf(url),
    application_name: 'ringproof',
    connectionTimeoutMillis: 5_000,
    max: 10,
    types: { getTypeParser: typeParser },
  })
  // An idle connection that breaks is replaced at its next use, which reports the trouble if it lasts. Without a
  // listener the error would end the process.
  pool.on('error', () => undefined)
  return pool
}

export async function inTransaction<T>(database: Database, work: (session: Session) => Promise<T>): Promise<T> {
  const client = await database.connect()
  let broken: Error | undefined
  // A connection that breaks fails the statement under way; unheard, the event would end the process besides.
  client.on('error', ignore)
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    throw error
  } finally {
    client.off('error', ignore)
    client.release(broken)
  }
}

function ignore(): void {}

// Whether a statement gave up because somebody else held a row for longer than lock_timeout.
export function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '55P03'
}

// Whether PostgreSQL has no room for it: its disk is full, or its memory, or it has no connection left. Nothing was written.
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof DatabaseError && error.code?.startsWith('53') === true
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
  if (!Number.isSafeInteger(value)) throw new RangeError('the record holds a number that is too large to be exact')
  return value
}
