// A changed setting of a service or account takes effect at the edge of every process at once.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { blockAccount } from '../../server/src/actions/accounts/accounts.ts'
import { rotateKey } from '../../server/src/actions/accounts/keys.ts'
import { setService } from '../../server/src/actions/accounts/services.ts'
import { type ServiceSettingName, serviceSettings } from '../../server/src/domain/accounts/service.ts'
import { asOwner } from '../support/database/test-database.ts'
import { type Asked, ask, assertRefused } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { install, makeService, serve, type TestService } from '../support/process/server.ts'

const installation = await install()
const behindProxy = { RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const [first, second] = await Promise.all([serve(installation, behindProxy), serve(installation, behindProxy)])
const { slots } = installation
const actor = { address: 'test', userAgent: '' }
const set = ({ serviceId }: TestService, texts: Partial<Record<ServiceSettingName, string>>) =>
  setService({ slots }, actor, { serviceId, texts })
// Each service calls from its own address, so that refused keys of one do not block the next.
const callers: unknown[] = []
function addressOf({ serviceId }: TestService): string {
  if (!callers.includes(serviceId)) callers.push(serviceId)
  return `198.51.100.${callers.indexOf(serviceId) + 1}`
}
const balance = (service: TestService, base = second.base) =>
  ask(`${base}/v1.0/getBalance`, { headers: { ...service.bearer, 'x-forwarded-for': addressOf(service) } })

async function notServed(service: TestService, timeoutMs = 10_000): Promise<void> {
  const status = async () => (await balance(service)).status
  await poll('the service to be refused', status, (value) => value !== 200, { timeoutMs, intervalMs: 1 })
}

// How long a process that has cached the API client serves it after the change.
async function refusedAfterMs(service: TestService, change: () => Promise<unknown>): Promise<number> {
  for (let n = 0; n < 5; n++) assert.equal((await balance(service)).status, 200)
  await change()
  const startedMs = performance.now()
  await notServed(service)
  return performance.now() - startedMs
}

test('after a key rotation, service off or archived, or account block, another process refuses within 100 ms', async () => {
  const changes: [string, (service: TestService) => Promise<unknown>, number, number][] = [
    [
      'rotated',
      (s) => rotateKey({ slots, randomBytes }, actor, { serviceId: s.serviceId, overlapSeconds: 0 }),
      401,
      401,
    ],
    ['off', (s) => set(s, { state: 'off' }), 4, 403],
    ['archived', (s) => set(s, { state: 'archived' }), 1004, 403],
    ['blocked', (s) => blockAccount({ slots }, actor, { accountId: s.accountId, blocked: true }), 1001, 403],
  ]
  for (const [name, change, code, status] of changes) {
    // Median of five: one pause of the machine does not count.
    const afterMs: number[] = []
    for (let n = 0; n < 5; n++) {
      const service = await makeService(installation)
      afterMs.push(await refusedAfterMs(service, () => change(service)))
      assertRefused(await balance(service), code, status)
      await refusedSoon(() => balance(service, first.base), code, status)
    }
    assert(middle(afterMs) < 100, `${name}: served for ${afterMs.map(Math.round).join(', ')} ms more`)
  }
})

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

test('every setting of a service is announced to the processes that cache it', async () => {
  const { rows } = await asOwner(
    (client) =>
      client.query<{ name: string }>(
        `SELECT event_object_column AS name FROM information_schema.triggered_update_columns
         WHERE trigger_name = 'notify_clients_changed' AND event_object_table = 'services'`,
      ),
    installation.database.ownerUrl,
  )
  const announced = rows.map(({ name }) => name).toSorted()
  assert.deepEqual(
    announced,
    Object.values(serviceSettings)
      .map(({ column }) => column)
      .toSorted(),
  )
})

test('a process that lost its LISTEN connection trusts no cached entry', async () => {
  const service = await makeService(installation)
  for (let n = 0; n < 5; n++) assert.equal((await balance(service)).status, 200)
  await asOwner(async (client) => {
    // The seeded fault: the change is made without a notification, so that only a dropped cache entry reveals it.
    await client.query('ALTER TABLE services DISABLE TRIGGER USER')
    await client.query(`UPDATE services SET state = 'off' WHERE id = $1`, [service.serviceId])
    await client.query('ALTER TABLE services ENABLE TRIGGER USER')
  }, installation.database.ownerUrl)
  assert.equal((await balance(service)).status, 200, 'the cached entry is not used while LISTEN is connected')
  // With the application's login, which may end its own sessions: those whose last statement is LISTEN or a ping.
  const ended = await asOwner(
    (client) =>
      client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND query IN ('LISTEN clients_changed', 'SELECT')`,
      ),
    installation.database.url,
  )
  assert.notEqual(ended.rowCount, 0, 'no LISTEN session was found')
  await notServed(service, 1_000)
  assertRefused(await balance(service), 4, 403)
  await poll('the process to listen again', async () => (await ask(`${second.base}/readyz`)).json['listening'] === true)
  const other = await makeService(installation)
  assert((await refusedAfterMs(other, () => set(other, { state: 'off' }))) < 1_000)
})

test('an overlapping key expires without a notification', async () => {
  const service = await makeService(installation)
  assert.equal((await balance(service)).status, 200)
  await rotateKey({ slots, randomBytes }, actor, { serviceId: service.serviceId, overlapSeconds: 1 })
  assert.equal((await balance(service)).status, 200)
  const startedMs = performance.now()
  await notServed(service)
  const lastedMs = performance.now() - startedMs
  assert(lastedMs > 700, `${Math.round(lastedMs)} ms`)
})

// Changes take effect shortly after their commit; other tests measure how fast, here it is only awaited.
async function onceInForce(request: () => Promise<Asked>, isInForce: (asked: Asked) => boolean): Promise<Asked> {
  return poll('the change to be in force', request, isInForce, { intervalMs: 1 })
}

const refusedSoon = async (request: () => Promise<Asked>, code: number, status: number) =>
  assertRefused(await onceInForce(request, ({ json }) => json['code'] === code), code, status)

test('only addresses on the allow-list are served', async () => {
  const service = await makeService(installation)
  await set(service, { addresses: '203.0.113.0/24, 2001:db8::1' })
  await refusedSoon(() => balance(service, first.base), 1003, 403)
  await set(service, { addresses: `127.0.0.0/8, ${addressOf(service)}` })
  const served = await onceInForce(
    () => balance(service, first.base),
    ({ status }) => status === 200,
  )
  assert.equal(served.status, 200)
})

test('the alternative address serves methods and health; a service may refuse it', async () => {
  const service = await makeService(installation)
  assert.equal((await balance(service, first.alternative)).status, 200)
  assert.equal((await ask(`${first.alternative}/health`)).status, 200)
  for (const path of ['/docs', '/openapi.json', '/openapi-v2.json', '/llms.txt'])
    assertRefused(await ask(first.alternative + path), 404, 404)
  await set(service, { 'plain-http': 'off' })
  await refusedSoon(() => balance(service, first.alternative), 1003, 403)
  assert.equal((await balance(service, first.base)).status, 200)
})

test('with status style ok, refusals have status 200, except those of keys and of the request rate', async () => {
  const service = await makeService(installation)
  await set(service, { 'status-style': 'ok' })
  const path = `${first.base}/v1.0/getInfo`
  const hidden = await onceInForce(
    () => ask(path, { headers: service.bearer }),
    ({ status }) => status === 200,
  )
  assertRefused(hidden, 2, 200)
  assertRefused(await ask(`${first.base}/v1.0/nothing`, { headers: service.bearer }), 404, 200)
  const wrong = { authorization: `Bearer ${'x'.repeat(32)}.${service.serviceId}` }
  assertRefused(await ask(path, { headers: wrong }), 401, 401)
})

test('the ID alias names the uid of a request', async () => {
  const service = await makeService(installation)
  const get = (name: string) => ask(`${first.base}/v1.0/getInfo?${name}=12`, { headers: service.bearer })
  assertRefused(await get('other_id'), 2, 400)
  await set(service, { 'id-alias': 'other_id' })
  await refusedSoon(() => get('other_id'), 10, 404)
  assertRefused(await get('uid'), 10, 404)
})

test('an account that must verify its phone may read, but not call', async () => {
  const service = await makeService(installation)
  await slots.globalDatabase.query('UPDATE accounts SET must_verify_phone = true WHERE id = $1', [service.accountId])
  assert.equal((await balance(service, first.base)).status, 200)
  await refusedSoon(() => ask(`${first.base}/v1.0/initCall?phone=79000000001`, { headers: service.bearer }), 1005, 403)
})

test('a mode that is switched off gets code 20, inbound calls included', async () => {
  const service = await makeService(installation)
  const get = (method: string) => ask(`${first.base}/v1.0/${method}phone=79000000001`, { headers: service.bearer })
  await set(service, { modes: 'mix' })
  await refusedSoon(() => get('initCall?'), 20, 400)
  await refusedSoon(() => get('initCall?voice=true&'), 20, 400)
  await refusedSoon(() => get('inboundCallWaiting?callback_url=https://example.org/&'), 20, 400)
  assert.notEqual((await get('initCall?mix=true&')).json['code'], 20)
})
