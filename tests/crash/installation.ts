// The environment of a run: private servers, migrated databases with accounts, services, trunks and numbers, and the
// server processes, two of each role. The fault matrix has other servers, and takes the rest from here.

import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { run } from '../../scripts/stack/process.ts'
import { createAccount } from '../../server/src/actions/accounts/accounts.ts'
import { createService, setService } from '../../server/src/actions/accounts/services.ts'
import { createSlotMap, type SlotMap } from '../../server/src/db/core/slot-map.ts'
import { insertPrice } from '../../server/src/db/money/tariff.ts'
import { insertConfirmationNumber } from '../../server/src/db/trunks/confirmation-number.ts'
import { insertCallerRange, putTrunk } from '../../server/src/db/trunks/trunk.ts'
import { noCaps } from '../../server/src/domain/accounts/service.ts'
import { databaseRoles, groupOf } from '../../server/src/domain/core/database-role.ts'
import { slotsAll } from '../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { slotOfNth } from '../../server/src/domain/trunks/confirmation-number.ts'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { makeMissingSecrets, readSecrets, type Secrets } from '../../server/src/process/secrets.ts'
import type { AsteriskConfig } from '../../server/src/telephony/asterisk/config.ts'
import { createChild, type Part } from './child.ts'
import { type ServiceName, serviceNames } from './plan.ts'
import {
  type Asterisk,
  type CrashEnv,
  createAsterisk,
  createNats,
  createPostgres,
  type Nats,
  type Postgres,
} from './servers.ts'

export const natsPrefix = 'crash'

export type RunService = {
  readonly accountId: number
  readonly serviceId: number
  readonly key: string
  readonly webhookSecret: string
}

export type Servers = {
  // Each has the same number of slots.
  readonly databases: readonly Postgres[]
  readonly nats: Nats
  readonly asterisks: readonly Asterisk[]
}

export type Services = Readonly<Record<ServiceName, RunService>>

// What is in the databases, and what a process needs to use them.
export type Filled = {
  readonly secrets: Secrets
  readonly environment: Readonly<Record<string, string>>
  readonly services: Services
  // In the order of the databases; each names one host.
  readonly ownerUrls: readonly string[]
}

export type Installation = Servers & Filled

// In the currency of the installation. The poor account can pay for a few calls at a time, and must not pay for more.
const funds: Readonly<Record<ServiceName, number>> = {
  red: 10_000,
  green: 10_000,
  blue: 10_000,
  poor: 4,
  empty: 0,
  abroad: 10_000,
}
// In micro-units, by account ID.
export function fundedOf(services: Services): Readonly<Record<string, number>> {
  return Object.fromEntries(serviceNames.map((name) => [services[name].accountId, funds[name] * 1e6]))
}

const prices = { flash: 400_000, voice: 1_200_000, mix: 1_500_000, inbound: 300_000 } as const
const confirmationFirst = 70000100001
const confirmationCount = 32
const waitSeconds = 45
const readyWords = '"msg":"ready"'

export async function createServers(env: CrashEnv): Promise<Servers> {
  const databases = await Promise.all([0, 1].map((nth) => createPostgres(env, [], `postgres-${nth}`)))
  const [nats, ...asterisks] = await Promise.all([createNats(env), createAsterisk(env, 0), createAsterisk(env, 1)])
  const all = [...databases, nats, ...asterisks]
  for (const server of all) server.start()
  await Promise.all(all.map((server) => server.ready()))
  return { databases, nats, asterisks }
}

export async function install(
  { directory }: CrashEnv,
  servers: Servers,
  program: string,
  timeScale: number,
  carriers: readonly string[],
): Promise<Installation> {
  const { databases, nats } = servers
  const ownerUrls = databases.map((database) => database.url('ringproof_owner', 'ringproof'))
  const urls = databases.map((database) => database.url('ringproof_app', 'ringproof'))
  for (const { url, password } of databases) await createDatabase(url('postgres', 'postgres'), password)
  const filled = await fill({ directory, urls, ownerUrls, natsUrl: nats.url, program, timeScale, carriers })
  return { ...servers, ...filled }
}

export async function createDatabase(superuserUrl: string, password: string): Promise<void> {
  await asUser(superuserUrl, [
    `CREATE ROLE ringproof_owner LOGIN PASSWORD '${password}'`,
    `CREATE ROLE ringproof_app LOGIN PASSWORD '${password}'`,
    ...databaseRoles.map((role) => `CREATE ROLE ${groupOf(role)} ROLE ringproof_app`),
    'CREATE DATABASE ringproof OWNER ringproof_owner',
  ])
}

export type ToFill = {
  readonly directory: string
  // As the server takes them: each may name several hosts.
  readonly urls: readonly string[]
  readonly ownerUrls: readonly string[]
  // The owner's, with the hosts of `urls`, if those are not the same.
  readonly migrationUrls?: readonly string[]
  readonly natsUrl: string
  readonly program: string
  readonly timeScale: number
  readonly carriers: readonly string[]
  readonly settings?: Readonly<Record<string, string>>
}

export async function fill({
  directory,
  urls,
  ownerUrls,
  migrationUrls = ownerUrls,
  natsUrl,
  program,
  timeScale,
  carriers,
  settings = {},
}: ToFill): Promise<Filled> {
  const secretsDir = join(directory, 'secrets')
  makeMissingSecrets(secretsDir, randomBytes)
  const environment = {
    RINGPROOF_SHARD_URLS: rangesOf(urls),
    RINGPROOF_SECRETS_DIR: secretsDir,
    RINGPROOF_NATS_URL: natsUrl,
    RINGPROOF_NATS_PREFIX: natsPrefix,
    RINGPROOF_TIME_SCALE: String(timeScale),
    RINGPROOF_WEBHOOK_ALLOW: '127.0.0.0/8',
    RINGPROOF_METRICS_PORT: '',
    RINGPROOF_REQUESTS_PER_SECOND: '100000',
    RINGPROOF_PREFIX_HOUR_MAX: 'none',
    ...settings,
  }
  await migrate(program, environment, migrationUrls)
  for (const ownerUrl of ownerUrls) await asUser(ownerUrl, changesAudit)
  const secrets = readSecrets(secretsDir)
  const slots = createSlotMap(new Map(slotsAll.map((slot) => [slot, urls[databaseOfSlot(slot, urls.length)] ?? ''])))
  try {
    await fillTables(slots, carriers)
    const services = await makeServices(slots, secrets)
    return { secrets, environment, services, ownerUrls }
  } finally {
    await slots.close()
  }
}

export async function migrate(
  program: string,
  environment: Readonly<Record<string, string>>,
  ownerUrls: readonly string[],
): Promise<void> {
  const env = { PATH: process.env['PATH'], ...environment, RINGPROOF_SHARD_OWNER_URLS: rangesOf(ownerUrls) }
  await run([process.execPath, program, 'migrate'], { env })
}

export function databaseOfSlot(slot: number, databaseCount: number): number {
  return Math.floor((slot * databaseCount) / slotsAll.length)
}

function rangesOf(urls: readonly string[]): string {
  const each = slotsAll.length / urls.length
  return urls.map((url, nth) => `${nth * each}-${(nth + 1) * each - 1}=${url}`).join(' ')
}

export async function asUser(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url })
  // The running statement reports it.
  client.on('error', () => undefined)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

// Records who changed a state, and from which; the database itself does not keep that.
const changesAudit = [
  `CREATE TABLE crash_changes (
     n bigint GENERATED ALWAYS AS IDENTITY, id bigint, from_state text, to_state text,
     at timestamptz DEFAULT clock_timestamp())`,
  `CREATE FUNCTION crash_note_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
   BEGIN
     INSERT INTO crash_changes (id, from_state, to_state) VALUES (NEW.id, OLD.state, NEW.state);
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER crash_changes AFTER UPDATE ON verifications FOR EACH ROW
   WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION crash_note_change()`,
]

async function fillTables({ globalDatabase }: SlotMap, carriers: readonly string[]): Promise<void> {
  for (const [priority, name] of ['first', 'second'].entries()) {
    // The rolling restart rings 50 phones a second for 5 s each, twice as many after a pause.
    const limits = { channels: 500, callsPerSecond: 200, address: carriers[priority] ?? '' }
    await putTrunk(globalDatabase, { ...trunkDefaults, ...limits, name, priority })
    const first = 70000000000 + priority * 10_000
    await insertCallerRange(globalDatabase, { trunk: name, country: 'RU', first, last: first + 9_999 })
  }
  // Every inbound call comes from the address of the first carrier.
  for (let n = 0; n < confirmationCount; n++) {
    await insertConfirmationNumber(globalDatabase, confirmationFirst + n, 'first', slotOfNth(n))
  }
  for (const mode of ['flash', 'voice', 'mix'] as const) {
    const price = prices[mode] as MicroAmount
    await insertPrice(globalDatabase, 'uni', { method: 'initCall', mode, country: 'RU', price, validFrom: undefined })
  }
  const waiting = { method: 'inboundCallWaiting', mode: '', country: '*', validFrom: undefined } as const
  await insertPrice(globalDatabase, 'uni', { ...waiting, price: prices.inbound as MicroAmount })
}

// New accounts, each with one service. The names are those of earlier ones, the accounts and services are not.
export async function makeServices(slots: SlotMap, secrets: Secrets, suffix = ''): Promise<Services> {
  const actor = { address: 'crash', userAgent: '', operator: 'test' }
  const deps = { slots, recordKeys: secrets['seal-records'], randomBytes, newServiceCaps: noCaps }
  const made: [string, RunService][] = []
  for (const [nth, [name, balance]] of Object.entries(funds).entries()) {
    // Alternating between the halves of the slots; an account asks for one random byte to choose its slot.
    const slot = (nth % 2) * 32 + nth
    const account = { email: `${name}${suffix}@example.org`, balance: (balance * 1e6) as MicroAmount, tariff: 'uni' }
    const accountId = await createAccount({ ...deps, randomBytes: () => Uint8Array.of(slot) }, actor, account)
    const { serviceId, key, webhookSecret } = await createService(deps, actor, { accountId, name })
    const geography = name === 'abroad' ? { geography: 'KZ' } : {}
    await setService(deps, actor, { serviceId, texts: { 'inbound-seconds': String(waitSeconds), ...geography } })
    made.push([name, { accountId, serviceId, key, webhookSecret }])
  }
  return Object.fromEntries(made) as Services
}

export type Roles = { readonly parts: readonly Part[]; readonly bases: readonly string[] }

// Started, but not ready yet. A process that ends by itself is restarted, as a supervisor would.
export async function startRoles(
  { logDirectory, freePort }: CrashEnv,
  { environment, asterisks }: Installation,
  program: string,
  died: (name: string, how: string) => void,
): Promise<Roles> {
  const role = (name: string, settings: Readonly<Record<string, string>> = {}): Part =>
    createRole({ name, program, environment: { ...environment, ...settings }, logDirectory, died })
  mkdirSync(logDirectory, { recursive: true })
  const ports = [await freePort(), await freePort()]
  const calls = asterisks.map(({ site }, n) => role(`calls-${n}`, switchSettings(site)))
  const apis = ports.map((port, n) => role(`api-${n}`, { RINGPROOF_HTTP_PORT: String(port) }))
  return {
    parts: [...apis, ...calls, role('webhooks-0'), role('webhooks-1'), role('keeper-0'), role('keeper-1')],
    bases: ports.map((port) => `http://127.0.0.1:${port}`),
  }
}

export type RoleOptions = {
  // The role and a number, such as api-0.
  readonly name: string
  readonly program: string
  readonly environment: Readonly<Record<string, string>>
  readonly logDirectory: string
  // Arguments before the command.
  readonly launcher?: readonly string[]
  readonly died: (name: string, how: string) => void
}

export function createRole({ name, program, environment, logDirectory, launcher = [], died }: RoleOptions): Part {
  return createChild({
    name,
    command: [...launcher, process.execPath, program, 'serve', '--roles', name.replace(/-\d+$/, '')],
    environment,
    logDirectory,
    ask: async (logPath) => {
      if (!readFileSync(logPath, 'utf8').includes(readyWords)) throw new Error(`${name} is not ready`)
    },
    closeSignal: 'SIGTERM',
    died: (how, log) => died(name, `${how} ${log.includes(readyWords) ? 'while it served' : 'at its start'}`),
  })
}

export function switchSettings(site: AsteriskConfig): Readonly<Record<string, string>> {
  return {
    RINGPROOF_SWITCH: 'asterisk',
    RINGPROOF_ARI_URL: `http://${site.ariHost}:${site.ariPort}`,
    RINGPROOF_ARI_USER: site.ariUser,
    RINGPROOF_ARI_PASSWORD: site.ariPassword,
    RINGPROOF_HEP_PORT: String(site.hepPort),
    RINGPROOF_SIP_TRANSPORTS: site.sipTransports.join(','),
    RINGPROOF_NODE: site.node,
  }
}
