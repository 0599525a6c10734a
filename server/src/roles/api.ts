// The role `api`: the HTTP methods and the public pages.

import type { RequestListener } from 'node:http'
import { authenticate } from '../actions/accounts/authenticate.ts'
import { getAccount } from '../actions/accounts/get-account.ts'
import { getService } from '../actions/accounts/services.ts'
import { getBalance } from '../actions/money/get-balance.ts'
import { takePayment } from '../actions/money/payments.ts'
import { checkPhone } from '../actions/numbers/check-phone.ts'
import { waitForCall } from '../actions/phones/phones.ts'
import { getInfo } from '../actions/verifications/get-info.ts'
import { createApiKeyUsage } from '../db/accounts/api-key-usage.ts'
import { createClientCache } from '../db/accounts/client-cache.ts'
import { createClientHints } from '../db/accounts/client-hint.ts'
import { unlessSilent } from '../db/core/map-lock-timeout.ts'
import { createSlotMap, type SlotMap } from '../db/core/slot-map.ts'
import { createLookupBatches } from '../db/numbers/lookup.ts'
import { type ApiRequestLog, createApiRequestLog } from '../db/requests/api-request-log.ts'
import type { AccountId } from '../domain/core/slot.ts'
import type { Bus } from '../engine/core/bus.ts'
import { type NoteChange, watchLiveHints } from '../engine/core/live-hints.ts'
import { watchLiveNodes } from '../engine/core/live-nodes.ts'
import { startSlotWatch } from '../engine/core/slot-watch.ts'
import { createRepeatVault } from '../engine/core/vault.ts'
import { type Health, watchHealth } from '../engine/core/watch-health.ts'
import type { Dispatch } from '../engine/verifications/dispatch.ts'
import { createStarts } from '../engine/verifications/starts.ts'
import { createWebhookListeners } from '../engine/webhooks/webhook-listeners.ts'
import { buildApp } from '../http/app.ts'
import { createConcurrencyLimit } from '../http/concurrency-limit.ts'
import { createFailedAuthentications } from '../http/failed-authentications.ts'
import { listen } from '../http/listen.ts'
import type { TakePayment } from '../http/payment-api.ts'
import type { PublicPages } from '../http/public-pages.ts'
import type { MethodActions } from '../http/routes.ts'
import type { WaitForCall } from '../http/test-api.ts'
import { createClock } from '../process/clock.ts'
import { createRandomBytes } from '../process/random-bytes.ts'
import { createDocs } from './load-docs.ts'
import type { Closing, RoleDatabases, ServerDeps } from './server-deps.ts'
import { startVerifyApi } from './verify.ts'

// Undefined without NATS.
type CallQueue = {
  readonly bus: Bus | undefined
  readonly dispatch: Dispatch | undefined
  readonly noteChange: NoteChange
}

export async function startApiRole(
  deps: ServerDeps,
  { slots, batches }: RoleDatabases,
  { bus, dispatch, noteChange }: CallQueue,
  version: string,
  // The web pages, if they share this process and its port.
  web: RequestListener | undefined,
): Promise<Closing> {
  const { config, clock, log, events, traces } = deps
  const apiClients = createClientCache(slots, clock)
  const keyUsage = createApiKeyUsage(slots, clock, log)
  const failures = createFailedAuthentications(clock, log)
  const callNodes = bus && watchLiveNodes(bus, clock)
  // What a call needs beyond this process: NATS, a node that places calls, and a trunk that is on.
  const areProvidersUp = () => dispatch?.isUp() === true && callNodes?.any() === true && hasTrunk(deps)
  const onProbe = (health: Health) => events.healthSeen({ ...health, bus: dispatch?.isUp() ?? false })
  // Databases keep real time.
  const health = await watchHealth({ slots, clock: createClock(1), onProbe })
  const startDeps = startDepsOf(deps, { slots, batches }, dispatch)
  const starts = await createApiStarts(deps, startDeps, { bus, dispatch, noteChange })
  const limit = createConcurrencyLimit(slots)
  const verify = await startVerifyApi(deps, startDeps, { bus, noteChange }, limit)
  const requestLog = createRequestLog(deps, noteChange)
  const about = { publicUrl: config.publicUrl, version }
  const pages: PublicPages = {
    root: { status: true, name: 'Ringproof', version, docs: `${config.publicUrl}/docs` },
    docs: createDocs(about),
    health: health.current,
    areProvidersUp,
    isListening: apiClients.isListening,
    isReady: () => !deps.stopping.aborted,
  }
  const app = await buildApp({
    actions: methodActions(deps, { slots, batches }, starts, limit),
    verify: verify.actions,
    waitForCall: createWait(deps, slots, bus),
    webhookStream: bus && createWebhookListeners({ bus, keys: deps.keys, randomBytes: createRandomBytes() }),
    takePayment: createTakePayment(deps, slots, noteChange),
    currency: config.currency,
    isSaturated: limit.isFull,
    noteClientHint: createClientHints(slots, clock, log).note,
    authenticate: (credentials) =>
      unlessSilent(authenticate({ apiClients, keyUsage, noteFailure: failures.note }, credentials)),
    pages,
    web,
    publicUrl: config.publicUrl,
    requestsPerSecond: config.requestsPerSecond,
    trustedProxies: config.trustedProxies,
    clock,
    events,
    traces,
    noteCompleted: requestLog?.note,
    log,
  })
  const closeRest = async () => {
    failures.close()
    callNodes?.close()
    await Promise.all([verify, apiClients, starts, keyUsage, health, requestLog].map(async (one) => one?.close()))
  }
  try {
    const listening = await listen(app, config, clock)
    return { close: () => listening.close().then(closeRest) }
  } catch (error) {
    // Otherwise their connections would keep the failed process alive.
    await closeRest()
    throw error
  }
}

function createTakePayment({ keys, config }: ServerDeps, slots: SlotMap, noteChange: NoteChange): TakePayment {
  return async (report) => {
    // Most processes never take a payment.
    const { isSigned } = await import('../webhooks/sign.ts')
    const payments = { slots, recordKeys: keys.sealRecords, currency: config.currency, isSigned }
    const taken = await unlessSilent(takePayment(payments, report))
    if (taken.outcome === 'recorded') noteChange(taken.accountId, 'money')
    return taken
  }
}

function hasTrunk({ routing }: ServerDeps): boolean {
  const { stop, trunks } = routing()
  return !stop && trunks.some(({ isOn, isTest }) => isOn && !isTest)
}

// Its writes wait for nothing but each other, and give up soon: a request never waits for them.
const requestLogDeadlines = { statementMs: 2_000, responseMs: 3_000 }

function createRequestLog({ config, log, events }: ServerDeps, noteChange: NoteChange): ApiRequestLog | undefined {
  if (config.apiLog === 'off') return undefined
  const slots = createSlotMap(config.slotUrls, requestLogDeadlines, 'api', 1)
  const noteWritten = (accountId: AccountId) => noteChange(accountId, 'requests')
  const written = createApiRequestLog({ slots, log, events, noteWritten })
  const watch = startSlotWatch([slots])
  const close = async () => {
    await written.close()
    await watch.close()
    await slots.close()
  }
  return { note: written.note, close }
}

function startDepsOf(
  { config, clock, keys, routing, numbers }: ServerDeps,
  { slots, batches }: RoleDatabases,
  dispatch: CallQueue['dispatch'],
) {
  const { dispatchCall, queueFaultOf, openOrdersOf } = dispatch ?? unavailableDispatch
  return {
    monotonicMs: clock.monotonicMs,
    slots,
    batches,
    routing,
    numbers,
    keys,
    randomBytes: createRandomBytes(),
    timeScale: config.timeScale,
    prefixHourMax: config.prefixHourMax,
    dispatchCall,
    queueFaultOf,
    openOrdersOf,
  }
}

async function createApiStarts(
  { config, clock, log, events, traces, keys }: ServerDeps,
  startDeps: ReturnType<typeof startDepsOf>,
  { bus, noteChange }: CallQueue,
): Promise<ReturnType<typeof createStarts>> {
  const { randomBytes } = startDeps
  return createStarts({
    ...startDeps,
    webhookAllow: config.webhookAllow,
    repeats: bus && (await createRepeatVault(bus, keys, randomBytes, config.timeScale)),
    clock,
    log,
    events,
    traces,
    noteChange,
  })
}

function createWait({ keys }: ServerDeps, slots: SlotMap, bus: Bus | undefined): WaitForCall {
  const watchCalls = (accountId: AccountId, onChange: () => void) =>
    bus
      ? // Requests alone change no call.
        watchLiveHints(bus, accountId, (topics) => topics.some((topic) => topic !== 'requests') && onChange())
      : { close: () => undefined }
  const deps = { slots, keys, watchCalls, clock: createClock(1) }
  return (apiClient, command, gone) => unlessSilent(waitForCall(deps, apiClient, command, gone))
}

// Starts are limited by the concurrency limit; every method returns code 5 while the database is busy or does not respond.
function methodActions(
  { keys, numbers, routing, events, config: { timeScale } }: ServerDeps,
  { slots, batches }: RoleDatabases,
  starts: ReturnType<typeof createStarts>,
  limit: ReturnType<typeof createConcurrencyLimit>,
): MethodActions {
  const chargeLookup = createLookupBatches(slots)
  const charge: typeof chargeLookup = async (lookup) => {
    const result = await chargeLookup(lookup)
    if (result.charged) events.charged('lookup', lookup.price)
    return result
  }
  return {
    initCall: (apiClient, command) =>
      limit.run(apiClient.accountId, () => unlessSilent(starts.call(apiClient, command))),
    inboundCallWaiting: (apiClient, command) =>
      limit.run(apiClient.accountId, () => unlessSilent(starts.inbound(apiClient, command))),
    initRepeat: (apiClient, uid) => limit.run(apiClient.accountId, () => unlessSilent(starts.repeat(apiClient, uid))),
    getInfo: (apiClient, uid) => unlessSilent(getInfo({ batches, keys, timeScale }, apiClient, uid)),
    checkPhone: (apiClient, command) => checkPhone({ charge, numbers, prices: routing }, apiClient, command),
    getAccount: (apiClient) => unlessSilent(getAccount({ slots }, apiClient)),
    getService: (apiClient) => unlessSilent(getService({ slots }, apiClient)),
    getBalance: (apiClient) => unlessSilent(getBalance({ slots }, apiClient)),
  }
}

// Without a dispatch nothing can be started, and no money moves.
const unavailableDispatch: Pick<Dispatch, 'dispatchCall' | 'queueFaultOf' | 'openOrdersOf'> = {
  dispatchCall: async () => {
    throw new Error('there is no dispatch')
  },
  queueFaultOf: () => 'nats_down',
  openOrdersOf: () => 0,
}
