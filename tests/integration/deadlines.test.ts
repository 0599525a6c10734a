import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  connect,
  type Database,
  inJob,
  inTransaction,
  isNotDone,
  isUnanswered,
  jobDeadlines,
} from '../../server/src/db/core/database.ts'
import { atEnd } from '../support/at-end.ts'
import { asOwner, testDatabase } from '../support/database/test-database.ts'
import { createBreakableProxy } from '../support/network/breakable-proxy.ts'

const { url, ownerUrl } = await testDatabase()
const short = { statementMs: 300, responseMs: 600 }

function opened(through: string, ...deadlines: [] | [typeof short]): Database {
  const database = connect(through, ...deadlines)
  atEnd(() => database.end())
  return database
}

async function failureOf(work: Promise<unknown>): Promise<{ readonly error: Error & { code?: string }; ms: number }> {
  const startedMs = performance.now()
  const [ended] = await Promise.allSettled([work])
  assert(ended?.status === 'rejected' && ended.reason instanceof Error)
  return { error: ended.reason, ms: performance.now() - startedMs }
}

async function pidOf(database: Database): Promise<number> {
  const { rows } = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid ?? 0
}

test('every session sets its timeouts on the server; a job has longer ones', async () => {
  const settingsOf = async (database: Database) => {
    const { rows } = await database.query<Record<string, string>>(
      `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
         current_setting('idle_in_transaction_session_timeout') AS idle,
         current_setting('tcp_keepalives_idle') AS keepalive, current_setting('tcp_user_timeout') AS unacknowledged`,
    )
    return rows[0]
  }
  const always = { lock: '2s', idle: '5s', keepalive: '5', unacknowledged: '6000' }
  assert.deepEqual(await settingsOf(opened(url)), { statement: '4s', ...always })
  assert.deepEqual(await settingsOf(opened(url, jobDeadlines)), { statement: '10min', ...always })
})

test('a slow or blocked statement is cancelled by the server, and its session stays usable', async () => {
  const database = opened(url, short)
  const pid = await pidOf(database)
  const { error } = await failureOf(database.query('SELECT pg_sleep(10)'))
  assert.equal(error.code, '57014')
  assert(isNotDone(error) && !isUnanswered(error))
  await asOwner(async (owner) => {
    await owner.query('BEGIN')
    await owner.query('LOCK TABLE accounts')
    const locked = await failureOf(
      database.query(`SELECT set_config('lock_timeout', '50', false); SELECT FROM accounts`),
    )
    assert.equal(locked.error.code, '55P03')
    assert(isNotDone(locked.error))
    await owner.query('ROLLBACK')
  }, ownerUrl)
  assert.equal(await pidOf(database), pid)
})

test('a silent connection times out and is destroyed, and the next query uses another', async () => {
  const line = await createBreakableProxy(Number(new URL(url).port))
  const through = new URL(url)
  through.port = String(line.port)
  const database = opened(through.href, short)
  const pid = await pidOf(database)
  line.silence()
  const destroyed = line.abandoned()
  const { error, ms } = await failureOf(database.query('SELECT'))
  assert(isUnanswered(error) && !isNotDone(error), error.message)
  assert(ms >= 500 && ms < 5_000, `${ms} ms`)
  await destroyed
  line.restore()
  assert.notEqual(await pidOf(database), pid)
})

test('a silent transaction times out once, without a second wait for its rollback', async () => {
  const line = await createBreakableProxy(Number(new URL(url).port))
  const through = new URL(url)
  through.port = String(line.port)
  const database = opened(through.href, short)
  await pidOf(database)
  line.silence()
  const { ms: onceMs } = await failureOf(database.query('SELECT'))
  line.restore()
  let destroyed: Promise<void> | undefined
  const { ms } = await failureOf(
    inTransaction(database, async (session) => {
      line.silence()
      destroyed = line.abandoned()
      await session.query('SELECT')
    }),
  )
  assert(ms < onceMs + short.responseMs / 2, `${ms} ms, and ${onceMs} ms for a query`)
  await destroyed
})

test('an unreachable database counts as not done', async () => {
  const line = await createBreakableProxy(1)
  const through = new URL(url)
  through.port = String(line.port)
  const { error } = await failureOf(opened(through.href, short).query('SELECT'))
  assert(isNotDone(error) && !isUnanswered(error), error.message)
})

test('a job may run longer than a request, does not change the timeout of requests, and keeps its session', async () => {
  const database = opened(url, short)
  const pid = await pidOf(database)
  await inJob(database, (session) => session.query('SELECT pg_sleep(0.8)'))
  const { error } = await failureOf(database.query('SELECT pg_sleep(10)'))
  assert.equal(error.code, '57014')
  assert.equal(await pidOf(database), pid)
})

test('a job that fails leaves no session with its timeout', async () => {
  const database = opened(url, short)
  const pid = await pidOf(database)
  await failureOf(inJob(database, (session) => session.query('SELECT 1 / 0')))
  const { error } = await failureOf(database.query('SELECT pg_sleep(10)'))
  assert.equal(error.code, '57014')
  assert.notEqual(await pidOf(database), pid)
})
