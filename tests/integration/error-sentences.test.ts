// The sentence for every mistake that people make when they move to this API. What can be seen in the request is named; which keys
// exist is not.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { addKey, revokeKey } from '../../server/src/actions/accounts/keys.ts'
import { type KeyScope, makeApiKey } from '../../server/src/domain/accounts/api-key.ts'
import { type Asked, ask, assertRefused } from '../support/http/ask.ts'
import { connectRaw } from '../support/http/raw-http.ts'
import { poll } from '../support/poll.ts'
import { install, makeService, serve } from '../support/process/server.ts'

const installation = await install()
const [{ base }, atPublicAddress] = await Promise.all([
  serve(installation, { RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }),
  serve(installation, { RINGPROOF_PUBLIC_URL: 'https://calls.example.org' }),
])
const { slots } = installation
const actor = { address: 'test', userAgent: '' }
const [service, other] = [await makeService(installation), await makeService(installation)]
const { key, serviceId, bearer } = service

type Request = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: unknown }
// Each request has its own address, because wrong keys are counted by address.
let addresses = 0
const send = (path: string, { headers = {}, ...request }: Request = {}): Promise<Asked> =>
  ask(base + path, { ...request, headers: { 'x-forwarded-for': `10.0.0.${++addresses}`, ...headers } })
const post = (body: unknown, headers: Record<string, string> = {}): Promise<Asked> =>
  send('/v1.0/initCall', {
    method: 'POST',
    body,
    headers: { ...bearer, 'content-type': 'application/json', ...headers },
  })

const authorization = (value: string) => ({ headers: { authorization: value } })
const keyMistakes: readonly (readonly [mistake: string, request: Request & { path?: string }, sentence: RegExp])[] = [
  ['no key', {}, /: the request has no key\./],
  ['no Bearer', authorization(`${key}.${serviceId}`), /lacks the word Bearer/],
  ['Basic', authorization(`Basic ${btoa(`${serviceId}:${key}`)}`), /another scheme than Bearer/],
  ['X-API-Key', { headers: { 'x-api-key': key } }, /in X-API-Key, which is not read/],
  ['no dot', authorization(`Bearer ${key}`), /no dot with the service ID after the key/],
  ['two dots', authorization(`Bearer ${key}.${serviceId}.1`), /more than one dot/],
  ['no key before the dot', authorization(`Bearer .${serviceId}`), /a service ID and no key/],
  ['no service ID after it', authorization(`Bearer ${key}.`), /a key and no service_id/],
  ['swapped', authorization(`Bearer ${serviceId}.${key}`), /the service ID comes before the key/],
  ['a service ID that is no number', authorization(`Bearer ${key}.shop`), /the service ID is not a number/],
  ['an unset variable', authorization('Bearer undefined.undefined'), /the service ID is not a number/],
  [
    'a short key',
    authorization(`Bearer ${key.slice(1)}.${serviceId}`),
    /the key has 31 characters, and every key has 32/,
  ],
  ['a long key', authorization(`Bearer ${key}x.${serviceId}`), /the key has 33 characters, and every key has 32/],
  ['quotes around the key', authorization(`Bearer "${key}".${serviceId}`), /characters other than letters and digits/],
  ['a key without service_id', { path: `?key=${key}` }, /a key and no service_id/],
  ['service_id without a key', { path: `?service_id=${serviceId}` }, /a service ID and no key/],
  [
    'the key in the query of a POST',
    { path: `?key=${key}&service_id=${serviceId}`, method: 'POST' },
    /in the query of a POST/,
  ],
  [
    'two schemes',
    { path: `?key=${other.key}&service_id=${other.serviceId}`, headers: bearer },
    /different keys or service IDs/,
  ],
  [
    'a body that cannot be read',
    { method: 'POST', body: '{"key"', headers: { 'content-type': 'application/json' } },
    /cannot be read/,
  ],
]

for (const [mistake, { path = '', ...request }, sentence] of keyMistakes) {
  test(`code 401 says what is wrong with the key: ${mistake}`, async () => {
    const asked = await send(`/v1.0/getBalance${path}`, request)
    assertRefused(asked, 401, 401)
    const error = String(asked.json['error'])
    assert.match(error, sentence)
    assert.match(error, /^Authentication failed: .* Bearer KEY\.SERVICE_ID\.$/)
    const russian = await send(`/v1.0/getBalance${path}`, {
      ...request,
      headers: { ...request.headers, 'accept-language': 'ru' },
    })
    assert.match(String(russian.json['error']), /^Аутентификация не удалась: [^{}]+ Bearer KEY\.SERVICE_ID\.$/)
  })
}

test('an unknown, foreign, revoked or unscoped key and an unknown service get the same response, byte for byte', async () => {
  const add = async (name: string, scopes: readonly KeyScope[]) => {
    const added = await addKey({ slots, randomBytes }, actor, { serviceId, name, scopes, expiresDays: 1 })
    const status = async () => (await send('/v1.0/nothing', authorization(`Bearer ${added}.${serviceId}`))).status
    await poll(`${name} to be known`, status, (now) => now === 404)
    return { added, status }
  }
  const revoked = await add('revoked', ['start', 'read'])
  await revokeKey({ slots }, actor, { serviceId, name: 'revoked' })
  await poll('the key to be revoked', revoked.status, (status) => status === 401)
  const unscoped = await add('unscoped', ['start'])
  const shown = {
    unknown: `${makeApiKey(randomBytes(64))}.${serviceId}`,
    'with a wrong checksum': `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}.${serviceId}`,
    foreign: `${other.key}.${serviceId}`,
    revoked: `${revoked.added}.${serviceId}`,
    unscoped: `${unscoped.added}.${serviceId}`,
    'unknown service': `${key}.${2 ** 31 - 1}`,
  }
  const bodies = new Map<string, string>()
  for (const [name, pair] of Object.entries(shown)) {
    const asked = await send('/v1.0/getBalance', authorization(`Bearer ${pair}`))
    assertRefused(asked, 401, 401)
    bodies.set(name, asked.text)
  }
  assert.equal(new Set(bodies.values()).size, 1, JSON.stringify(Object.fromEntries(bodies)))
  assert.match(bodies.get('revoked') ?? '', /unknown or revoked, belongs to another service, or lacks the scope/)
})

const utf8 = new TextEncoder()
const bodyMistakes: readonly (readonly [
  mistake: string,
  body: unknown,
  headers: Record<string, string>,
  sentence: RegExp,
])[] = [
  ['a form sent as JSON', 'phone=79000000001', {}, /its body is a form; send it with Content-Type/],
  ['single quotes', "{'phone': 79000000001}", {}, /line 1, column 2: names and texts take double quotes/],
  ['a comma at the end', '{"phone": 79000000001,}', {}, /line 1, column 23: nothing follows the comma before it/],
  ['a comma at the end of a line', '{\n  "phone": 79000000001,\n}', {}, /line 3, column 1: nothing follows the comma/],
  ['a name without quotes', '{phone: 79000000001}', {}, /line 1, column 2: names take double quotes/],
  [
    'a code that begins with 0',
    '{"phone": 79000000001, "code": 0042}',
    {},
    /column 32: a number does not begin with 0/,
  ],
  ['a word that JSON does not have', '{"voice": True}', {}, /line 1, column 11: this is not expected there/],
  ['a line break in a text', '{"client": "a\nb"}', {}, /line 1, column 14: a line break/],
  ['half a body', '{"phone": "7900', {}, /line 1, column 16: the text ends there/],
  ['two objects', '{} {}', {}, /line 1, column 4: this is not expected there/],
  ['an array', '[{"phone": 79000000001}]', {}, /a JSON array and must be an object/],
  ['JSON in a text', JSON.stringify('{"phone": 79000000001}'), {}, /it was encoded twice/],
  ['a number', '79000000001', {}, /its body must be a JSON object/],
  [
    'Windows-1251',
    Uint8Array.of(...utf8.encode('{"client":"'), 0xc8, 0xe2, ...utf8.encode('"}')),
    {},
    /its body is not UTF-8/,
  ],
  ['gzip', gzipSync('{"phone": 79000000001}'), { 'content-encoding': 'gzip' }, /its body is compressed/],
  ['gzip without saying so', gzipSync('{"phone": 79000000001}'), {}, /its body is compressed/],
]

for (const [mistake, body, headers, sentence] of bodyMistakes) {
  test(`code 1 says what is wrong with the body: ${mistake}`, async () => {
    const asked = await post(body, headers)
    assertRefused(asked, 1, 400)
    assert.match(String(asked.json['error']), /^The request cannot be read: its .*\.$/)
    assert.match(String(asked.json['error']), sentence)
    const russian = await post(body, { ...headers, 'accept-language': 'ru' })
    assert.match(String(russian.json['error']), /^Запрос не читается: [^{}]+\.$/)
  })
}

for (const [mistake, target, sentence] of [
  [
    'a space in the URL',
    '/v1.0/initCall?phone=79000000001&client=Ivan Petrov',
    /its URL contains a space, which is written as %20/,
  ],
  ['no HTTP', '/v1.0/getBalance HTTP/9.9\r\n', /it must be valid HTTP/],
  ['a broken escape in the path', '/v1.0/%zz', /a % without two hexadecimal digits/],
] as const) {
  test(`code 1 says what is wrong with the request: ${mistake}`, async () => {
    const connection = connectRaw(base)
    const auth = `Authorization: Bearer ${key}.${serviceId}`
    connection.socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n${auth}\r\nConnection: close\r\n\r\n`)
    const { status, headers, body } = await connection.answered
    connection.socket.destroy()
    assert.equal(status, 400, body)
    const { code, error } = JSON.parse(body) as { code: number; error: string }
    assert.equal(code, 1)
    assert.match(error, sentence)
    assert.equal(headers.get('link'), '</docs/errors/1>; rel="help"')
  })
}

const phone = (value: string) => `/v1.0/initCall?phone=${value}`
const otherMistakes: readonly (readonly [
  mistake: string,
  path: string,
  request: Request,
  code: number,
  sentence: RegExp,
])[] = [
  [
    'parameters in the query of a POST',
    phone('79000000001'),
    { method: 'POST' },
    2,
    /phone is missing: the query of a POST is not read/,
  ],
  ['another query of a POST', '/v1.0/initCall?debug=1', { method: 'POST' }, 2, /phone is missing\./],
  ['ten digits', phone('9000000001'), {}, 3, /its country code is missing; put it before the ten digits, 7 for Russia/],
  ['ten digits of Kazakhstan', phone('7010000001'), {}, 3, /its country code is missing/],
  ['the prefix for calls abroad', phone('81079000000001'), {}, 3, /begins with 810, the prefix for calls abroad/],
  ['a digit too many', phone('790000000012'), {}, 3, /a number with country code 7 has 11 digits/],
  ['a digit too few', phone('7900000000'), {}, 3, /a number with country code 7 has 11 digits/],
  ['8 for 7', phone('89000000001'), {}, 3, /begins with 8; write the country code 7/],
  [
    'client as an object',
    '/v1.0/initCall',
    { method: 'POST', body: { phone: 79000000001, client: {} } },
    2,
    /client is wrong: it takes a text of at most 64/,
  ],
  [
    'client as true',
    '/v1.0/initCall',
    { method: 'POST', body: { phone: 79000000001, client: true } },
    2,
    /client is wrong: it takes a text of at most 64/,
  ],
  ['another case', '/v1.0/getbalance', {}, 404, /the nearest is \/v1\.0\/getBalance\./],
  ['another version', '/v1/initCall', {}, 404, /the nearest is \/v1\.0\/initCall\./],
  ['the version twice', '/v1.0/v1.0/getInfo', {}, 404, /the nearest is \/v1\.0\/getInfo\./],
  ['a mistyped name', '/v1.0/inbounCallWating', {}, 404, /the nearest is \/v1\.0\/inboundCallWaiting\./],
  [
    'a path that resembles none',
    '/api/sms/send',
    {},
    404,
    /the methods are initCall, getInfo, .*getBalance, each at \/v1\.0\//,
  ],
  ['a very long name', `/v1.0/${'x'.repeat(8_000)}`, {}, 404, /the methods are/],
  ['vendor_id instead of uid', '/v1.0/getInfo?vendor_id=1', {}, 2, /uid is missing: the request calls it vendor_id\./],
  [
    'a name in another case',
    '/v1.0/initCall?Phone=79000000001',
    {},
    2,
    /phone is missing: the request calls it Phone\./,
  ],
]

for (const [mistake, path, { headers = {}, ...request }, code, sentence] of otherMistakes) {
  test(`the sentence names the mistake: ${mistake}`, async () => {
    const asked = await send(path, { ...request, headers: { ...bearer, ...headers } })
    assertRefused(asked, code, code === 404 ? 404 : 400)
    assert.match(String(asked.json['error']), sentence)
  })
}

test('a query of a POST is only looked at for the sentence: it neither authenticates nor sets a parameter', async () => {
  const url = `/v1.0/initCall?phone=79000000001&code=1234&key=${key}&service_id=${serviceId}`
  assertRefused(await send(url, { method: 'POST' }), 401, 401)
  const started = await send(url, {
    method: 'POST',
    body: { phone: '79000000001', code: '4321' },
    headers: bearer,
  })
  assert.equal(started.json['code'] === 1234 || started.json['code'] === '1234', false, started.text)
})

test('every refusal links to the page of its code, and the page is there', async () => {
  const refused = await send('/v1.0/getInfo', { headers: bearer })
  assert.equal(refused.headers.get('link'), '</docs/errors/2>; rel="help"')
  assert.equal((await fetch(`${base}/docs/errors/2`)).status, 200)
  const served = await send('/v1.0/getBalance', { headers: bearer })
  assert.equal(served.headers.has('link'), false)
  const there = await ask(`${atPublicAddress.base}/v1.0/getInfo`, { headers: bearer })
  assert.equal(there.headers.get('link'), '<https://calls.example.org/docs/errors/2>; rel="help"')
})

before(async () => {
  await poll(
    'the services to be known',
    async () => (await send('/v1.0/getBalance', { headers: bearer })).status === 200,
  )
})
