// Traces as a collector gets them from three processes, what they may not contain, and that they cost nothing while off.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { createClock } from '../../server/src/process/clock.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { createEvents } from '../../server/src/process/metrics/events.ts'
import { namedKeys, readSecrets } from '../../server/src/process/secrets.ts'
import { createTraces } from '../../server/src/process/traces/traces.ts'
import { atEnd } from '../support/at-end.ts'
import { type Asked, ask } from '../support/http/ask.ts'
import { type CollectedSpan, startTraceCollector } from '../support/http/trace-collector.ts'
import { createReceiverToTheEnd } from '../support/http/webhook-receiver.ts'
import { poll } from '../support/poll.ts'
import { confirmationFirst, freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, type Served, serveProcess } from '../support/process/server.ts'
import { createInboundCalls } from '../support/sip/inbound-calls.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const timeScale = 0.3
const installation = await installPhones(timeScale)
const { environment } = installation
const service = await makeService(installation, 1_000)
const collector = await startTraceCollector()
const token = 'collector-token-4711'
const [api, calls, webhooks] = await Promise.all([serveRole('api'), serveRole('calls'), serveRole('webhooks')])
const receiver = await createReceiverToTheEnd()
const inbound = await startInbound()
const { bearer: headers } = service

// Everything about the people and the customer that this file sends.
const secrets = new Set([service.key, service.webhookSecret, token, receiver.url])
const codes = new Set<string>()

function serveRole(role: string): Promise<Served> {
  return serveProcess(installation, traced(collector, role), '--roles', role)
}

function traced({ url }: { readonly url: string }, role: string): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: `api-key=${token}`,
    OTEL_SERVICE_NAME: `ringproof-${role}`,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  }
}

// Inbound calls come from the test's own process: the same code, with a scripted switch.
async function startInbound() {
  const traces = createTraces({
    settings: { url: `${collector.url}/v1/traces`, headers: {}, resource: { 'service.name': 'inbound' }, share: 1 },
    keys: namedKeys(readSecrets(String(environment['RINGPROOF_SECRETS_DIR']))),
    version: 'test',
    roles: ['calls'],
    clock: createClock(timeScale),
    events: createEvents('test', () => 0),
    log: createLog({ write: () => undefined }),
  })
  atEnd(() => traces.close())
  return createInboundCalls(installation, undefined, traces)
}

async function start(method: string, body: Readonly<Record<string, string>>): Promise<Asked> {
  const asked = await ask(`${api.base}/v1.0/${method}`, { method: 'POST', headers, body })
  assert.equal(asked.status, 200, asked.text)
  const { phone = '', client, unique } = body
  const { phone: mask, confirmation_number: called, code } = asked.json
  // Parts, too. Fewer than eight digits are found in any time.
  for (const secret of [mask, called, client, unique, phone.slice(1), phone.slice(0, 8), phone.slice(-8)]) {
    if (typeof secret === 'string') secrets.add(secret)
  }
  if (typeof code === 'string') codes.add(code)
  return asked
}

// The trace that a response names, once it has so many spans.
async function traceOf(asked: Asked, count: number): Promise<readonly CollectedSpan[]> {
  const id = asked.headers.get('x-trace-id')
  assert(id)
  const spans = () => collector.spans().filter(({ traceId }) => traceId === id)
  return poll(
    `${count} spans of ${id}`,
    () => spans(),
    (found) => found.length >= count,
  )
}

// One root without a parent, and all others below it, in the order of their names.
function assertTree(spans: readonly CollectedSpan[], asked: Asked, names: readonly string[]): void {
  assert.deepEqual(
    spans.map(({ name }) => name),
    names,
  )
  const [root, ...children] = spans
  assert(root)
  assert.equal(root.parentSpanId, undefined)
  for (const child of children) assert.equal(child.parentSpanId, root.spanId, child.name)
  assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length)
  for (const { startedNs, endedNs, attributes, name } of spans) {
    assert(startedNs >= root.startedNs && endedNs >= startedNs, name)
    assert.equal(attributes['ringproof.vendor_id'], String(asked.json['vendor_id']), name)
  }
}

function own({ attributes }: CollectedSpan): Record<string, string> {
  const kept = Object.entries(attributes).filter(([name]) => !/vendor_id|slot|service_id/.test(name))
  return Object.fromEntries(kept.map(([name, value]) => [name.replace('ringproof.', ''), value]))
}

test('a call is one trace over two processes: request, plan, accept, dispatch, claim, INVITE with its events, charge', async () => {
  const unique = '5c5f0a2e-6d2f-4a51-8f1c-53e1b3a0d0aa'
  const asked = await start('initCall', { phone: freshNumber('180'), code: '4821', client: 'Ada Lovelace', unique })
  const again = await start('initCall', { phone: freshNumber('180'), unique })
  assert.deepEqual([again.json['vendor_id'], again.json['exists']], [asked.json['vendor_id'], true])
  assert.equal(again.headers.get('x-trace-id'), asked.headers.get('x-trace-id'))
  await settled(api.base, service, asked.json['vendor_id'])
  const spans = await traceOf(asked, 7)
  assertTree(spans, asked, ['initCall', 'plan', 'accept', 'dispatch', 'claim', 'INVITE', 'charge'])
  const [root, plan, , dispatch, claim, invite, charge] = spans
  assert(root && plan && dispatch && claim && invite && charge)
  assert.equal(root.attributes['ringproof.service_id'], String(service.serviceId))
  assert(dispatch.endedNs <= root.endedNs && claim.endedNs <= invite.startedNs + 2_000_000n)
  assert.deepEqual(own(plan), { trunk: 'first' })
  assert.deepEqual(own(claim), { attempt: '1', trunk: 'first' })
  const outcome = { outcome: 'succeeded', reason: 'rang', ended_by: 'us' }
  assert.deepEqual(own(invite), { attempt: '1', mode: 'flash', trunk: 'first', ...outcome })
  assert.deepEqual(own(charge), { outcome: 'captured' })
  assert.deepEqual(
    invite.events.map(({ name }) => name),
    ['ringing', 'ended'],
  )
  const [ringing, ended] = invite.events
  assert(ringing && ended && ringing.atNs >= invite.startedNs && ended.atNs === invite.endedNs)
  // Five seconds of ringing.
  const rangMs = Number(ended.atNs - ringing.atNs) / 1e6 / timeScale
  assert(rangMs >= 4_900, `rang for ${rangMs} ms`)
  assert.deepEqual(
    spans.map(({ isFailed }) => isFailed),
    spans.map(() => false),
  )
  const senders = [root, invite].map(({ resource }) => resource)
  assert.deepEqual(
    senders.map((resource) => [resource['service.name'], resource['ringproof.roles']]),
    [
      ['ringproof-api', 'api'],
      ['ringproof-calls', 'calls'],
    ],
  )
  assert.equal(senders[0]?.['deployment.environment.name'], 'test')
})

test('a call that fails over has an INVITE for each trunk, and its hold is released', async () => {
  const asked = await start('initCall', { phone: freshNumber('503'), code: '7359' })
  const spans = await traceOf(asked, 9)
  const attempt = ['claim', 'INVITE']
  assertTree(spans, asked, ['initCall', 'plan', 'accept', 'dispatch', ...attempt, ...attempt, 'charge'])
  const invites = spans.filter(({ name }) => name === 'INVITE')
  const refused = { mode: 'flash', outcome: 'failed', reason: 'refused', sip_status: '503', ended_by: 'them' }
  assert.deepEqual(invites.map(own), [
    { attempt: '1', trunk: 'first', ...refused },
    { attempt: '2', trunk: 'second', ...refused },
  ])
  assert(invites.every(({ isFailed }) => isFailed))
  assert.deepEqual(spans.slice(-1).map(own), [{ outcome: 'released' }])
})

test('an inbound verification is one trace up to its webhook', async () => {
  const phone = freshNumber('180')
  const asked = await start('inboundCallWaiting', { phone, callback_url: `${receiver.url}/inbound` })
  await inbound.call(phone, String(asked.json['confirmation_number']))
  const trunk = Number(asked.json['confirmation_number']) < confirmationFirst + 10_000 ? 'first' : 'second'
  const spans = await traceOf(asked, 4)
  assertTree(spans, asked, ['inboundCallWaiting', 'inbound call', 'charge', 'webhook'])
  assert.deepEqual(spans.map(own), [
    {},
    { trunk },
    { outcome: 'captured' },
    { attempt: '1', outcome: 'delivered', http_status: '204' },
  ])
})

test('a refused request and a request that starts nothing have no trace', async () => {
  const asked = await start('initCall', { phone: freshNumber('180') })
  const info = await ask(`${api.base}/v1.0/getInfo?uid=${String(asked.json['vendor_id'])}`, { headers })
  const refused = await ask(`${api.base}/v1.0/initCall?phone=1`, { headers })
  assert.deepEqual([info.status, refused.status], [200, 400])
  for (const one of [info, refused]) assert.equal(one.headers.get('x-trace-id'), null)
  await traceOf(asked, 7)
  // Also those of the tests before: each has one root, although a retry named the first one again.
  const roots = collector.spans().filter(({ parentSpanId }) => parentSpanId === undefined)
  const ids = collector.spans().map(({ traceId }) => traceId)
  assert.equal(new Set(ids).size, roots.length)
  assert(roots.every(({ name }) => name === 'initCall' || name === 'inboundCallWaiting'))
})

test('log lines of a verification name its trace', async () => {
  const asked = await start('initCall', { phone: freshNumber('404') })
  await traceOf(asked, 7)
  const trace_id = asked.headers.get('x-trace-id')
  const lineOf = (served: Served, message: string) =>
    poll(message, () => linesOf(served).find((line) => line['msg'] === message && line['trace_id'] === trace_id))
  const request = await lineOf(api, 'request completed')
  assert.equal(request['request_id'], asked.headers.get('x-request-id'))
  for (const message of ['call dialled', 'call ended']) {
    assert.equal((await lineOf(calls, message))['vendor_id'], asked.json['vendor_id'])
  }
  assert(linesOf(api).some((line) => line['msg'] === 'request completed' && !('trace_id' in line)))
})

test('no number, code, key or text of a customer reaches the collector or the logs, and the token only as a header', async () => {
  await start('initCall', { phone: freshNumber('200'), voice: 'true', code: '6294', client: 'Grace Hopper' })
  await poll(
    'the voice call',
    () => collector.spans(),
    (spans) => spans.some(({ events }) => events.some(({ name }) => name === 'code spoken')),
  )
  const sent = collector.requests.map(({ body }) => body).join('\n')
  assert(secrets.size > 20 && codes.size >= 3)
  assert.deepEqual(leaks(sent), [])
  for (const { output } of [api, calls, webhooks]) assert(!output().includes(token))
  assert(collector.requests.some((request) => request.headers['api-key'] === token))
  // Positive control: the same search finds each of them in a copy.
  for (const secret of [...secrets, ...codes]) assert.notDeepEqual(leaks(sent.replace('"first"', `"${secret}"`)), [])
})

test('while off, nothing for traces is loaded; while disabled, no connection is made', async () => {
  const connections: unknown[] = []
  const listener = createServer((socket) => connections.push(socket.destroy())).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  const [unset, disabled] = await Promise.all([
    modulesLoaded('unset', {}),
    modulesLoaded('disabled', { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SDK_DISABLED: 'true' }),
  ])
  for (const loaded of [unset, disabled]) {
    assert(loaded.length > 300, `${loaded.length} modules`)
    assert.deepEqual(loaded.filter(isForTraces), [])
  }
  assert.deepEqual(connections, [])
  // Positive control: both are found while on.
  const on = await modulesLoaded('on', { OTEL_EXPORTER_OTLP_ENDPOINT: url })
  assert.equal(on.filter(isForTraces).length, 2)
  assert(connections.length > 0)
  listener.close()
})

test('a collector that never responds neither slows nor fails a call, nor the end of the process', async () => {
  const silent = await startTraceCollector(() => undefined)
  const served = await serveProcess(installation, traced(silent, 'all'))
  const ids: unknown[] = []
  for (let n = 0; n < 20; n++) {
    const startedMs = performance.now()
    const { json, text } = await ask(`${served.base}/v1.0/initCall?phone=${freshNumber('180')}`, { headers })
    // The collector is given ten seconds.
    assert(performance.now() - startedMs < 9_000, text)
    ids.push(json['vendor_id'])
  }
  for (const id of ids) assert.equal((await settled(served.base, service, id))['call_status'], 1)
  assert(silent.requests.length > 0)
  served.running.process.kill('SIGTERM')
  assert.equal((await served.running.ended).status, 0)
})

// Numbers that have no meaning here are removed: four digits of a code are found in any of them.
function leaks(text: string): readonly string[] {
  const meaningless =
    /"(traceId|spanId|parentSpanId|\w+UnixNano)":"\w+"|("ringproof\.(vendor|service)_id","value":\{)"intValue":"\d+"/g
  const bare = text.replaceAll(meaningless, '')
  return [
    ...[...secrets].filter((secret) => text.includes(secret)),
    ...[...codes].filter((code) => bare.includes(code)),
  ]
}

function linesOf(served: Served): readonly Record<string, unknown>[] {
  const lines = served.output().split('\n')
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as Record<string, unknown>)
}

// prom-client loads the API of OpenTelemetry, which does nothing by itself.
function isForTraces(url: string): boolean {
  return /\/server\/src\/process\/traces\/[\w-]+\.ts$/.test(url) || /\/@opentelemetry\/(?!api\/)/.test(url)
}

// Every module of a process that has served a call.
async function modulesLoaded(name: string, variables: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const directory = fileDirectory()
  const [hook, list] = [`${directory}/${name}.mjs`, `${directory}/${name}.txt`]
  writeFileSync(
    hook,
    `import { writeFileSync } from 'node:fs'
     import { registerHooks } from 'node:module'
     const loaded = []
     registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
     process.on('exit', () => writeFileSync(${JSON.stringify(list)}, loaded.join('\\n')))`,
  )
  const served = await serveProcess(installation, { ...variables, NODE_OPTIONS: `--import=${hook}` })
  const { json } = await ask(`${served.base}/v1.0/initCall?phone=${freshNumber('404')}`, { headers })
  await settled(served.base, service, json['vendor_id'])
  served.running.process.kill('SIGTERM')
  assert.equal((await served.running.ended).status, 0)
  return readFileSync(list, 'utf8').split('\n')
}
