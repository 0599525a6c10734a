// Detects a connection pooler in transaction mode between us and the database. LISTEN and prepared statements belong to a
// session; behind such a pooler they are lost without an error, and a revoked key would stay valid.

import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import type { LostInPooler } from '../../domain/installation/database-check.ts'
import { createClock } from '../../process/clock.ts'
import type { Database } from './database.ts'

const notifiedMsMax = 10_000

// In real time, whatever timeScale is: a slow server must not pass for a pooler.
const clock = createClock(1)

// What a pooler takes away: exclusive sessions, or the timeouts set at session start; undefined if nothing. Two connections
// must be two sessions, a connection must stay on one session, and a notification must arrive.
export async function lostInPooler(database: Database, notifiedMs = notifiedMsMax): Promise<LostInPooler | undefined> {
  try {
    return (await sharesSessions(database, notifiedMs)) ? 'sessions' : undefined
  } catch (error) {
    if (error instanceof Error && /unsupported startup parameter/.test(error.message)) return 'deadlines'
    throw error
  }
}

async function sharesSessions(database: Database, notifiedMs: number): Promise<boolean> {
  const listener = await database.connect()
  const other = await database.connect()
  try {
    const pid = await pidOf(listener)
    await other.query('BEGIN')
    const otherPid = await pidOf(other)
    const pidAgain = await pidOf(listener)
    await other.query('ROLLBACK')
    return pid === otherPid || pid !== pidAgain || !(await isNotified(listener, other, notifiedMs))
  } catch (error) {
    // A pooler in statement mode refuses BEGIN.
    if (error instanceof Error && /statement pooling mode/.test(error.message)) return true
    throw error
  } finally {
    listener.release(true)
    other.release(true)
  }
}

async function pidOf(client: PoolClient): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid
}

async function isNotified(listener: PoolClient, other: PoolClient, notifiedMs: number): Promise<boolean> {
  const channel = `probe_${randomUUID().replaceAll('-', '')}`
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timeout = clock.after(notifiedMs, () => resolve(false))
  listener.on('notification', (message) => message.channel === channel && resolve(true))
  await listener.query(`LISTEN ${channel}`)
  await other.query(`NOTIFY ${channel}`)
  const hasArrived = await promise
  timeout.stop()
  return hasArrived
}
