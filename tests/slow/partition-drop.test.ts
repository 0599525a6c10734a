// Old partitions are dropped while calls start and a real pg_dump reads everything. The dump is prolonged: its output
// is not read for a while. `npm run verify -- drop`.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { postgresProgram } from '../../scripts/stack/parts/postgres.ts'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { asOwner } from '../support/database/test-database.ts'
import { poll } from '../support/poll.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serveProcess, type TestService } from '../support/process/server.ts'

const oldDays = 3
const rowsADay = 20_000
const requestsPerSecond = 30
const phaseMs = 30_000
const successMin = 0.99
const slowerMax = 2

const installation = await installPhones(1)
const { ownerUrl } = installation.database
const services = await Promise.all(Array.from({ length: 6 }, () => makeService(installation, 10_000)))
await fillOldDays()
const { base } = await serveProcess(installation, {}, '--roles', 'api,calls,webhooks')

type Figures = { readonly success: number; readonly p50Ms: number; readonly p99Ms: number; readonly count: number }

test('dropping old partitions during a pg_dump slows no request down', { timeout: 300_000 }, async (t) => {
  await load(5_000)
  const before = await load(phaseMs)

  const dump = spawn(await postgresProgram('pg_dump'), ['--dbname', ownerUrl], { stdio: ['ignore', 'pipe', 'inherit'] })
  const dumpEnd = once(dump, 'close')
  await untilItReads()
  const [during] = await Promise.all([load(phaseMs), housekeepingRound('"step":"drop-verifications"')])
  assert.equal(await oldPartitions(), oldDays, 'the partitions are still there during the dump')
  assert.equal(dump.exitCode, null, 'pg_dump is still reading')
  dump.stdout.resume()
  const [status] = await dumpEnd
  assert.equal(status, 0, 'pg_dump succeeded')

  const [dropping] = await Promise.all([load(phaseMs), housekeepingRound('"msg":"partition dropped"')])
  assert(((await oldPartitions()) ?? oldDays) < oldDays, 'no old partition was dropped')
  for (const [name, figures] of Object.entries({ before, during, dropping })) {
    const { count, success, p50Ms, p99Ms } = figures
    t.diagnostic(`${name}: ${count} starts, ${(success * 100).toFixed(2)} % accepted, p50 ${p50Ms} ms, p99 ${p99Ms} ms`)
  }
  for (const figures of [during, dropping]) {
    assert(figures.success >= successMin, `success ${figures.success}`)
    assert(figures.p99Ms <= before.p99Ms * slowerMax, `p99 ${figures.p99Ms} ms, before ${before.p99Ms} ms`)
  }
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

// A keeper's first round runs at its start, so one is started for each round.
async function housekeepingRound(words: string): Promise<void> {
  await sleep(phaseMs / 3)
  const keeper = await serveProcess(installation, { RINGPROOF_SWITCH: '' }, '--roles', 'keeper')
  await keeper.running.says(words)
  keeper.running.process.kill('SIGTERM')
  await keeper.running.ended
}

// Open loop: a slow response does not thin out the load.
async function load(durationMs: number): Promise<Figures> {
  const startedMs = performance.now()
  const count = Math.round((durationMs / 1_000) * requestsPerSecond)
  const took: Promise<number | undefined>[] = []
  for (let n = 0; n < count; n++) {
    await sleep(Math.max(0, startedMs + (n * durationMs) / count - performance.now()))
    took.push(startCall(services[n % services.length] as TestService))
  }
  const all = await Promise.all(took)
  const ms = all.filter((one) => one !== undefined).toSorted((a, b) => a - b)
  const at = (part: number) => Math.round(ms[Math.min(ms.length - 1, Math.floor(ms.length * part))] ?? Number.NaN)
  return { count, success: ms.length / count, p50Ms: at(0.5), p99Ms: at(0.99) }
}

// The milliseconds it took, or undefined if it was not accepted.
async function startCall({ bearer }: TestService): Promise<number | undefined> {
  const fromMs = performance.now()
  const response = await fetch(`${base}/v1.0/initCall`, {
    method: 'POST',
    headers: { ...bearer, 'content-type': 'application/json' },
    body: JSON.stringify({ phone: freshNumber('180') }),
    signal: AbortSignal.timeout(10_000),
  }).catch(() => undefined)
  await response?.text()
  return response?.status === 200 ? performance.now() - fromMs : undefined
}

async function fillOldDays(): Promise<void> {
  await asOwner(async (client) => {
    for (let nth = 0; nth < oldDays; nth++) {
      const day = `(now() AT TIME ZONE 'UTC')::date - date '2026-01-01' - ${40 + nth}`
      await client.query(`SELECT make_partition('verifications', 1, ${day}, '')`)
      await client.query(
        `INSERT INTO verifications (id, account_id, service_id, mode, state, phone_hash, person_sealed, country, code,
           price, balance_before, start_until, end_until, ended_at, reason)
         SELECT (((${day})::bigint * 86400 + n / 1000) << 23) | (($1::integer % 64)::bigint << 17) | (n % 1000), $1, $2,
           'flash', 'succeeded', sha256(n::text::bytea), '\\x00', 'RU', '0001', 0, 0, now(), now(), now(), 'rang'
         FROM generate_series(1, $3) AS n`,
        [services[0]?.accountId, services[0]?.serviceId, rowsADay],
      )
    }
  }, ownerUrl)
}

async function oldPartitions(): Promise<number | undefined> {
  const sql = `SELECT count(*)::int AS count FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'verifications'::regclass AND to_date(right(c.relname, 8), 'YYYYMMDD') < now() - interval '35 days'`
  return asOwner(async (client) => (await client.query<{ count: number }>(sql)).rows[0]?.count, ownerUrl)
}

async function untilItReads(): Promise<void> {
  const sql = `SELECT FROM pg_locks AS l JOIN pg_stat_activity AS a USING (pid)
    WHERE l.relation = 'verifications'::regclass AND a.application_name = 'pg_dump' AND l.granted`
  await asOwner(async (client) => {
    await poll('pg_dump to read the table', async () => (await client.query(sql)).rowCount)
  }, ownerUrl)
}
