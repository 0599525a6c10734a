// What a command of the operator's context is given: the database opened, the keys read, who acts, and where to speak.

import type { Command } from 'commander'
import type { TestCall } from '../actions/test-trunk.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Actor } from '../db/action-log.ts'
import { jobDeadlines } from '../db/database.ts'
import { missingMigrations } from '../db/migrate.ts'
import { makePartitions } from '../db/partitions.ts'
import { lostInPooler } from '../db/pooler.ts'
import { riskySettings } from '../db/server-settings.ts'
import { createSlotMap, type SlotMap } from '../db/slot-map.ts'
import type { NewServiceCaps } from '../domain/accounts/service.ts'
import type { CallProgress } from '../domain/calls/call-outcome.ts'
import type { KeyRing } from '../domain/crypto/sealing.ts'
import { type MicroRoubles, parseRoubles } from '../domain/money/money.ts'
import type {
  NumberingStatus,
  NumberLookup,
  PortedImport,
  RegistryImport,
  ReportProgress,
} from '../domain/numbers/numbering-report.ts'
import { type AccountId, isAccountId, isServiceId, type ServiceId, type VerificationId } from '../domain/slot.ts'
import { UsageError } from '../errors.ts'
import { readSecrets } from '../secrets.ts'

export type CliContext = {
  readonly readConfig: () => Config
  readonly printableSettings: () => ReadonlyMap<string, string>
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly actor: Actor
  readonly say: (text: string) => void
  // Runs the roles until the process is asked to stop.
  readonly serve: (roles: readonly Role[]) => Promise<void>
  readonly placeTestCall: (call: TestCall) => Promise<CallProgress>
  // Gives the file that Asterisk is started with.
  readonly prepareAsterisk: (directory: string, programs: string) => Promise<string>
  // The work on numbering data, loaded when it is asked for, and what shows how far it has come.
  readonly numbering: () => Promise<NumberingTools>
  // Tells every process that there is new data; false when nobody could be told.
  readonly notifyNumberingChanged: () => Promise<boolean>
  readonly reportProgress: ReportProgress
}

// Each is given the directory of the data.
export type NumberingTools = {
  readonly importRegistry: (
    dir: string,
    paths: readonly string[],
    allowLoss: boolean,
    report: ReportProgress,
  ) => Promise<RegistryImport>
  readonly importPorted: (
    dir: string,
    paths: readonly string[],
    allowLoss: boolean,
    report: ReportProgress,
  ) => Promise<PortedImport>
  readonly generatePorted: (
    dir: string,
    count: number,
    seed: number,
    out: string,
    report: ReportProgress,
  ) => Promise<void>
  readonly numberingStatus: (dir: string) => Promise<NumberingStatus>
  readonly lookUpNumber: (dir: string, national: number) => Promise<NumberLookup>
  readonly rollBack: (dir: string) => Promise<string>
}

// What a process does; by default all of them.
export const roles = ['api', 'calls', 'webhooks', 'keeper'] as const
export type Role = (typeof roles)[number]

export type DatabaseContext = CliContext & {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly slotKeys: KeyRing
  readonly newServiceCaps: NewServiceCaps
}

// Says the result once, in the form that was asked for.
export type CommandResult = { readonly json: unknown; readonly text: string }

// A command that works on the database. `--json` is understood by every one of them.
export function withDatabase(
  context: CliContext,
  work: (open: DatabaseContext, ...args: never[]) => Promise<CommandResult>,
): (this: Command, ...args: unknown[]) => Promise<void> {
  return async function act(...args) {
    const config = context.readConfig()
    const { 'seal-records': recordKeys, 'phone-slot': slotKeys } = readSecrets(config.secretsDir)
    const slots = createSlotMap(config.slotUrls, jobDeadlines, 'operator')
    try {
      await assertMigrated(slots)
      // The last argument is the command itself; the work has its own names for the rest.
      const response = await work(
        { ...context, slots, recordKeys, slotKeys, newServiceCaps: config.newServiceCaps },
        ...(args.slice(0, -1) as never[]),
      )
      context.say(this.opts()['json'] ? JSON.stringify(response.json) : response.text)
    } finally {
      await slots.close()
    }
  }
}

export function parseAccountId(text: string): AccountId {
  const id = Number(text)
  if (!/^\d+$/.test(text) || !isAccountId(id)) throw new UsageError(`${text} is not the number of an account`)
  return id
}

export function parseServiceId(text: string): ServiceId {
  const id = Number(text)
  if (!/^\d+$/.test(text) || !isServiceId(id)) throw new UsageError(`${text} is not the number of a service`)
  return id
}

export function parseVerificationId(text: string): VerificationId {
  const id = Number(text)
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(id)) {
    throw new UsageError(`${text} is not the number of a verification`)
  }
  return id as VerificationId
}

export function parseAmount(text: string): MicroRoubles {
  const amount = parseRoubles(text)
  if (amount === undefined) throw new UsageError(`${text} is not an amount in roubles, such as 100 or 0.85`)
  return amount
}

// Also makes the partitions that are due: a quiet installation may see nobody else for weeks.
export async function assertMigrated(slots: SlotMap): Promise<void> {
  for (const database of slots.databases) {
    if (await missingMigrations(database)) {
      throw new UsageError('The database is older than this program. Run `ringproof migrate` first.')
    }
    await makePartitions(database)
  }
}

// A process that serves needs sessions that are its own, and their deadlines.
export async function assertOwnSessions(slots: SlotMap, clock: Clock): Promise<void> {
  for (const database of slots.databases) {
    const lost = await lostInPooler(database, clock)
    if (lost === undefined) continue
    const { host } = new URL(database.options.connectionString ?? '')
    throw new UsageError(
      `${poolerSentences[lost].replace('{host}', host)} Let RINGPROOF_DATABASE_URL (or RINGPROOF_SHARD_URLS) lead to ` +
        'PostgreSQL itself.',
    )
  }
}

// A server that may lose what it has committed is refused; one that logs what it should not is warned of.
export async function assertSafeServers(slots: SlotMap, warn: (sentence: string) => void): Promise<void> {
  for (const database of slots.databases) {
    const { host } = new URL(database.options.connectionString ?? '')
    for (const { name, value, safe, risk } of await riskySettings(database)) {
      const sentence = `The database at ${host} has ${name} = ${value}, and ${riskSentences[risk]} Set ${name} = ${safe} in postgresql.conf, or where ALTER ROLE or ALTER DATABASE has changed it.`
      if (risk === 'lost') throw new UsageError(sentence)
      warn(sentence)
    }
  }
}

const riskSentences = {
  lost: 'a crash of it would lose calls that were accepted and paid for.',
  logged: 'phone numbers can get into its log with the parameters of statements.',
} as const

const poolerSentences = {
  sessions:
    'The database at {host} is reached through a connection pooler in transaction or statement mode (pool_mode in ' +
    'pgbouncer.ini), and LISTEN is lost there.',
  deadlines:
    'The database at {host} is reached through a connection pooler that refuses the deadlines of our sessions ' +
    '(statement_timeout and others).',
} as const
