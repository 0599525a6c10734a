// The test API: it responds when a phone rings, to the account of the phone only, and never holds a server or a service up.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { addKey } from '../../server/src/actions/accounts/keys.ts'
import { createService } from '../../server/src/actions/accounts/services.ts'
import { addPhones, setFault } from '../../server/src/db/phones/virtual-phone.ts'
import { noCaps } from '../../server/src/domain/accounts/service.ts'
import { ask } from '../support/http/ask.ts'
import { installPhones, settled } from '../support/process/phones.ts'
import { makeService, serveProcess, type TestService } from '../support/process/server.ts'

const installation = await installPhones(0.5)
const { slots, recordKeys } = installation
const { base, running } = await serveProcess(installation)
const actor = { address: 'test', userAgent: '' }
const live = await makeService(installation)
const own = await makeTestService()
const phone = String(await addPhones(slots.globalDatabase, live.accountId, { count: 1, max: 8 }))

async function makeTestService(): Promise<TestService> {
  const { accountId } = live
  const deps = { slots, recordKeys, randomBytes, newServiceCaps: noCaps }
  const made = await createService(deps, actor, { accountId, name: 'Staging', isTest: true })
  return { accountId, ...made, bearer: { authorization: `Bearer ${made.key}.${made.serviceId}` } }
}

async function wait({ bearer }: Pick<TestService, 'bearer'>, number: string, query = 'timeout=20') {
  return request(`${number}/wait?${query}`, bearer)
}

async function request(path: string, headers: Record<string, string>, method = 'GET') {
  const response = await fetch(`${base}/test/v1/phones/${path}`, { method, headers })
  const text = await response.text()
  const json = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
  return { status: response.status, headers: response.headers, text, json }
}
const call = async (service: TestService, number: string, more = '') =>
  (await ask(`${base}/v1.0/initCall?phone=${number}${more}`, { headers: service.bearer })).json['vendor_id']

test('it responds when the phone rings, with caller ID and code, whichever service of the account called', async () => {
  for (const [service, number] of [
    [own, phone],
    [live, '79000000001'],
  ] as const) {
    const waiting = Promise.all([wait(own, number), wait(live, number)])
    const id = await call(service, number, '&code=4821')
    const expected = { status: true, vendor_id: id, number, from: '70000004821', code: '4821', mode: 'flash' }
    for (const { status, json } of await waiting) assert.deepEqual([status, json], [200, expected])
    const [{ json }] = [await ask(`${base}/v1.0/getInfo?uid=${String(id)}`, { headers: service.bearer })]
    assert.equal(json['call_status'], -1, 'it rings, and has not ended')
    await settled(base, service, id)
  }
})

test('a call that rang a moment before counts; one named by `after`, or of another account, does not', async () => {
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  const id = await call(live, '79000000001', '&code=1234')
  assert.equal((await wait(live, '79000000001')).json['vendor_id'], id)
  assert.equal((await wait(live, '79000000001')).json['vendor_id'], id, 'again, within five seconds')
  const stranger = await makeService(installation)
  const [after, foreign] = await Promise.all([
    wait(live, '79000000001', `timeout=1&after=${String(id)}`),
    wait(stranger, '79000000001', 'timeout=1'),
  ])
  assert.deepEqual([after.status, after.text, foreign.status, foreign.text], [204, '', 204, ''])
  await settled(base, live, id)
})

test('a call that does not ring is a timeout, and a changed caller ID is the one that is shown', async () => {
  const id = await call(live, '79000000002')
  assert.equal((await wait(live, '79000000002', 'timeout=1')).status, 204)
  await settled(base, live, id)
  await setFault(slots.globalDatabase, own.accountId, 'changed-caller', true)
  const after = await call(own, phone, '&code=4821')
  const { json } = await wait(own, phone, `timeout=20&after=${Number(after) - 1}`)
  assert.deepEqual([json['vendor_id'], json['from'], json['code']], [after, '70000005932', '4821'])
  await setFault(slots.globalDatabase, own.accountId, 'changed-caller', false)
})

test('key, scope, number and parameters are checked as for a method', async () => {
  const stranger = await makeService(installation)
  const startOnly = await addKey({ slots, randomBytes }, actor, {
    serviceId: own.serviceId,
    name: 'start-only',
    scopes: ['start'],
    expiresDays: null,
  })
  const without = { bearer: { authorization: `Bearer ${startOnly}.${own.serviceId}` } }
  const refused = await Promise.all([
    request(`${phone}/wait`, {}),
    wait(without, phone),
    wait(stranger, phone),
    wait(own, '79071234567'),
    wait(own, '79000000003'),
    wait(own, 'x'),
    wait(own, phone, 'timeout=0'),
    wait(own, phone, 'timeout=61'),
    wait(own, phone, 'timeout=1&after=last'),
    request(`${phone}/wait`, own.bearer, 'POST'),
  ])
  assert.deepEqual(
    refused.map(({ status, json }) => `${status} ${String(json['code'])}`),
    ['401 401', '401 401', '400 3', '400 3', '400 3', '400 3', '400 2', '400 2', '400 2', '404 404'],
  )
})

test('a service has twenty waits at once; a client that leaves gives its place back', async () => {
  const limited = await makeService(installation)
  const leaving = new AbortController()
  const url = `${base}/test/v1/phones/79000000002/wait?timeout=60`
  const waiting = Array.from({ length: 20 }, async () =>
    fetch(url, { headers: limited.bearer, signal: leaving.signal }).catch(() => 'left'),
  )
  const refusal = async () => {
    for (;;) {
      const more = await wait(limited, '79000000002', 'timeout=1')
      if (more.status !== 204) return more
    }
  }
  const { status, json, headers } = await refusal()
  assert.deepEqual([status, json['code'], headers.get('retry-after')], [503, 5, '1'])
  assert.equal((await wait(live, '79000000002', 'timeout=1')).status, 204, 'other services wait on')
  leaving.abort()
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['left']))
  for (;;) if ((await wait(limited, '79000000002', 'timeout=1')).status === 204) break
})

test('a process that stops ends its waits at once', async () => {
  const waiting = wait(live, '79000000002', 'timeout=60')
  // It has arrived once another request on a new connection is served.
  const shortFromMs = performance.now()
  await wait(live, '79000000002', 'timeout=1')
  const startedMs = performance.now()
  const shortMs = startedMs - shortFromMs
  running.process.kill('SIGTERM')
  assert.equal((await waiting).status, 204)
  assert(performance.now() - startedMs < 4_000 + shortMs, `a wait of a second took ${shortMs} ms`)
})
