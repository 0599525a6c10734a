// Where everything is put together: what the operator's hand holds, what a serving process is made of, and how a failure
// is told.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { checkPhone } from './actions/check-phone.ts'
import { findCaller } from './actions/find-caller.ts'
import { getAccount } from './actions/get-account.ts'
import { getBalance } from './actions/get-balance.ts'
import { getInfo } from './actions/get-info.ts'
import { getService } from './actions/get-service.ts'
import type { TestCall } from './actions/test-trunk.ts'
import { unlessSilent } from './actions/unless-busy.ts'
import type { Health, HealthWatch } from './actions/watch-health.ts'
import { openChance } from './chance.ts'
import { assertMigrated, assertOwnSessions, assertSafeServers, type NumberingHand, type Role } from './cli/hand.ts'
import { buildProgram } from './cli/program.ts'
import { openProgressBar } from './cli/progress-bar.ts'
import { tellFailure } from './cli/tell-failure.ts'
import { type Clock, openClock } from './clock.ts'
import { type Config, printableSettings, readConfig } from './config.ts'
import { openApiKeyUsage } from './db/api-key-usage.ts'
import { type CallBatches, openCallBatches } from './db/call-batches.ts'
import { openCallerCache } from './db/caller-cache.ts'
import { openLookupBatches } from './db/lookup.ts'
import { openRolePools, type RolePools } from './db/role-pools.ts'
import { openRoutingTable, type RoutingTable } from './db/routing-table.ts'
import type { SlotMap } from './db/slot-map.ts'
import { readDocs } from './docs-files.ts'
import type { CallStory } from './domain/call-outcome.ts'
import type { NumberBook } from './domain/number-book.ts'
import type { Bus } from './engine/bus.ts'
import type { Dispatch } from './engine/dispatch.ts'
import type { Vault } from './engine/vault.ts'
import { OperatorMistake } from './errors.ts'
import type { Events } from './events.ts'
import { type Logger, openLog, openProcessLog } from './log.ts'
import type { OpenBook } from './numbering/book.ts'
import { type NamedKeys, namedKeys, readSecrets } from './secrets.ts'

const { version } = manifest
const drainMs = 30_000

const program = buildProgram(
  {
    readConfig,
    printableSettings,
    chance: randomBytes,
    actor: { address: 'cli', userAgent: `ringproof ${version} (${userName()})` },
    say: (text) => process.stdout.write(`${text}\n`),
    serve,
    numbering,
    tellNumberingNews,
    tellProgress: openProgressBar(process.stderr),
    placeTestCall: testCall,
    prepareAsterisk,
  },
  version,
)

// Whoever reads our output may stop reading; `ringproof accounts list | head` is no failure.
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code !== 'EPIPE') throw error
})

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${tellFailure(error)}\n`)
  process.exitCode = 1
}

async function numbering(): Promise<NumberingHand> {
  const [registry, ported, generate, inspect] = await Promise.all([
    import('./numbering/import-registry.ts'),
    import('./numbering/import-ported.ts'),
    import('./numbering/generate-ported.ts'),
    import('./numbering/inspect.ts'),
  ])
  return { ...registry, ...ported, ...generate, ...inspect }
}

// False when nobody could be told; then everybody sees by themselves, within a minute.
async function tellNumberingNews(): Promise<boolean> {
  const config = readConfig()
  if (config.natsUrls.length === 0) return false
  const { tellOnce } = await import('./engine/bus.ts')
  const { streamNames } = await import('./engine/streams.ts')
  return tellOnce(config, streamNames(config.natsPrefix).numberingSubject).then(
    () => true,
    () => false,
  )
}

// What the roles of one process share.
type Ground = {
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
  // The connections of a role, with the rights of that role.
  readonly recordOf: (role: Role) => RoleRecord
  readonly keys: NamedKeys
  readonly book: OpenBook
  readonly numbers: () => NumberBook
  readonly routing: () => RoutingTable
  readonly events: Events
  readonly stopping: AbortSignal
  // Stops the process, because it can never do what it is for.
  readonly fail: (why: string) => void
}
type RoleRecord = { readonly slots: SlotMap; readonly batches: CallBatches }
type Closing = { readonly close: () => Promise<void> }

// The roles of this process, from its start to its last answer.
async function serve(roles: readonly Role[]): Promise<void> {
  const config = readConfig()
  const clock = openClock(config.timeScale)
  const { log, linesDropped } = openProcessLog(clock)
  const { watchSecrets } = await import('./secrets-watch.ts')
  const secrets = watchSecrets({ ...config, clock, log })
  const { keys } = secrets
  const startedMs = clock.monotonicMs()
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort())
  const fail = (why: string) => {
    log.fatal(why)
    process.exitCode = 1
    stopping.abort()
  }
  const pools = openRolePools(config.slotUrls, roles)
  const open: Closing[] = [secrets, pools]
  try {
    for (const slots of pools.all) {
      await assertOwnSessions(slots, clock)
      await assertMigrated(slots)
    }
    // Every role logs in as the same user.
    for (const slots of pools.all.slice(0, 1)) await assertSafeServers(slots, (sentence) => log.warn(sentence))
    const table = await openRouting(pools, roles, clock)
    if (table) open.push(table)
    const recordOf = (role: Role) => {
      const slots = pools.of(role)
      return { slots, batches: openCallBatches(slots, config.timeScale) }
    }
    const { openEvents } = await import('./events.ts')
    const events = openEvents(version, linesDropped)
    if (table) events.watchTrunkStop(() => table.current().stop !== undefined)
    const book = await openNumbers(config, log)
    const shared = { config, clock, log, recordOf, keys, events, stopping: stopping.signal }
    const ground = { ...shared, fail, book, numbers: book.current, routing: table?.current ?? noRouting }
    await openRoles(ground, roles, open)
    const ms = Math.round(clock.monotonicMs() - startedMs)
    log.info({ port: config.httpPort, roles, numbering: book.current().version || 'none', ms }, 'ready')
    if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
    log.info('stopping: finishing what is under way')
  } finally {
    // What stands on something else goes before it.
    for (const { close } of open.toReversed()) await close()
  }
  log.info('stopped')
}

// Calls are routed by those that start or place them; other roles may not even read how.
async function openRouting(pools: RolePools, roles: readonly Role[], clock: Clock) {
  const router = roles.find((role) => role === 'api' || role === 'calls')
  return router && openRoutingTable(pools.of(router).home, clock)
}

function noRouting(): never {
  throw new Error('this process routes no calls')
}

// Data that cannot be read is no reason not to serve: without any, numbers are known by the plans of the world.
async function openNumbers(config: Config, log: Logger): Promise<OpenBook> {
  const { openBook } = await import('./numbering/book.ts')
  const book = await openBook(config.numberingDir)
  if (book.openingFailure) log.error({ err: book.openingFailure }, 'the numbering data cannot be loaded')
  return book
}

async function openRoles(ground: Ground, roles: readonly Role[], open: Closing[]): Promise<void> {
  const { config, clock, log } = ground
  if (config.metricsPort !== undefined) open.push(await openMetrics(ground, config.metricsPort))
  const { openClockWatch } = await import('./engine/clock-watch.ts')
  // Any of the connections sees the database's clock.
  for (const role of roles.slice(0, 1)) open.push(openClockWatch({ ...ground, ...ground.recordOf(role) }))
  let bus: Bus | undefined
  let dispatch: Dispatch | undefined
  if (config.natsUrls.length > 0) {
    const [{ openBus }, { openDispatch }, { openVault }] = await Promise.all([
      import('./engine/bus.ts'),
      import('./engine/dispatch.ts'),
      import('./engine/vault.ts'),
    ])
    bus = await openBus(config, config.natsPrefix, config.timeScale, clock, log)
    open.push(bus)
    dispatch = openDispatch({ ...ground, bus, chance: openChance() })
    open.push(dispatch)
    const vault = await openVault(bus, ground.keys, randomBytes, config.timeScale)
    if (roles.includes('calls') && config.switch)
      open.push(...(await openCalls({ ...ground, ...ground.recordOf('calls') }, bus, dispatch, vault)))
    if (roles.includes('webhooks'))
      open.push(...(await openWebhooks({ ...ground, ...ground.recordOf('webhooks') }, vault)))
  }
  const { openNumberingNews } = await import('./engine/numbering-news.ts')
  open.push(openNumberingNews({ ...ground, bus }))
  if (roles.includes('keeper')) {
    const { openKeeper } = await import('./engine/keeper.ts')
    open.push(openKeeper({ ...config, ...ground, ...ground.recordOf('keeper'), chance: randomBytes }))
    const { openFraudWatch } = await import('./engine/fraud-watch.ts')
    open.push(openFraudWatch({ ...config, ...ground, ...ground.recordOf('keeper') }))
  }
  if (roles.includes('api')) open.push(await openApi({ ...ground, ...ground.recordOf('api') }, dispatch))
}

// Every process counts what it does, whatever its roles are.
async function openMetrics({ config, events }: Ground, port: number): Promise<Closing> {
  const { openMetricsServer } = await import('./http/metrics-server.ts')
  const { cutServer } = await import('./http/close-server.ts')
  const server = openMetricsServer(events)
  await once(server.listen(port, config.metricsHost), 'listening')
  return { close: () => cutServer(server) }
}

async function openCalls(
  ground: Ground & RoleRecord,
  bus: Bus,
  dispatch: Dispatch,
  vault: Vault,
): Promise<readonly Closing[]> {
  const { openCallWorker } = await import('./engine/call-worker.ts')
  const { openInboundListener } = await import('./engine/inbound-listener.ts')
  const { openLiveNodes } = await import('./engine/live-nodes.ts')
  const { openReturnPathCounts } = await import('./engine/return-path-counts.ts')
  const { openSwitch } = await import('./engine/open-switch.ts')
  const { openTestCaller } = await import('./engine/test-caller.ts')
  const { openTrunkWatch } = await import('./engine/trunk-watch.ts')
  const { timeScale, flashRingSeconds } = ground.config
  const nodes = openLiveNodes(bus, ground.clock)
  const phones = openSwitch({ ...ground, trunks: () => ground.routing().trunks, failed: ground.fail })
  const worker = openCallWorker({
    ...ground,
    bus,
    dispatch,
    switch: phones,
    flashRingSeconds,
    timeScale,
    liveNodes: nodes.count,
  })
  const returnPaths = openReturnPathCounts(ground)
  const listener = openInboundListener({ ...ground, vault, returnPaths }, phones)
  const testCaller = openTestCaller({ ...ground, timeScale })
  const watch = openTrunkWatch({ ...ground, node: ground.config.node, switch: phones })
  // The listener has heard everything once the switch is closed.
  return [returnPaths, listener, phones, watch, { close: async () => nodes.close() }, worker, testCaller]
}

async function openWebhooks(ground: Ground & RoleRecord, vault: Vault): Promise<readonly Closing[]> {
  const { openWebhookWorker } = await import('./engine/webhook-worker.ts')
  const { openDelivery } = await import('./webhooks/deliver.ts')
  const { openResolver } = await import('./webhooks/resolve.ts')
  const { timeScale, webhookAllow } = ground.config
  const delivery = openDelivery({ ...ground, webhookAllow, timeScale, resolve: openResolver({ ...ground, timeScale }) })
  return [delivery, openWebhookWorker({ ...ground, vault, deliver: delivery.deliver, timeScale })]
}

async function testCall(call: TestCall): Promise<CallStory> {
  const { placeTestCall } = await import('./engine/place-test-call.ts')
  const config = readConfig()
  const keys = namedKeys(readSecrets(config.secretsDir))
  // The story is told on standard output; nothing else belongs there.
  const log = openLog({ write: () => undefined })
  return placeTestCall({ config, keys, clock: openClock(config.timeScale), log }, call)
}

async function prepareAsterisk(directory: string, programs: string): Promise<string> {
  const { layOutSite } = await import('./telephony/asterisk-site.ts')
  const config = readConfig()
  const { protocol, hostname, port } = new URL(config.ariUrl)
  return layOutSite({
    ...config,
    directory: resolve(directory),
    programs: resolve(programs),
    ariHost: hostname,
    ariPort: Number(port || '8088'),
    ariTls: protocol === 'https:' ? ariCertificate(config) : undefined,
    publicAddress: config.sipPublicAddress,
    localNetworks: config.sipLocalNetworks,
    caFile: config.sipCaFile,
    kazakhPrompts: config.kazakhPromptsDir,
  })
}

function ariCertificate({ ariCertFile, ariKeyFile }: Config): { readonly certFile: string; readonly keyFile: string } {
  if (ariCertFile !== undefined && ariKeyFile !== undefined) return { certFile: ariCertFile, keyFile: ariKeyFile }
  throw new OperatorMistake(
    'RINGPROOF_ARI_URL is https, so Asterisk needs a certificate: set RINGPROOF_ARI_CERT_FILE and RINGPROOF_ARI_KEY_FILE.',
  )
}

// The edge is loaded here and not above, because commands need none of it and people wait for them.
async function openApi(ground: Ground & RoleRecord, dispatch: Dispatch | undefined): Promise<Closing> {
  const { config, clock, log, slots, events } = ground
  const [{ buildApp }, { docsPage }, { plainPages }] = await Promise.all([
    import('./http/app.ts'),
    import('./http/docs-page.ts'),
    import('./http/plain-pages.ts'),
  ])
  const { closeServer } = await import('./http/close-server.ts')
  const { openFailedAuthentications } = await import('./http/failed-authentications.ts')
  const { openApiDocument } = await import('@ringproof/contract/openapi.ts')
  const { openCrowd } = await import('./actions/crowd.ts')
  const about = { publicUrl: config.publicUrl, version }
  const callers = openCallerCache(slots, clock)
  const keyUsage = openApiKeyUsage(slots, clock, log)
  const failures = openFailedAuthentications(clock, log)
  const charge = openLookupBatches(slots)
  const crowd = openCrowd(slots)
  const areProvidersUp = () => dispatch?.isUp() ?? false
  const health = await openHealthWatch(ground, areProvidersUp)
  const { openStarts } = await import('./engine/starts.ts')
  const starts = openStarts({ ...ground, chance: openChance(), ...config, ...(dispatch ?? nowhere()) })
  const { fastify, openAlternativeServer } = await buildApp({
    actions: {
      initCall: (caller, command) => crowd.enter(caller.accountId, () => unlessSilent(starts.call(caller, command))),
      inboundCallWaiting: (caller, command) =>
        crowd.enter(caller.accountId, () => unlessSilent(starts.wait(caller, command))),
      getInfo: (caller, uid) => unlessSilent(getInfo(ground, caller, uid)),
      checkPhone: (caller, command) => checkPhone({ ...ground, charge }, caller, command),
      getAccount: (caller) => unlessSilent(getAccount({ slots }, caller)),
      getService: (caller) => unlessSilent(getService({ slots }, caller)),
      getBalance: (caller) => unlessSilent(getBalance({ slots }, caller)),
    },
    isCrowded: crowd.isFull,
    findCaller: (credentials) =>
      unlessSilent(findCaller({ callers, keyUsage, noteFailure: failures.note }, credentials)),
    pages: {
      root: { status: true, name: 'Ringproof', version, docs: `${config.publicUrl}/docs` },
      openApi: openApiDocument(about),
      docsPage: docsPage(about),
      plainPages: plainPages(about, readDocs()),
      health: health.current,
      areProvidersUp,
      isListening: callers.isListening,
      isReady: () => !ground.stopping.aborted,
    },
    ...config,
    clock,
    events,
    log,
  })
  const alternative = config.httpAltPort === undefined ? undefined : openAlternativeServer()
  // Whoever comes while that many wait to be taken up is dropped without a word, and tries again after a second, then after
  // three. The system may allow fewer: net.core.somaxconn.
  const place = { host: config.httpHost, backlog: 4_096 }
  if (alternative) await once(alternative.listen({ ...place, port: config.httpAltPort }), 'listening')
  await fastify.listen({ ...place, port: config.httpPort, listenTextResolver: () => '' })
  return {
    // Takes no new connection, lets what is under way finish for a while, then cuts.
    close: async () => {
      const servers = [fastify.server, ...(alternative ? [alternative] : [])]
      const cut = clock.after(drainMs, () => servers.forEach((server) => server.closeAllConnections()))
      await Promise.all([fastify.close(), alternative && closeServer(alternative)])
      cut.stop()
      failures.close()
      await Promise.all([callers.close(), starts.close(), keyUsage.close(), health.close()])
    },
  }
}

async function openHealthWatch({ slots, events }: Ground & RoleRecord, isBusUp: () => boolean): Promise<HealthWatch> {
  const { watchHealth } = await import('./actions/watch-health.ts')
  const tell = (health: Health) => events.healthSeen({ ...health, bus: isBusUp() })
  return watchHealth({ slots, clock: openClock(1), tell })
}

// Without a hand-off nothing can be started, and nobody's money moves.
function nowhere(): Pick<Dispatch, 'handOff' | 'isFull'> {
  const handOff = async () => {
    throw new Error('there is no hand-off')
  }
  return { handOff, isFull: () => true }
}

// In a container there may be a number and no name.
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
