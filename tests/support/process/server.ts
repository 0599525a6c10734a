// A running server for a test file: its own database and keys, and the server of `ringproof serve` inside the test's process,
// which saves loading its modules again. A test that kills, freezes or measures a process starts one beside its own.

import { randomBytes } from 'node:crypto'
import { freePort } from '../../../scripts/stack/ports.ts'
import manifest from '../../../server/package.json' with { type: 'json' }
import { createAccount } from '../../../server/src/actions/accounts/accounts.ts'
import { createService } from '../../../server/src/actions/accounts/services.ts'
import { buildServeProgram } from '../../../server/src/cli/installation/serve.ts'
import { createSlotMap, type SlotMap } from '../../../server/src/db/core/slot-map.ts'
import { noCaps } from '../../../server/src/domain/accounts/service.ts'
import type { ProcessRole as Role } from '../../../server/src/domain/core/database-role.ts'
import { type AccountId, type ServiceId, slotsAll } from '../../../server/src/domain/core/slot.ts'
import type { KeyRing } from '../../../server/src/domain/crypto/sealing.ts'
import type { MicroAmount } from '../../../server/src/domain/money/money.ts'
import { createClock } from '../../../server/src/process/clock.ts'
import { printableSettings, readConfig } from '../../../server/src/process/config/config.ts'
import { createLog } from '../../../server/src/process/log/log.ts'
import { makeMissingSecrets, readSecrets } from '../../../server/src/process/secrets.ts'
import { startServer } from '../../../server/src/start-server.ts'
import { atEnd } from '../at-end.ts'
import { type TestDatabase, testDatabase } from '../database/test-database.ts'
import { fileDirectory } from '../temporary-directory.ts'
import { type Environment, type Running, start } from './cli.ts'

export type Installation = {
  readonly environment: Environment
  readonly database: TestDatabase
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
}

export type Served = {
  readonly base: string
  readonly metrics: string
  readonly alternative: string
  // Resolves when the text appears in its log; rejects when it ends without it.
  readonly says: (text: string) => Promise<void>
  // Its output so far.
  readonly output: () => string
  // Ends it as SIGTERM does; it takes no harm from being stopped twice.
  readonly stop: () => Promise<void>
}

export type ServedProcess = Served & { readonly running: Running }

export type TestService = {
  readonly accountId: AccountId
  readonly serviceId: ServiceId
  readonly key: string
  readonly webhookSecret: string
  readonly bearer: { readonly authorization: string }
}

// Everything a process needs; nothing runs yet.
export async function install(shards: 1 | 2 = 1, own?: TestDatabase): Promise<Installation> {
  const database = own ?? (await testDatabase())
  const other = shards === 2 ? await testDatabase() : database
  const secretsDir = `${fileDirectory()}/secrets`
  makeMissingSecrets(secretsDir, randomBytes)
  const slots = createSlotMap(new Map(slotsAll.map((slot) => [slot, slot < 32 ? database.ownerUrl : other.ownerUrl])))
  atEnd(() => slots.close())
  return {
    environment: {
      ...(shards === 1
        ? { RINGPROOF_DATABASE_URL: database.url }
        : { RINGPROOF_SHARD_URLS: `0-31=${database.url} 32-63=${other.url}` }),
      RINGPROOF_SECRETS_DIR: secretsDir,
    },
    database,
    slots,
    recordKeys: readSecrets(secretsDir)['seal-records'],
  }
}

// Ready for requests; stopped after the tests of the file. Rate limits are raised unless a test sets them.
export async function serve(
  installation: Installation,
  settings: Environment = {},
  ...args: readonly string[]
): Promise<Served> {
  const { environment, addresses } = await prepare(installation, settings)
  // Loading blocks the process: once a connection is being opened, its time could run out meanwhile.
  await Promise.all(
    ['api', 'calls', 'webhooks', 'keeper', 'web'].map((role) => import(`../../../server/src/roles/${role}.ts`)),
  )
  const stopping = new AbortController()
  const text = createTestLog(stopping.signal)
  const log = createLog(text)
  let failure: string | undefined
  const server = await startServer({
    config: readConfig(environment),
    settings: () => printableSettings(environment),
    roles: await rolesOf(args),
    version: manifest.version,
    clock: createClock(readConfig(environment).timeScale),
    log,
    linesDropped: () => 0,
    stopping,
    // As a process: it ends itself. Thrown here, it would be lost in the library that has called us.
    fail: (reason) => {
      failure = reason
      log.fatal({ reason }, 'server failed')
      stopping.abort()
    },
  })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopping.abort()
    stopped ??= server.close()
    return stopped
  }
  atEnd(async () => {
    await stop()
    if (failure !== undefined) throw new Error(`server failed: ${failure}`)
  })
  return { ...addresses, says: text.says, output: text.output, stop }
}

// The same as a process.
export async function serveProcess(
  installation: Installation,
  settings: Environment = {},
  ...args: readonly string[]
): Promise<ServedProcess> {
  const { environment, addresses } = await prepare(installation, settings)
  const running = start(environment, 'serve', ...args)
  const stop = async () => {
    running.process.kill('SIGTERM')
    await running.ended
  }
  atEnd(stop)
  await running.says('"msg":"ready"')
  return { ...addresses, says: running.says, output: running.output, stop, running }
}

async function prepare(installation: Installation, settings: Environment) {
  const [port, metricsPort, altPort] = await Promise.all([freePort(), freePort(), freePort()])
  const environment: Environment = {
    RINGPROOF_REGISTRY_URL: '',
    ...installation.environment,
    RINGPROOF_HTTP_PORT: String(port),
    RINGPROOF_METRICS_PORT: String(metricsPort),
    RINGPROOF_HTTP_ALT_PORT: String(altPort),
    RINGPROOF_REQUESTS_PER_SECOND: '100000',
    RINGPROOF_PREFIX_HOUR_MAX: 'none',
    ...settings,
  }
  const addresses = {
    base: `http://127.0.0.1:${port}`,
    metrics: `http://127.0.0.1:${metricsPort}/metrics`,
    alternative: `http://127.0.0.1:${altPort}`,
  }
  return { environment, addresses }
}

// As the command line reads them.
async function rolesOf(args: readonly string[]): Promise<readonly Role[]> {
  let chosen: readonly Role[] = []
  const program = buildServeProgram({ serve: async (roles) => void (chosen = roles) }, 'test')
  await program.parseAsync(['node', 'ringproof', 'serve', ...args])
  return chosen
}

function createTestLog(stopped: AbortSignal) {
  let text = ''
  const readers = new Set<() => void>()
  const output = () => text
  return {
    output,
    write: (line: string) => {
      text += line
      for (const read of readers) read()
    },
    says: (wanted: string) =>
      new Promise<void>((resolve, reject) => {
        const read = () => (text.includes(wanted) ? resolve() : undefined)
        const end = () => reject(new Error(`the server ended without printing "${wanted}": ${text}`))
        readers.add(read)
        read()
        if (stopped.aborted) end()
        else stopped.addEventListener('abort', end)
      }),
  }
}

let accounts = 0

// Without caps unless given: a test sends more than a customer.
export async function makeService(
  { slots, recordKeys }: Installation,
  balance = 100,
  newServiceCaps = noCaps,
): Promise<TestService> {
  const actor = { address: 'test', userAgent: '', operator: 'test' }
  const deps = { slots, recordKeys, randomBytes, newServiceCaps }
  const account = { email: `owner-${accounts++}@example.org`, balance: (balance * 1e6) as MicroAmount, tariff: 'uni' }
  const accountId = await createAccount(deps, actor, account)
  const { serviceId, key, webhookSecret } = await createService(deps, actor, { accountId, name: 'Shop' })
  return { accountId, serviceId, key, webhookSecret, bearer: { authorization: `Bearer ${key}.${serviceId}` } }
}
