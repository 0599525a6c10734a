// The app under the fuzzer, the tests that send requests to it, and the checks that every response must pass.
//
//   FUZZ_REQUESTS   requests to each method: 2000 in every test run, 20000 by `npm run verify -- fuzz`, or as many as FUZZ_REQUESTS says
// FUZZ_SEED the seed printed by an earlier run, to repeat its requests

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'
import { type Method, methods } from '@ringproof/contract/methods.ts'
import { responses } from '@ringproof/contract/responses.ts'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { authenticate } from '../../../server/src/actions/accounts/authenticate.ts'
import { getAccount } from '../../../server/src/actions/accounts/get-account.ts'
import { getService } from '../../../server/src/actions/accounts/services.ts'
import { getBalance } from '../../../server/src/actions/money/get-balance.ts'
import { checkPhone } from '../../../server/src/actions/numbers/check-phone.ts'
import { getInfo } from '../../../server/src/actions/verifications/get-info.ts'
import { startInboundVerification } from '../../../server/src/actions/verifications/start-inbound-verification.ts'
import { startVerification } from '../../../server/src/actions/verifications/start-verification.ts'
import { createClientCache } from '../../../server/src/db/accounts/client-cache.ts'
import { createLookupBatches } from '../../../server/src/db/numbers/lookup.ts'
import { createRoutingTable } from '../../../server/src/db/trunks/routing-table.ts'
import { createCallBatches } from '../../../server/src/db/verifications/call-batches.ts'
import { emptyNumberingIndex } from '../../../server/src/domain/numbers/numbering-index.ts'
import { type AppDeps, buildApp } from '../../../server/src/http/app.ts'
import { createClock } from '../../../server/src/process/clock.ts'
import { createLog } from '../../../server/src/process/log/log.ts'
import { createEvents } from '../../../server/src/process/metrics/events.ts'
import { namedKeys, readSecrets } from '../../../server/src/process/secrets.ts'
import { atEnd } from '../at-end.ts'
import type { Installation, TestService } from '../process/server.ts'
import { type MadeRequest, makeRequest, type Outcome } from './oracle.ts'
import { parametersOf, plans } from './requests.ts'

export type ApiResponse = {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}
export type Send = (request: MadeRequest) => Promise<ApiResponse>

// --- The app ---------------------------------------------------------------------------------------------------------

// The dependencies of the app as in a real process, without rate limits. Calls are not dispatched.
export async function realDeps(installation: Installation, numbers = () => emptyNumberingIndex): Promise<AppDeps> {
  const { slots, environment } = installation
  const clock = createClock(1)
  const apiClients = createClientCache(slots, clock)
  atEnd(() => apiClients.close())
  const table = await createRoutingTable(slots.globalDatabase, clock)
  atEnd(() => table.close())
  const secrets = readSecrets(String(environment['RINGPROOF_SECRETS_DIR']))
  const keys = namedKeys(secrets)
  const starting = {
    slots,
    keys,
    batches: createCallBatches(slots, 1),
    routing: table.current,
    numbers,
    charge: createLookupBatches(slots),
    randomBytes,
    monotonicMs: () => performance.now(),
    timeScale: 1,
    prefixHourMax: undefined,
    dispatchCall: async () => undefined,
    queueFaultOf: () => undefined,
    openOrdersOf: () => 0,
    keepForRepeat: async () => {},
  }
  return {
    actions: {
      initCall: (apiClient, command) => startVerification(starting, apiClient, command),
      inboundCallWaiting: (apiClient, command) =>
        startInboundVerification({ ...starting, webhookAllow: [] }, apiClient, command),
      initRepeat: async () => assert.fail('initRepeat is off'),
      getInfo: (apiClient, uid) => getInfo(starting, apiClient, uid),
      checkPhone: (apiClient, command) => checkPhone({ ...starting, prices: starting.routing }, apiClient, command),
      getAccount: (apiClient) => getAccount({ slots }, apiClient),
      getService: (apiClient) => getService({ slots }, apiClient),
      getBalance: (apiClient) => getBalance({ slots }, apiClient),
    },
    verify: noVerifyApi,
    waitForCall: async () => undefined,
    webhookStream: undefined,
    takePayment: async () => ({ outcome: 'no-secret' }),
    currency: 'RUB',
    isSaturated: () => false,
    noteClientHint: () => undefined,
    publicUrl: 'https://verify.example.org',
    authenticate: (credentials) =>
      authenticate({ apiClients, keyUsage: noUsage, noteFailure: () => undefined }, credentials),
    pages: {
      root: { status: true, name: 'Ringproof', version: 'test', docs: '' },
      docs: async () => new Map(),
      health: () => ({ database: true, pool: true, eventLoop: true }),
      areProvidersUp: () => false,
      isListening: () => apiClients.isListening(),
      isReady: () => true,
    },
    web: undefined,
    requestsPerSecond: 1_000_000,
    trustedProxies: [],
    clock,
    events: createEvents('test', () => 0),
    log: createLog({ write: noteFault }),
  }
}

const unused = async () => assert.fail('not of /v1.0')
const noVerifyApi = {
  start: unused,
  find: unused,
  show: unused,
  showPublic: unused,
  list: unused,
  check: unused,
  next: unused,
  cancel: unused,
  admitToken: unused,
  clientToken: () => assert.fail('not of /v1.0'),
  readToken: () => undefined,
}

const noUsage = { note: () => undefined, close: async () => undefined }

// The last log line about an internal error, for the failure message.
let lastFault = ''

function noteFault(line: string): void {
  if (line.includes('"request failed"')) lastFault = line
}

let addresses = 0

export async function createSend(deps: AppDeps): Promise<Send> {
  const { fastify } = await buildApp(deps)
  atEnd(() => fastify.close())
  return async ({ verb, url, headers, payload }) => {
    // Every request has its own client address, or the limit on failed authentications would refuse most of them.
    const at = addresses++
    const remoteAddress =
      at % 2 ? `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}` : `2001:db8:${hex(at >> 16)}:${hex(at)}::1`
    return fastify.inject({
      method: verb,
      url,
      headers,
      remoteAddress,
      ...(payload ? { payload } : {}),
      validate: false,
    })
  }
}

function hex(value: number): string {
  return (value & 0xffff).toString(16)
}

// --- Runs ------------------------------------------------------------------------------------------------------------

export const runSeed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31)
const requestsEach = Number(process.env['FUZZ_REQUESTS'] ?? 2_000)
export const timeout = 300_000 + requestsEach * 10

// Files run in parallel, so the methods are split between two of them.
export const halves = [methods.slice(0, methods.length / 2), methods.slice(methods.length / 2)] as const

export function testMethods(chosen: readonly Method[], send: Send, services: readonly TestService[]): void {
  const unhandled: unknown[] = []
  process.on('unhandledRejection', (reason) => unhandled.push(reason))
  for (const method of chosen) {
    test(`${method} returns a declared response to every request`, { timeout }, async (t) => {
      t.diagnostic(`${requestsEach} requests, FUZZ_SEED=${runSeed}`)
      const seed = runSeed + methods.indexOf(method) * 1_000
      const counts = await fuzz({ method, send, services, requests: requestsEach, seed, lanes: 8 })
      t.diagnostic([...counts].map(([outcome, count]) => `${outcome} ${count}`).join(', '))
      assert.deepEqual(unhandled, [])
      assertWide(method, counts)
    })
  }
}

// If every request were refused early, the fuzzer would test nothing.
function assertWide(method: Method, counts: Counts): void {
  const hasParameters = Object.keys(parametersOf(method).required).length > 0 && method !== 'initRepeat'
  const reached: readonly Outcome[] = [
    ...(['malformedRequest', 'bodyTooLarge', 'mediaTypeUnknown', 'authenticationFailed', 'methodUnknown'] as const),
    ...(['methodNotAllowed', ...(hasParameters ? (['parameterMissing', 'invalidParameter'] as const) : [])] as const),
  ]
  for (const name of reached) assert.ok((counts.get(name) ?? 0) > requestsEach / 2_000, `${name} hardly occurred`)
  assert.ok((counts.get('good') ?? 0) > requestsEach / 4, 'too few requests were valid')
}

export type Run = {
  readonly method: Method
  readonly send: Send
  readonly services: readonly TestService[]
  readonly requests: number
  readonly seed: number
  // Requests in flight at the same time. Each lane has its own seed, so that a failure can be repeated.
  readonly lanes: number
}

type Counts = Map<Outcome | 'good', number>

// How often each outcome occurred; rejects with fast-check's seed, path and smallest plan when a response is wrong.
export async function fuzz({ method, send, services, requests, seed, lanes }: Run): Promise<Counts> {
  const counts: Counts = new Map()
  const property = fc.asyncProperty(plans(method), async (plan) => {
    const request = makeRequest(plan, services)
    if (request.expected.isGood) counts.set('good', (counts.get('good') ?? 0) + 1)
    for (const outcome of check(method, request, await send(request), services)) {
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    }
  })
  const runs = Array.from({ length: lanes }, async (_, lane) => {
    return fc.assert(property, { seed: seed + lane, numRuns: Math.ceil(requests / lanes) })
  })
  const results = await Promise.allSettled(runs)
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return counts
}

// --- Checks ----------------------------------------------------------------------------------------------------------

const checks = new Map(methods.map((method) => [method, Compile(responses[method])]))

// The outcome that the response reports; fails when it is malformed or not the expected one.
function check(
  method: Method,
  request: MadeRequest,
  response: ApiResponse,
  services: readonly TestService[],
): Outcome[] {
  const { outcomes, faulty, of } = request.expected
  const summary = `${response.statusCode} ${response.body.slice(0, 500)}`
  assert.match(String(response.headers['x-request-id']), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, summary)
  assert.equal(response.headers['cache-control'], 'no-store', summary)
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8', summary)
  const met = request.verb === 'HEAD' ? ofStatus(response.statusCode) : outcomesOf(method, response, summary)
  assert.notDeepEqual(met, ['internalError'], `${summary}\n${lastFault}`)
  const fits = outcomes ? met.filter((outcome) => outcomes.has(outcome)) : met
  assert.notEqual(fits.length, 0, `${summary}, and not ${[...(outcomes ?? [])].join(' or ')}`)
  if (outcomes && fits.includes('response')) assertOwn(method, response, services[of ?? -1])
  const isOfParameter = fits.includes('invalidParameter') || fits.includes('parameterMissing')
  if (outcomes && isOfParameter)
    assert.ok(
      faulty.some((name) => response.body.includes(` ${name}`)),
      summary,
    )
  if (response.statusCode === 503) assert.match(String(response.headers['retry-after']), /^[1-9]\d*$/, summary)
  // initRepeat has the same code and is refused for every HTTP method, so it allows none.
  if (response.body.includes(refusals.methodNotAllowed.en))
    assert.equal(response.headers['allow'], 'GET, POST', summary)
  return fits
}

function outcomesOf(method: Method, response: ApiResponse, summary: string): Outcome[] {
  const body = JSON.parse(response.body) as Record<string, unknown>
  if (response.statusCode === 200) {
    assert.ok(checks.get(method)?.Check(body), `not what ${method} returns: ${summary}`)
    return ['response']
  }
  assert.deepEqual(Object.keys(body), ['status', 'error', 'code'], summary)
  assert.equal(body['status'], false, summary)
  assert.ok(typeof body['error'] === 'string' && body['error'] !== '' && !/[{}]/.test(body['error']), summary)
  const named = ofStatus(response.statusCode).filter((name) => refusals[name].code === body['code'])
  assert.notEqual(named.length, 0, `no refusal of the contract: ${summary}`)
  return named
}

function ofStatus(status: number): RefusalName[] {
  return (Object.keys(refusals) as RefusalName[]).filter((name) => refusals[name].status === status)
}

function assertOwn(method: Method, response: ApiResponse, service: TestService | undefined): void {
  const body = JSON.parse(response.body) as Record<string, unknown>
  if (method === 'getAccount') assert.equal(body['id'], service?.accountId)
  if (method === 'getService') assert.equal(body['service_status'], service?.serviceId)
}
