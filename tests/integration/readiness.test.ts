import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, type Database } from '../../server/src/db/core/database.ts'
import { type Health, type HealthWatch, watchHealth } from '../../server/src/engine/core/watch-health.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { ask, assertRefused } from '../support/http/ask.ts'
import { createBreakableProxy } from '../support/network/breakable-proxy.ts'
import { poll } from '../support/poll.ts'
import { install, makeService, serveProcess } from '../support/process/server.ts'

const installation = await install()
const service = await makeService(installation)

// Resolves to the first health state that fits, as the watch reports it.
async function watching(
  database: Database,
  fits: (health: Health) => boolean,
): Promise<{ watch: HealthWatch; seen: Promise<Health> }> {
  const found = Promise.withResolvers<Health>()
  const onProbe = (health: Health) => (fits(health) ? found.resolve(health) : undefined)
  const watch = await watchHealth({ slots: { databases: [database] }, clock: createClock(1), onProbe })
  return { watch, seen: found.promise }
}

test('an exhausted pool in front of a working database is reported as a fault of the process', async () => {
  const database = connect(installation.database.url)
  const { watch, seen } = await watching(database, ({ pool }) => !pool)
  assert.deepEqual(watch.current(), { database: true, pool: true, eventLoop: true })
  const taken = await Promise.all(Array.from({ length: 10 }, () => database.connect()))
  assert.deepEqual(await seen, { database: true, pool: false, eventLoop: true })
  for (const client of taken) client.release()
  await watch.close()
  await database.end()
})

test('a blocked event loop is reported', async () => {
  const database = connect(installation.database.url)
  const { watch, seen } = await watching(database, ({ eventLoop }) => !eventLoop)
  const untilMs = performance.now() + 4_000
  while (performance.now() < untilMs);
  await seen
  await watch.close()
  await database.end()
})

test('while the database is down: ready, code 5, and /health 503; it recovers when the database is back', async () => {
  const url = new URL(installation.database.url)
  const line = await createBreakableProxy(Number(url.port))
  url.port = String(line.port)
  const { base, metrics } = await serveProcess(installation, { RINGPROOF_DATABASE_URL: url.href }, '--roles', 'api')
  line.silence()
  const asked = await ask(`${base}/v1.0/getBalance`, { headers: service.bearer })
  assertRefused(asked, 5, 503)
  assert.equal(asked.headers.get('retry-after'), '1')
  const databaseState = async () => {
    const { status, json } = await ask(`${base}/readyz`)
    assert.equal(status, 200, 'not a fault of this process')
    return json['database']
  }
  await poll('the database to be reported down', databaseState, (isUp) => isUp === false)
  assert.deepEqual((await ask(`${base}/health`)).json, { status: false, database: false, providers: false })
  assert.equal((await fetch(`${base}/health`, { method: 'HEAD' })).status, 503)
  assert.match(await (await fetch(metrics)).text(), /^ringproof_database_up 0$/m)
  assert.match(await (await fetch(metrics)).text(), /^ringproof_unavailable_total\{cause="database_down"\} 1$/m)
  line.restore()
  await poll('the database to be reported up', databaseState, (isUp) => isUp === true)
  assert.equal((await ask(`${base}/health`)).status, 200)
  assert.equal((await ask(`${base}/v1.0/getBalance`, { headers: service.bearer })).status, 200)
})

test('pages without a key are rate-limited by address and query no database', async () => {
  const { base } = await serveProcess(installation, { RINGPROOF_REQUESTS_PER_SECOND: '30' }, '--roles', 'api')
  const countQueries = async () => {
    const { rows } = await installation.slots.globalDatabase.query<{ count: number }>(
      `SELECT sum(xact_commit)::integer AS count FROM pg_stat_database WHERE datname = current_database()`,
    )
    return rows[0]?.count ?? 0
  }
  const queriesBefore = await countQueries()
  for (const path of ['/health', '/readyz', '/docs']) {
    const startedMs = performance.now()
    const statuses = await Promise.all(Array.from({ length: 300 }, async () => (await fetch(`${base}${path}`)).status))
    const seconds = (performance.now() - startedMs) / 1_000
    const served = statuses.filter((status) => status === 200).length
    const allowed = path === '/readyz' ? 0 : 30
    assert(served >= allowed && served <= 31 + 30 * seconds, `${path}: ${served} in ${seconds} s`)
    assert.equal(statuses.filter((status) => status === 429).length, 300 - served)
  }
  assert((await countQueries()) - queriesBefore < 300, 'more than one query for three requests')
  assert.equal(
    (await ask(`${base}/v1.0/getBalance`, { headers: service.bearer })).status,
    200,
    'methods have their own limit',
  )
})

test('HEAD and unknown paths without a key are no failed logins; with a wrong key they are', async () => {
  const { base } = await serveProcess(installation, {}, '--roles', 'api')
  for (let n = 0; n < 12; n++) {
    assert.equal((await fetch(`${base}/health`, { method: 'HEAD' })).status, 200)
    assertRefused(await ask(`${base}/nothing-${n}`), 401, 401)
    assert.equal((await fetch(`${base}/v1.0/getBalance`, { method: 'HEAD' })).status, 401)
  }
  assert.equal((await ask(`${base}/v1.0/getBalance`, { headers: service.bearer })).status, 200)
  const wrong = { authorization: `Bearer ${'k'.repeat(32)}.${service.serviceId}` }
  const asked = await Promise.all(Array.from({ length: 20 }, () => ask(`${base}/nothing`, { headers: wrong })))
  assert(asked.some(({ json }) => json['code'] === 0))
})

test('an untrusted proxy on this machine is logged once, with the setting', async () => {
  const { base, running, output } = await serveProcess(installation, {}, '--roles', 'api')
  assert(!output().includes('RINGPROOF_TRUSTED_PROXIES'))
  for (let n = 0; n < 3; n++) await ask(`${base}/livez`, { headers: { 'x-forwarded-for': '198.51.100.7' } })
  running.process.kill('SIGTERM')
  await running.ended
  const warnings = output().match(/RINGPROOF_TRUSTED_PROXIES=127\.0\.0\.1/g)
  assert.equal(warnings?.length, 1)
  const trusting = await serveProcess(installation, { RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }, '--roles', 'api')
  await ask(`${trusting.base}/livez`, { headers: { 'x-forwarded-for': '198.51.100.7' } })
  assert(!trusting.output().includes('X-Forwarded-For ignored'))
})

test('a process that drains reports 503 to the load balancer, and serves until it closes', async () => {
  const { base, running } = await serveProcess(installation, { RINGPROOF_DRAIN_SECONDS: '3' }, '--roles', 'api')
  running.process.kill('SIGTERM')
  await poll('the process to report that it stops', async () => (await ask(`${base}/readyz`)).status === 503)
  const stoppingMs = performance.now()
  while (performance.now() - stoppingMs < 1_500) {
    assert.equal((await ask(`${base}/v1.0/getBalance`, { headers: service.bearer })).status, 200)
  }
  assert.equal((await running.ended).status, 0)
})
