// The Verify API over HTTP: start, read, list, check, next and cancel, the ladder that goes on by itself, and that no response has a
// code. Two databases, so that a number and its service may be in different ones.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StartedVerification, Verification } from '@ringproof/contract/v2/verification.ts'
import { Compile } from 'typebox/compile'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { slotOfAccount } from '../../server/src/domain/core/slot.ts'
import { parseVerificationName } from '../../server/src/domain/verifications/verification-name.ts'
import { poll } from '../support/poll.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serve, type TestService } from '../support/process/server.ts'
import { createInboundCalls } from '../support/sip/inbound-calls.ts'

const timeScale = 0.1
const installation = await installPhones(timeScale, 2)
const { slots } = installation
const { base, output } = await serve(installation)
const { call, outcomes } = await createInboundCalls(installation)
const started = Compile(StartedVerification)
const shown = Compile(Verification)

type Json = Record<string, unknown>
type View = Json & {
  readonly id: string
  readonly status: string
  readonly calls: readonly Json[]
  readonly channels_left: readonly string[]
  readonly checks_left: number
}

async function ask(
  path: string,
  { service, token, body, key }: { service?: TestService; token?: string; body?: unknown; key?: string } = {},
) {
  const response = await fetch(`${base}/v2/verifications${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? service?.bearer : { authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  assert.match(type, response.ok ? /^application\/json/ : /^application\/problem\+json/, text)
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) as Json }
}

async function start(service: TestService, phone: string, more: Json = {}, key?: string) {
  const asked = await ask('', { service, body: { phone, ...more }, ...(key === undefined ? {} : { key }) })
  assert([200, 201, 422].includes(asked.status), asked.text)
  if (asked.status < 300) assert(started.Check(asked.json), JSON.stringify([...started.Errors(asked.json)]))
  const verification = asked.json['verification'] as View
  return { ...asked, verification, token: asked.json['client_token'] as string }
}

async function read(service: TestService, id: string): Promise<View> {
  const { json, text } = await ask(`/${id}`, { service })
  assert(shown.Check(json), `${text} ${JSON.stringify([...shown.Errors(json)])}`)
  return json
}

const until = (service: TestService, id: string, isSo: (view: View) => boolean) =>
  poll(`verification ${id}`, () => read(service, id), isSo)
const over = (service: TestService, id: string) => until(service, id, ({ status }) => status !== 'pending')
const dialled = (service: TestService, id: string) =>
  until(service, id, ({ calls }) => calls.some(({ status }) => status === 'ringing' || status === 'reached'))

async function codeOf(id: string): Promise<string> {
  const ladder = parseVerificationName(id)
  for (const database of slots.databases) {
    const { rows } = await database.query<{ code: string }>('SELECT code FROM ladders WHERE id = $1', [ladder])
    if (rows[0]) return rows[0].code
  }
  throw new Error('no such ladder')
}

function wrong(code: string): string {
  return String((Number(code) % 9_999) + 1).padStart(4, '0')
}

async function serviceIn(database: 0 | 1): Promise<TestService> {
  for (;;) {
    const service = await makeService(installation)
    if (slots.databaseOf(slotOfAccount(service.accountId)) === slots.databases[database]) return service
  }
}

test('a right code approves, once; nothing else is 2xx, and a call is charged once', async () => {
  for (const database of [0, 1] as const) {
    const service = await serviceIn(database)
    const { status, headers, verification } = await start(service, freshNumber('180'), { reference: 'cart-17' })
    assert.equal(status, 201)
    const { id } = verification
    assert.equal(headers.get('location'), `/v2/verifications/${id}`)
    assert.deepEqual(
      [verification.status, verification.checks_left, verification['reference']],
      ['pending', 3, 'cart-17'],
    )
    await dialled(service, id)
    const code = await codeOf(id)
    const no = await ask(`/${id}/check`, { service, body: { code: wrong(code) } })
    assert.deepEqual([no.status, no.json['code'], no.json['checks_left']], [422, 'code_wrong', 2])
    const yes = await ask(`/${id}/check`, { service, body: { code } })
    assert.deepEqual([yes.status, yes.json['status'], yes.json['approved_by']], [200, 'approved', 'code'])
    const again = await ask(`/${id}/check`, { service, body: { code } })
    assert.deepEqual([again.status, again.json['code']], [409, 'verification_over'])
    assert.equal((again.json['verification'] as View).status, 'approved')
  }
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

test('a check before anything was dialled uses nothing up; the last wrong one fails it', async () => {
  const service = await serviceIn(0)
  const { verification } = await start(service, freshNumber('180'), { checks: 2, channels: ['inbound', 'flash'] })
  const early = await ask(`/${verification.id}/check`, { service, body: { code: '0001' } })
  assert.deepEqual([early.status, early.json['code'], early.json['checks_left']], [409, 'not_called_yet', 2])
  const other = await start(service, freshNumber('180'), { checks: 2 })
  await dialled(service, other.verification.id)
  const code = wrong(await codeOf(other.verification.id))
  const first = await ask(`/${other.verification.id}/check`, { service, body: { code }, key: 'k1' })
  const retried = await ask(`/${other.verification.id}/check`, { service, body: { code }, key: 'k1' })
  assert.deepEqual([first.json['checks_left'], retried.json['checks_left']], [1, 1], 'a retry uses no further check')
  const reused = await ask(`/${other.verification.id}/check`, { service, body: { code: wrong(code) }, key: 'k1' })
  assert.deepEqual([reused.status, reused.json['code']], [422, 'idempotency_key_reused'])
  await ask(`/${other.verification.id}/check`, { service, body: { code } })
  const { status, reason } = await read(service, other.verification.id)
  assert.deepEqual([status, reason], ['failed', 'checks_used_up'])
})

test('a call that fails is followed by the next channel at once, and by none after the last', async () => {
  const service = await serviceIn(1)
  const { verification } = await start(service, freshNumber('486'), { channels: ['flash', 'voice'] })
  const { calls, status, reason, channels_left: left } = await over(service, verification.id)
  assert.deepEqual(
    calls.map(({ channel, status: of }) => [channel, of]),
    [
      ['flash', 'failed'],
      ['voice', 'failed'],
    ],
  )
  assert.deepEqual([status, reason, left], ['failed', 'unreachable', []])
  // Not after the number's cooldown: this phone has not rung.
  const { rows } = await slots
    .databaseOf(slotOfAccount(service.accountId))
    .query<{ waivers: number }>('SELECT waivers FROM ladders WHERE id = $1', [parseVerificationName(verification.id)])
  assert.equal(rows[0]?.waivers, 1)
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

test('of any number of requests for the next call one places it; a cancel ends it, and nothing follows', async () => {
  const service = await serviceIn(0)
  const phone = freshNumber('180')
  const { verification } = await start(service, phone, { channels: ['flash', 'voice', 'inbound'] })
  const { id } = verification
  await until(service, id, ({ calls }) => calls.every(({ status }) => status === 'reached'))
  const asked = () => ask(`/${id}/next`, { service, body: { after_calls: 1, channel: 'inbound' } })
  const results = await Promise.all(Array.from({ length: 8 }, asked))
  assert.deepEqual(new Set(results.map(({ status }) => status)), new Set([200]))
  const { calls } = await read(service, id)
  assert.equal(calls.length, 2)
  assert.match(String((calls[1]?.['confirmation_number'] as Json | undefined)?.['e164']), /^\+\d{11}$/)
  const cancelled = await ask(`/${id}/cancel`, { service, body: {} })
  assert.deepEqual([cancelled.status, cancelled.json['status']], [200, 'cancelled'])
  assert.equal((await ask(`/${id}/cancel`, { service, body: {} })).status, 200)
  const late = await ask(`/${id}/next`, { service, body: { after_calls: 2 } })
  assert.deepEqual([late.status, late.json['code']], [409, 'verification_over'])
})

test('a channel that cannot be used now is refused when it is asked for, and nothing else is called', async () => {
  const service = await serviceIn(0)
  const { verification } = await start(service, freshNumber('180'), { channels: ['flash', 'voice', 'inbound'] })
  const { id } = verification
  await until(service, id, ({ calls }) => calls.every(({ status }) => status === 'reached'))
  await slots
    .databaseOf(slotOfAccount(service.accountId))
    .query(`UPDATE services SET modes = '{flash,inbound}' WHERE id = $1`, [service.serviceId])
  const refused = await ask(`/${id}/next`, { service, body: { after_calls: 1, channel: 'voice' } })
  assert.deepEqual([refused.status, refused.json['code']], [400, 'mode_switched_off'], refused.text)
  // More calls than there are: of any number of requests with the same one, one places a call.
  const ahead = await ask(`/${id}/next`, { service, body: { after_calls: 5 } })
  assert.deepEqual([ahead.status, (ahead.json as View).calls.length], [200, 1])
  assert.deepEqual((await read(service, id)).channels_left, ['voice', 'inbound'])
})

test('however its path is spelled, a refusal of /v2 is a problem with its own status', async () => {
  const service = await serviceIn(0)
  await slots
    .databaseOf(slotOfAccount(service.accountId))
    .query(`UPDATE services SET status_style = 'ok' WHERE id = $1`, [service.serviceId])
  for (const path of ['//v2/verifications/x/check', '/v2//verifications/x/check/', '/%762/verifications/x/check']) {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { ...service.bearer, 'content-type': 'text/plain' },
      body: '0417',
    })
    assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/, path)
    assert(response.status >= 400, path)
  }
})

test('a retried start under one key is the same verification; another number under it is refused', async () => {
  const service = await serviceIn(0)
  const phone = freshNumber('180')
  const all = await Promise.all(Array.from({ length: 5 }, () => start(service, phone, {}, 'start-1')))
  assert.equal(new Set(all.map(({ verification }) => verification.id)).size, 1)
  assert.deepEqual(
    all.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 200, 200, 200, 201],
  )
  const other = await start(service, freshNumber('180'), {}, 'start-1')
  assert.deepEqual([other.status, other.json['code']], [422, 'idempotency_key_reused'])
  const waiting = await start(service, freshNumber('180'), { channels: ['inbound'] }, 'start-2')
  assert.equal(waiting.status, 201)
  assert.equal(waiting.verification['code_length'], 0)
})

test('a client token reads and checks its own verification and nothing else', async () => {
  const service = await serviceIn(0)
  const [one, other] = [
    await start(service, freshNumber('180'), { reference: 'r' }),
    await start(service, freshNumber('180')),
  ]
  const own = await ask(`/${one.verification.id}`, { token: one.token })
  assert.equal(own.status, 200)
  assert.deepEqual(
    ['reference', 'cost', 'metadata', 'country'].filter((name) => name in own.json),
    [],
  )
  for (const path of [`/${other.verification.id}`, '']) {
    assert.equal((await ask(path, { token: one.token })).status, 401, path)
  }
  assert.equal((await ask(`/${one.verification.id}/cancel`, { token: one.token, body: {} })).status, 401)
  const [last = ''] = one.token.slice(-1)
  const forged = `${one.token.slice(0, -1)}${last === 'A' ? 'B' : 'A'}`
  assert.equal((await ask(`/${one.verification.id}`, { token: forged })).json['code'], 'token_invalid')
  await dialled(service, one.verification.id)
  const code = await codeOf(one.verification.id)
  const approved = await ask(`/${one.verification.id}/check`, { token: one.token, body: { code } })
  assert.deepEqual([approved.status, approved.json['status']], [200, 'approved'])
})

test('a call from the subscriber approves without a code, and no webhook of /v1.0 is written', async () => {
  const service = await serviceIn(1)
  const phone = freshNumber('180')
  const { verification } = await start(service, phone, { channels: ['inbound'], reference: 'desk 3' })
  assert.equal(verification['code_length'], 0)
  const found = (await ask('?reference=desk%203', { service })).json as { data: View[] }
  assert.deepEqual(
    found.data.map(({ id }) => id),
    [verification.id],
  )
  const { confirmation_number: given } = verification.calls[0] as { confirmation_number: { e164: string } }
  await call(phone, given.e164.slice(1))
  assert.equal(outcomes.at(-1), 'matched')
  const ended = await over(service, verification.id)
  assert.deepEqual([ended.status, ended['approved_by'], ended.calls[0]?.['status']], ['approved', 'call', 'reached'])
  const { rows } = await slots
    .databaseOf(slotOfAccount(service.accountId))
    .query('SELECT FROM webhooks WHERE service_id = $1', [service.serviceId])
  assert.equal(rows.length, 0)
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

test('test numbers: one rings by every channel, and the answer has its code; the other one never', async () => {
  const service = await serviceIn(0)
  const { verification } = await start(service, '+79000000001', { channels: ['flash', 'voice'] })
  assert.equal(verification['is_test'], true)
  const { code } = verification['test'] as { readonly code: string }
  await dialled(service, verification.id)
  assert.equal((await ask(`/${verification.id}/check`, { service, body: { code } })).status, 200)
  assert.equal('test' in (await read(service, verification.id)), false, 'the code is gone with the end')
  const waiting = await start(service, '+79000000001', { channels: ['inbound'] })
  assert.equal((await over(service, waiting.verification.id)).status, 'approved')
  const failing = await start(service, '+79000000002', { channels: ['flash', 'voice'] })
  const { status, reason, calls } = await over(service, failing.verification.id)
  assert.deepEqual([status, reason, calls.length], ['failed', 'unreachable', 2])
})

test('what is wrong with a request is said at once, and another service sees nothing', async () => {
  const service = await serviceIn(0)
  const bad = await ask('', { service, body: { phone: 'x', check: 3, ttl_seconds: 5 } })
  assert.deepEqual([bad.status, bad.json['code']], [400, 'invalid_parameter'])
  const fields = (bad.json['errors'] as Json[]).map(({ field }) => field)
  assert.deepEqual(new Set(fields), new Set(['check', 'phone', 'ttl_seconds']))
  const { verification } = await start(service, freshNumber('180'))
  const stranger = await serviceIn(0)
  for (const [path, body] of [
    ['', undefined],
    ['/check', { code: '0001' }],
    ['/cancel', {}],
  ] as const) {
    const asked = await ask(`/${verification.id}${path}`, { service: stranger, ...(body ? { body } : {}) })
    assert.deepEqual([asked.status, asked.json['code']], [404, 'verification_unknown'], path)
  }
  assert.equal(typeof bad.json['detail'], 'string')
  const nowhere = await ask(`/${verification.id}/nothing`, { service })
  assert.deepEqual([nowhere.status, nowhere.json['code']], [404, 'path_unknown'])
  assert.equal((await ask('')).status, 401)
})

test('a list is newest first, by pages and filters', async () => {
  const service = await serviceIn(0)
  const phones = [freshNumber('180'), freshNumber('180'), freshNumber('180')] as const
  for (const [n, phone] of phones.entries()) await start(service, phone, { reference: `r${n}` })
  const list = async (query: string) =>
    (await ask(`?${query}`, { service })).json as { data: View[]; has_more: boolean }
  const first = await list('limit=2')
  assert.deepEqual([first.data.map((one) => one['reference']), first.has_more], [['r2', 'r1'], true])
  const rest = await list(`limit=2&after=${first.data[1]?.id}`)
  assert.deepEqual([rest.data.map((one) => one['reference']), rest.has_more], [['r0'], false])
  assert.deepEqual(
    (await list('reference=r1')).data.map((one) => one['reference']),
    ['r1'],
  )
  assert.deepEqual(
    (await list(`phone=%2B${phones[0]}`)).data.map((one) => one['reference']),
    ['r0'],
  )
  assert.deepEqual((await list('status=approved')).data, [])
})

test('no code and no number is in the log', async () => {
  const service = await serviceIn(0)
  const phone = freshNumber('180')
  const { verification, text } = await start(service, phone)
  await dialled(service, verification.id)
  const code = await codeOf(verification.id)
  const view = await ask(`/${verification.id}`, { service })
  for (const shownText of [text, view.text]) assert(!shownText.includes(phone) && !shownText.includes(`"${code}"`))
  assert(!output().includes(phone), 'a number in the log')
})
