// Where everything is put together: what the operator's hand holds, what a serving process is made of, and how a failure
// is told.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { userInfo } from 'node:os'
import manifest from '../package.json' with { type: 'json' }
import { checkHealth } from './actions/check-health.ts'
import { findCaller } from './actions/find-caller.ts'
import { getAccount } from './actions/get-account.ts'
import { getBalance } from './actions/get-balance.ts'
import { getService } from './actions/get-service.ts'
import { assertMigrated } from './cli/hand.ts'
import { buildProgram } from './cli/program.ts'
import { tellFailure } from './cli/tell-failure.ts'
import { type Clock, openClock } from './clock.ts'
import { type Config, printableSettings, readConfig } from './config.ts'
import { openCallerCache } from './db/caller-cache.ts'
import { openSlotMap, type SlotMap } from './db/slot-map.ts'
import { type Logger, openLog } from './log.ts'
import { readSecrets } from './secrets.ts'

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

// All roles of this process, from its start to its last answer.
async function serve(): Promise<void> {
  const config = readConfig()
  readSecrets(config.secretsDir)
  const clock = openClock(config.timeScale)
  const log = openLog()
  const startedMs = clock.monotonicMs()
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort())
  const slots = openSlotMap(config.slotUrls)
  try {
    await assertMigrated(slots)
    const api = await openApi(config, clock, log, slots, stopping.signal)
    log.info({ port: config.httpPort, ms: Math.round(clock.monotonicMs() - startedMs) }, 'ready')
    if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
    log.info('stopping: finishing what is under way')
    await api.close()
    log.info('stopped')
  } finally {
    await slots.close()
  }
}

// The edge is loaded here and not above, because commands need none of it and people wait for them.
async function openApi(config: Config, clock: Clock, log: Logger, slots: SlotMap, stopping: AbortSignal) {
  const [{ buildApp }, { docsPage }, { openMetricsServer }, { openEvents }] = await Promise.all([
    import('./http/app.ts'),
    import('./http/docs-page.ts'),
    import('./http/metrics-server.ts'),
    import('./events.ts'),
  ])
  const { openApiDocument } = await import('@ringproof/contract/openapi.ts')
  const about = { publicUrl: config.publicUrl, version }
  const events = openEvents(version)
  const callers = openCallerCache(slots, clock)
  const { fastify, openAlternativeServer } = await buildApp({
    actions: {
      getAccount: (caller) => getAccount({ slots }, caller),
      getService: (caller) => getService({ slots }, caller),
      getBalance: (caller) => getBalance({ slots }, caller),
    },
    findCaller: (credentials) => findCaller({ callers }, credentials),
    pages: {
      root: { status: true, name: 'Ringproof', version, docs: `${config.publicUrl}/docs` },
      openApi: openApiDocument(about),
      docsPage: docsPage(about),
      isDatabaseUp: () => checkHealth({ slots }),
      // There is no engine yet that could place a call.
      areProvidersUp: () => false,
      isListening: callers.isListening,
      isReady: () => !stopping.aborted,
    },
    ...config,
    clock,
    events,
    log,
  })
  const others = [
    ...(config.httpAltPort === undefined ? [] : [{ server: openAlternativeServer(), port: config.httpAltPort }]),
    ...(config.metricsPort === undefined ? [] : [{ server: openMetricsServer(events), port: config.metricsPort }]),
  ]
  for (const { server, port } of others) await once(server.listen(port, config.httpHost), 'listening')
  await fastify.listen({ port: config.httpPort, host: config.httpHost, listenTextResolver: () => '' })
  return {
    // Takes no new connection, lets what is under way finish for a while, then cuts.
    close: async () => {
      const servers = [fastify.server, ...others.map(({ server }) => server)]
      const cut = clock.after(drainMs, () => servers.forEach((server) => server.closeAllConnections()))
      await Promise.all([fastify.close(), ...others.map(({ server }) => closeServer(server))])
      cut.stop()
      await callers.close()
    },
  }
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  await closed
}

// In a container there may be a number and no name.
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
