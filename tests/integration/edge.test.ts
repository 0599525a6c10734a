// Rules of the HTTP edge that are the same for all methods, tested from outside.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examples } from '@ringproof/contract/examples.ts'
import { methods } from '@ringproof/contract/methods.ts'
import { responses } from '@ringproof/contract/responses.ts'
import { Compile } from 'typebox/compile'
import { ask, assertRefused } from '../support/http/ask.ts'
import { install, makeService, serve } from '../support/process/server.ts'

const installation = await install()
const [a, b] = [await makeService(installation), await makeService(installation)]
const { base } = await serve(installation)

// Too many wrong keys block an address, so each request gets its own.
let addresses = 0
const somewhere = () => ({ 'x-forwarded-for': `198.51.100.${++addresses % 250}` })
const proxied = await serve(installation, { RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' })
const refuseKey = async (path: string, request: Parameters<typeof ask>[1] = {}) =>
  assertRefused(
    await ask(proxied.base + path, { ...request, headers: { ...somewhere(), ...request.headers } }),
    401,
    401,
  )

const balance = '/v1.0/getBalance'
const query = (key: string, id: unknown) => `${balance}?key=${key}&service_id=${String(id)}`
const form = { 'content-type': 'application/x-www-form-urlencoded' }

test('each of the three authentication schemes works for every method', async () => {
  for (const method of ['getAccount', 'getService', 'getBalance'] as const) {
    const path = `${base}/v1.0/${method}`
    for (const asked of [
      await ask(path, { headers: a.bearer }),
      await ask(path, { headers: a.bearer, method: 'POST' }),
      await ask(`${path}?key=${a.key}&service_id=${a.serviceId}`),
      await ask(path, { method: 'POST', body: { key: a.key, service_id: a.serviceId } }),
      await ask(path, { method: 'POST', body: { key: a.key, service_id: String(a.serviceId) } }),
      await ask(path, { method: 'POST', headers: form, body: `key=${a.key}&service_id=${a.serviceId}` }),
      await ask(path, {
        method: 'POST',
        body: new TextEncoder().encode(JSON.stringify({ key: a.key, service_id: a.serviceId })),
      }),
    ]) {
      assert.equal(asked.status, 200, asked.text)
      assert(Compile(responses[method]).Check(asked.json), asked.text)
    }
  }
})

test('a missing, malformed, unknown or wrong key gets 401', async () => {
  for (const authorization of [
    `Bearer ${'x'.repeat(32)}.${a.serviceId}`,
    `Bearer ${a.key}.${b.serviceId}`,
    `Bearer ${a.key}.999999999`,
    `Bearer ${a.key}.0${a.serviceId}`,
    `Bearer ${a.key}`,
    `Bearer ${a.key}.`,
    `Bearer .${a.serviceId}`,
    `Bearer ${a.key}.${a.serviceId}.1`,
    `Basic ${a.key}.${a.serviceId}`,
    'Bearer',
  ]) {
    await refuseKey(balance, { headers: { authorization } })
  }
  await refuseKey(balance)
  await refuseKey(query(a.key, ''))
  await refuseKey(query('', a.serviceId))
  await refuseKey(`${query(a.key, a.serviceId)}&key=${a.key}`)
  await refuseKey(balance, { method: 'POST', body: { key: [a.key], service_id: a.serviceId } })
  await refuseKey(balance, { method: 'POST', body: { key: a.key, service_id: { toString: 1 } } })
  const twiceSigned = `{"key":"${a.key}","key":"${a.key}","service_id":${a.serviceId}}`
  await refuseKey(balance, { method: 'POST', body: Buffer.from(twiceSigned) })
})

test('the query string of a POST is ignored, and two schemes in one request must agree', async () => {
  await refuseKey(query(a.key, a.serviceId), { method: 'POST', body: {} })
  await refuseKey(query(b.key, b.serviceId), { headers: a.bearer })
  await refuseKey(`${balance}?key=${b.key}`, { headers: a.bearer })
  await refuseKey(balance, { method: 'POST', headers: a.bearer, body: { key: b.key, service_id: b.serviceId } })
  await refuseKey(query(a.key, a.serviceId), { headers: { authorization: 'Basic eDp5' } })
  for (const asked of [
    await ask(base + query(a.key, a.serviceId), { headers: a.bearer }),
    await ask(base + balance, { method: 'POST', headers: a.bearer, body: { key: a.key } }),
    await ask(base + query(b.key, b.serviceId), { method: 'POST', headers: a.bearer }),
  ]) {
    assert.equal(asked.status, 200, asked.text)
  }
})

test('errors are reported in the order key, path, verb, body', async () => {
  await refuseKey('/v1.0/noSuchMethod')
  await refuseKey(balance, { method: 'PUT' })
  await refuseKey('/')
  for (const path of ['/v1.0/noSuchMethod', '/v1.0', '/v2.0/getBalance', '/v1.0/getbalance', '/v1.0/getBalance/x']) {
    assertRefused(await ask(base + path, { headers: a.bearer }), 404, 404)
  }
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const asked = await ask(base + balance, { method, headers: a.bearer })
    assertRefused(asked, 405, 405)
    assert.equal(asked.headers.get('allow'), 'GET, POST')
  }
})

test('extra slashes are tolerated; the root names the service and its version', async () => {
  for (const path of ['/v1.0/getBalance/', '//v1.0//getBalance', '/v1.0/getBalance///']) {
    assert.equal((await ask(base + path, { headers: a.bearer })).status, 200, path)
  }
  const root = await ask(`${base}/`, { headers: a.bearer })
  assert.deepEqual(Object.keys(root.json), ['status', 'name', 'version', 'docs'])
})

test('public pages need no key and have the right content type', async () => {
  for (const [path, type] of [
    ['/docs', 'text/html'],
    ['/docs.md', 'text/markdown'],
    ['/docs/guides/quickstart.md', 'text/markdown'],
    ['/examples/php/call.php', 'text/plain'],
    ['/llms.txt', 'text/plain'],
  ] as const) {
    const response = await fetch(base + path)
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, `${type}; charset=utf-8`], path)
    assert((await response.text()).length > 100)
  }
})

test('an unreadable body gets 400 with a valid key in the header, and 401 otherwise', async () => {
  const large = `{"pad":"${'x'.repeat(16_384)}"}`
  const bodies = [
    [{}, '{', 400],
    [{ 'content-type': 'application/json' }, '[1]', 400],
    [{ 'content-type': 'application/json' }, '"text"', 400],
    [{ 'content-type': 'application/json' }, 'null', 400],
    [{ 'content-type': 'application/json' }, Buffer.from([0x7b, 0xff, 0x7d]), 400],
    [{ 'content-type': 'text/xml' }, '<a/>', 415],
    [{ 'content-type': ';;' }, '{}', 415],
    [{ 'content-type': 'application/json' }, large, 413],
  ] as const
  for (const [headers, body, status] of bodies) {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    assertRefused(
      await ask(base + balance, { method: 'POST', headers: { ...headers, ...a.bearer }, body: bytes }),
      1,
      status,
    )
    await refuseKey(balance, { method: 'POST', headers, body: bytes })
  }
})

test('accepts a body of exactly 16 KiB, a byte order mark, an empty body of any type and unknown fields', async () => {
  const post = (body: Uint8Array | string, headers = {}) =>
    ask(base + balance, { method: 'POST', headers: { ...a.bearer, ...headers }, body })
  const frame = '{"pad":""}'.length
  for (const asked of [
    await post(`{"pad":"${'x'.repeat(16_384 - frame)}"}`, { 'content-type': 'application/json' }),
    await post(Buffer.from('\uFEFF{}'), { 'content-type': 'application/json; charset=utf-8' }),
    await post('', { 'content-type': 'text/xml' }),
    await post(Buffer.from('{}'), { 'content-type': '' }),
    await post('{"__proto__":{"x":1},"constructor":1,"a":{"b":[1]}}', { 'content-type': 'application/json' }),
  ]) {
    assert.equal(asked.status, 200, asked.text)
  }
})

test('parameters are validated first, and the error names the parameter', async () => {
  const call = (body: unknown) => ask(`${base}/v1.0/initCall`, { method: 'POST', headers: a.bearer, body })
  for (const [body, code, word] of [
    [{}, 2, /phone/],
    [{ phone: null }, 2, /phone/],
    [{ phone: '7916' }, 3, /7 to 15 digits/],
    [{ phone: '89000000001' }, 3, /begins with 8/],
    [{ phone: '+7 (900) 000-00-01' }, 3, /digits only/],
    [{ phone: ' 79000000001' }, 3, /%2B/],
    [{ phone: '00790000001' }, 3, /begins with 0/],
    [{ phone: ['79000000001'] }, 3, /more than once/],
    [{ phone: '78001234567' }, 3, /never called/],
    [{ phone: '79991' }, 3, /7 to 15 digits/],
    [{ phone: 79000000001, code: '0000' }, 2, /code/],
    [{ phone: 79000000001, code: true }, 2, /code/],
    [{ phone: 79000000001, client: 'x'.repeat(65) }, 2, /client/],
    [{ phone: 79000000001, unique: '' }, 2, /unique/],
    [{ phone: 79000000001, mix: 'yes' }, 2, /mix/],
  ] as const) {
    const asked = await call(body)
    assertRefused(asked, code, 400)
    assert.match(String(asked.json['error']), word)
  }
  const uidTwice = Buffer.from('{"uid":1,"uid":1}')
  const twice = await ask(`${base}/v1.0/getInfo`, { method: 'POST', headers: a.bearer, body: uidTwice })
  assertRefused(twice, 2, 400)
  for (const uid of ['9007199254740993', '1e3', '007', '0', '-1', '1.0']) {
    assertRefused(await ask(`${base}/v1.0/getInfo?uid=${uid}`, { headers: a.bearer }), 2, 400)
  }
  for (const url of ['nonsense', 'ftp://shop.example/', 'http://u:p@shop.example/', 'javascript:1']) {
    const body = { phone: 79000000001, callback_url: url }
    const asked = await ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers: a.bearer, body })
    assertRefused(asked, 2, 400)
    assert.match(String(asked.json['error']), /callback_url/)
  }
})

test('golden requests are accepted; without a call queue the calling methods return code 5', async () => {
  for (const method of methods) {
    const asked = await ask(`${base}/v1.0/${method}`, {
      method: 'POST',
      headers: a.bearer,
      body: examples[method].request,
    })
    if (method === 'initRepeat') {
      assertRefused(asked, 405, 405)
      assert(asked.headers.get('deprecation') && asked.headers.get('sunset'))
    } else if (method === 'getInfo') assertRefused(asked, 10, 404)
    else if (method.startsWith('get') || method === 'checkPhone') assert.equal(asked.status, 200)
    else {
      assertRefused(asked, 5, 503)
      assert(Number(asked.headers.get('retry-after')) >= 1)
    }
  }
})

test('refusals are in Russian if Accept-Language prefers it', async () => {
  const errorIn = async (language: string) =>
    String((await ask(`${base}/v1.0/getInfo`, { headers: { ...a.bearer, 'accept-language': language } })).json['error'])
  assert.match(await errorIn('ru-RU,ru;q=0.9,en;q=0.5'), /^Не передан параметр uid/)
  assert.match(await errorIn('en, ru;q=0.9'), /^The parameter uid is missing/)
  assert.match(await errorIn('de'), /^The parameter uid is missing/)
})

test('health, liveness and readiness need no key', async () => {
  assert.deepEqual((await ask(`${base}//health`)).json, { status: true, database: true, providers: false })
  assert.deepEqual((await ask(`${base}/livez`)).json, { status: true })
  assert.deepEqual((await ask(`${base}/readyz`)).json, {
    status: true,
    accepting: true,
    pool: true,
    event_loop: true,
    database: true,
    providers: false,
    listening: true,
  })
})

test('the account lists its last fifty actions, newest first', async () => {
  const { accountId, serviceId } = a
  await installation.slots.globalDatabase.query(
    `INSERT INTO action_log (account_id, action, address)
     SELECT $1, 'action ' || n, '203.0.113.7' FROM generate_series(1, 60) AS n`,
    [accountId],
  )
  const { json } = await ask(`${base}/v1.0/getAccount`, { headers: a.bearer })
  const logs = json['logs'] as Record<string, unknown>[]
  assert.deepEqual(
    logs.map(({ action }) => action),
    Array.from({ length: 50 }, (_, index) => `action ${60 - index}`),
  )
  assert.deepEqual(Object.keys(logs[0] ?? {}), ['action', 'user_agent', 'ip', 'created'])
  assert.equal((await ask(`${base}/v1.0/getService`, { headers: a.bearer })).json['service_status'], serviceId)
  const { json: other } = await ask(`${base}/v1.0/getAccount`, { headers: b.bearer })
  assert.equal(other['id'], b.accountId)
})
