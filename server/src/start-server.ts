// Starts what the roles of a process share, then the roles, and closes them in reverse order.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { assertCurrency } from './actions/installation/assert-currency.ts'
import { assertKeys } from './actions/installation/keys.ts'
import { assertMigrated, assertOwnSessions, assertSafeServers } from './cli/core/context.ts'
import { createRolePools, type RolePools } from './db/core/role-pools.ts'
import { createRoutingTable, type RoutingTable } from './db/trunks/routing-table.ts'
import { createCallBatches } from './db/verifications/call-batches.ts'
import type { ProcessRole } from './domain/core/database-role.ts'
import { everyCode, numbersIn } from './domain/trunks/caller-pool.ts'
import { type Bus, connectBus } from './engine/core/bus.ts'
import { startClockWatch } from './engine/core/clock-watch.ts'
import { createLiveHints, noLiveHints } from './engine/core/live-hints.ts'
import { startSlotWatch } from './engine/core/slot-watch.ts'
import { createVault } from './engine/core/vault.ts'
import { startNumberingReload } from './engine/numbers/numbering-reload.ts'
import { createDispatch, type Dispatch } from './engine/verifications/dispatch.ts'
import { createMetricsServer, cutServer, nameTakenPort } from './http/listen.ts'
import { type LoadedNumbering, loadNumbering } from './numbering/load-numbering.ts'
import { registryKinds } from './numbering/pointer.ts'
import type { Clock } from './process/clock.ts'
import type { Config } from './process/config/config.ts'
import { readCertificateExpiries } from './process/installation-files.ts'
import type { Logger } from './process/log/log.ts'
import { createEvents, type Events } from './process/metrics/events.ts'
import { createRandomBytes } from './process/random-bytes.ts'
import { watchSecrets } from './process/secrets-watch.ts'
import type { Traces } from './process/traces/traces.ts'
import type { Closing, RoleDatabases, ServerDeps } from './roles/server-deps.ts'

// A failed start exits within five seconds.
const failedCloseMs = 1_000

type Start = {
  readonly config: Config
  // What the console shows of the settings.
  readonly settings: ServerDeps['settings']
  readonly roles: readonly ProcessRole[]
  readonly version: string
  readonly clock: Clock
  readonly log: Logger
  readonly linesDropped: () => number
  // Aborted when the server is to stop, or has failed.
  readonly stopping: AbortController
  // The server cannot go on.
  readonly fail: (why: string) => void
}

// Resolves when the roles are ready.
export async function startServer(start: Start): Promise<Closing> {
  const { config, roles, version, clock, log, stopping } = start
  const secrets = watchSecrets({ secretsDir: config.secretsDir, verificationDays: config.verificationDays, clock, log })
  const startedMs = clock.monotonicMs()
  const pools = createRolePools(config.slotUrls, roles)
  const open: Closing[] = [secrets, pools]
  try {
    await assertServers(pools, log)
    await assertCurrency(pools.all[0]?.databases ?? [], config.currency)
    await assertKeys(pools.all[0]?.databases ?? [], { dir: config.secretsDir, rings: secrets.rings })
    open.push(startSlotWatch(pools.all, log))
    const table = await createRouting(pools, roles, clock)
    if (table) open.push(table)
    const events = createEvents(version, start.linesDropped)
    if (table) watchRouting(events, table.current)
    events.watchConnections(() => pools.connections())
    const index = await loadNumbers(config, log)
    watchFiles(events, index, config)
    const tracing = await startTraces({ config, clock, log, keys: secrets.keys, events }, roles, version)
    if (tracing) open.push(tracing.traces)
    const deps: ServerDeps = {
      config,
      settings: start.settings,
      clock,
      log: tracing?.log ?? log,
      keys: secrets.keys,
      numbers: index.current,
      registryAtMs: index.importedAtMs,
      routing: table?.current ?? noRouting,
      events,
      traces: tracing?.traces,
      stopping: stopping.signal,
      fail: start.fail,
    }
    if (config.metricsPort !== undefined) open.push(await startMetrics(config.metricsHost, config.metricsPort, events))
    await startRoles({ deps, roles, pools, index, version }, open)
    const ms = Math.round(clock.monotonicMs() - startedMs)
    log.info({ port: config.httpPort, roles, numbering: index.current().version || 'none', ms }, 'ready')
    return { close: () => closeAll(open) }
  } catch (error) {
    // Some loops end only when the process stops, and a server that hangs must not hide the cause.
    stopping.abort()
    await Promise.race([closeAll(open), clock.sleep(failedCloseMs / config.timeScale, new AbortController().signal)])
    throw error
  }
}

// Reverse order: dependents close before what they depend on.
async function closeAll(open: readonly Closing[]): Promise<void> {
  for (const { close } of open.toReversed()) await close()
}

async function assertServers(pools: RolePools, log: Logger): Promise<void> {
  // All roles use the same login at the same address, so one check is enough.
  for (const slots of pools.all.slice(0, 1)) {
    await assertOwnSessions(slots)
    await assertSafeServers(slots, (detail) => log.warn({ detail }, 'database setting unsafe'))
  }
  for (const slots of pools.all) await assertMigrated(slots)
}

// Only the roles that start or place calls route them; other roles have no right to read the routing tables.
async function createRouting(pools: RolePools, roles: readonly ProcessRole[], clock: Clock) {
  const router = roles.find((role) => role === 'api' || role === 'calls')
  return router && createRoutingTable(pools.of(router).globalDatabase, clock)
}

// Read at every scrape of the metrics.
function watchRouting(events: Events, current: () => RoutingTable): void {
  events.watchTrunkStop(() => current().stop !== undefined)
  events.watchRouting(() => {
    const { trunks, ranges, ownedRanges, codesFor } = current()
    // A country whose numbers are all out of use lacks every code.
    const countries = [...new Set(ownedRanges.map(({ country }) => country))]
    return {
      trunks: trunks.map(({ name, channels, isOn }) => ({ trunk: name, channels, isOn })),
      missingCodes: new Map(countries.map((country) => [country, everyCode.length - codesFor(country).length])),
      callerNumbers: new Map(trunks.map(({ name }) => [name, numbersIn(ranges.filter((one) => one.trunk === name))])),
    }
  })
}

function watchFiles(events: Events, { importedAtMs, pointer }: LoadedNumbering, config: Config): void {
  events.watchCertificates(() => readCertificateExpiries(config))
  events.watchNumbering(() => ({
    importedAtMs: importedAtMs(),
    registries: pointer().registries.map(({ kind, ranges }) => ({ registry: registryKinds[kind], ranges })),
  }))
}

// Loaded only if a collector is configured. The log then names the trace of every verification.
async function startTraces(
  deps: Pick<ServerDeps, 'config' | 'clock' | 'log' | 'keys' | 'events'>,
  roles: readonly ProcessRole[],
  version: string,
): Promise<{ readonly traces: Traces; readonly log: Logger } | undefined> {
  const { traces: settings } = deps.config
  if (!settings) return undefined
  const { addTraceIds, createTraces } = await import('./process/traces/traces.ts')
  const traces = createTraces({ ...deps, settings, roles, version })
  return { traces, log: addTraceIds(deps.log, traces) }
}

function noRouting(): never {
  throw new Error('this process routes no calls')
}

// If the numbering data cannot be loaded we still serve: the numbering plans are enough.
async function loadNumbers(config: Config, log: Logger): Promise<LoadedNumbering> {
  const index = await loadNumbering(config.numberingDir)
  if (index.loadFailure) log.error({ err: index.loadFailure }, 'numbering data load failed')
  return index
}

type Process = {
  readonly deps: ServerDeps
  readonly roles: readonly ProcessRole[]
  readonly pools: RolePools
  readonly index: LoadedNumbering
  readonly version: string
}

// Loads only the roles of this process, and all of them before the first one starts: loading blocks the process, and on a slow
// machine the database timeouts of a role that already works would expire.
async function startRoles({ deps, roles, pools, index, version }: Process, open: Closing[]): Promise<void> {
  const { config, clock, log, keys, events } = deps
  const [api, calls, webhooks, keeper, web] = await Promise.all([
    roles.includes('api') && import('./roles/api.ts'),
    roles.includes('calls') && import('./roles/calls.ts'),
    roles.includes('webhooks') && import('./roles/webhooks.ts'),
    roles.includes('keeper') && import('./roles/keeper.ts'),
    roles.includes('web') && import('./roles/web.ts'),
  ])
  const databasesOf = (role: ProcessRole): RoleDatabases => {
    const slots = pools.of(role)
    return { slots, batches: createCallBatches(slots, config.timeScale) }
  }
  // Any role's connections can read the database's clock.
  for (const role of roles.slice(0, 1)) open.push(startClockWatch({ slots: pools.of(role), clock, events, log }))
  let bus: Bus | undefined
  let dispatch: Dispatch | undefined
  let noteChange = noLiveHints
  if (config.natsUrls.length > 0) {
    bus = await connectBus(config, config.natsPrefix, config.timeScale, clock, log)
    open.push(bus)
    dispatch = createDispatch({ bus, keys, randomBytes: createRandomBytes(), clock, events })
    open.push(dispatch)
    const hints = createLiveHints(bus)
    open.push(hints)
    noteChange = hints.noteChange
    const vault = await createVault(bus, keys, randomBytes, config.timeScale)
    if (calls && config.switch) {
      open.push(...calls.startCallsRole(deps, databasesOf('calls'), { bus, dispatch, vault, noteChange }))
    }
    if (webhooks) open.push(...webhooks.startWebhooksRole(deps, databasesOf('webhooks'), { bus, vault, noteChange }))
  }
  open.push(startNumberingReload({ index, bus, clock, log }))
  if (keeper) open.push(...keeper.startKeeperRole(deps, databasesOf('keeper'), bus))
  const pages = web ? await web.createWebRole(deps, databasesOf('web'), { bus, noteChange }, version) : undefined
  if (pages) open.push(pages)
  if (api) {
    const queue = { bus, dispatch, noteChange }
    open.push(await api.startApiRole(deps, databasesOf('api'), queue, version, pages?.listener))
  } else if (web && pages) open.push(await web.serveWebAlone(pages, deps))
}

// Every process serves metrics, whatever its roles.
async function startMetrics(host: string, port: number, events: Events): Promise<Closing> {
  const server = createMetricsServer(events)
  await nameTakenPort('RINGPROOF_METRICS_PORT', once(server.listen(port, host), 'listening'))
  return { close: () => cutServer(server) }
}
