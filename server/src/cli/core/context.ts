// What every CLI command receives: the open database, the keys, the actor for the action log, and where to print.

import { Command, Option } from 'commander'
import { assertCurrency } from '../../actions/installation/assert-currency.ts'
import type { InstallationProbes } from '../../actions/installation/examine-installation.ts'
import { assertKeys, type HeldKeys } from '../../actions/installation/keys.ts'
import type { TestCall } from '../../actions/trunks/trunk-tests.ts'
import type { VaultNumbers } from '../../actions/verifications/personal-data.ts'
import type { Actor } from '../../db/core/action-log.ts'
import { hostsOfDatabase, inJob, jobDeadlines } from '../../db/core/database.ts'
import { makePartitions } from '../../db/core/housekeeping.ts'
import { assertSchemaServes, missingMigrations } from '../../db/core/migrate.ts'
import { lostInPooler } from '../../db/core/pooler.ts'
import { riskySettings } from '../../db/core/server-settings.ts'
import { createSlotMap, type SlotMap } from '../../db/core/slot-map.ts'
import { readPurpose } from '../../db/installation/installation.ts'
import type { NewServiceCaps } from '../../domain/accounts/service.ts'
import type { ProcessRole } from '../../domain/core/database-role.ts'
import {
  type AccountId,
  isAccountId,
  isServiceId,
  type ServiceId,
  type VerificationId,
} from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { poolerSentences, riskSentences } from '../../domain/installation/database-check.ts'
import { createCliMoney } from '../../domain/money/format-money.ts'
import { type MicroAmount, parseDecimal } from '../../domain/money/money.ts'
import type { NumberingIndex } from '../../domain/numbers/numbering-index.ts'
import type {
  NumberingStatus,
  NumberLookup,
  PortedImport,
  RegistryFetch,
  RegistryImport,
  ReportProgress,
  VersionDiff,
} from '../../domain/numbers/numbering-report.ts'
import type { CallProgress } from '../../domain/verifications/call-outcome.ts'
import type { Clock } from '../../process/clock.ts'
import type { Config } from '../../process/config/config.ts'
import { UsageError } from '../../process/errors.ts'
import { readSecrets } from '../../process/secrets.ts'

export type CliContext = {
  readonly readConfig: () => Config
  readonly printableSettings: () => ReadonlyMap<string, string>
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly actor: Actor
  readonly say: (text: string) => void
  // On standard error, so that standard output contains only the result.
  readonly note: (text: string) => void
  // Runs the roles until the process is stopped.
  readonly serve: (roles: readonly ProcessRole[]) => Promise<void>
  readonly placeTestCall: (call: TestCall) => Promise<CallProgress>
  // Returns the file that Asterisk is started with.
  readonly prepareAsterisk: (directory: string, programs: string) => Promise<string>
  // The same for the edge.
  readonly prepareEdge: (directory: string) => Promise<string>
  // What examines servers and files.
  readonly installationProbes: (config: Config, clock: Clock) => Promise<InstallationProbes>
  // The exit code of a command whose result was printed.
  readonly exitWith: (code: number) => void
  // Overwrites sealed numbers in NATS.
  readonly eraseFromVault: (numbers: VaultNumbers) => Promise<void>
  // Tools for numbering data, loaded on first use, and their progress bar.
  readonly numbering: () => Promise<NumberingTools>
  // Notifies every process of new data; false when the notification could not be sent.
  readonly notifyNumberingChanged: () => Promise<boolean>
  readonly reportProgress: ReportProgress
}

// The first argument of each is the data directory.
export type NumberingTools = {
  readonly importRegistry: (
    dir: string,
    paths: readonly string[],
    allowLoss: boolean,
    report: ReportProgress,
  ) => Promise<RegistryImport>
  // Undefined while another process fetches.
  readonly fetchRegistry: (
    options: {
      readonly dir: string
      readonly url: string
      readonly caFile: string | undefined
      readonly allowLoss: boolean
    },
    report: ReportProgress,
  ) => Promise<RegistryFetch | undefined>
  // False if there is numbering data already.
  readonly importDemoRegistry: (dir: string) => Promise<boolean>
  readonly importPorted: (
    dir: string,
    paths: readonly string[],
    allowLoss: boolean,
    report: ReportProgress,
  ) => Promise<PortedImport>
  readonly numberingStatus: (dir: string) => Promise<NumberingStatus>
  readonly lookUpNumber: (dir: string, national: number) => Promise<NumberLookup>
  readonly rollBack: (dir: string) => Promise<string>
  // From the version that is kept to the one in use; undefined if none is kept.
  readonly diffVersions: (dir: string) => Promise<VersionDiff | undefined>
  // The data as the API uses it.
  readonly readIndex: (dir: string) => Promise<NumberingIndex>
}

export type DatabaseContext = CliContext & {
  readonly slots: SlotMap
  readonly held: HeldKeys
  readonly recordKeys: KeyRing
  readonly slotKeys: KeyRing
  readonly tenantKeys: KeyRing
  readonly subscriberKeys: KeyRing
  readonly newServiceCaps: NewServiceCaps
  // Undefined where no calls are sold.
  readonly currency: string | undefined
  // As people read an amount, exactly: EUR 0.0005.
  readonly money: (amount: MicroAmount) => string
}

// A result, printed as text, JSON or CSV.
export type CommandResult = {
  readonly json: unknown
  readonly text: string
  // Lists only.
  readonly csv?: string
  // What the reader should know beside the result, such as how to get the next page.
  readonly note?: string | undefined
}

type Work = (open: DatabaseContext, ...args: never[]) => Promise<CommandResult>

// A command of the operator's program; all of them share one context.
export class CliCommand extends Command {
  readonly context: CliContext

  constructor(context: CliContext, name?: string) {
    super(name)
    this.context = context
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(this.context, name)
  }

  // What a command does that uses the database. Each has --json.
  work(work: Work, assertItsKeys = assertKeys): this {
    return this.option('--json', 'print JSON').action(withDatabase(this.context, work, assertItsKeys))
  }

  // The same for a list, which a spreadsheet may open.
  workList(work: Work): this {
    return this.addOption(new Option('--csv', 'print CSV with a header line').conflicts('json')).work(work)
  }
}

// Wraps a command that uses the database. Its keys must be those of the database, unless it finishes a
// restore.
export function withDatabase(
  context: CliContext,
  work: Work,
  assertItsKeys = assertKeys,
): (this: Command, ...args: unknown[]) => Promise<void> {
  return async function act(...args) {
    const config = context.readConfig()
    const secrets = readSecrets(config.secretsDir)
    const slots = createSlotMap(config.slotUrls, jobDeadlines, 'operator')
    try {
      await assertMigrated(slots)
      await assertCurrency(slots.databases, config.currency)
      const held = { dir: config.secretsDir, rings: secrets }
      await assertItsKeys(slots.databases, held)
      // Commander passes the command itself as the last argument.
      const response = await work(
        {
          ...context,
          slots,
          held,
          recordKeys: secrets['seal-records'],
          slotKeys: secrets['phone-slot'],
          tenantKeys: secrets['phone-tenant'],
          subscriberKeys: secrets['phone-subscriber'],
          newServiceCaps: config.newServiceCaps,
          currency: (await readPurpose(slots.globalDatabase)) === 'provider' ? config.currency : undefined,
          money: createCliMoney(config.currency),
        },
        ...(args.slice(0, -1) as never[]),
      )
      const { json, csv } = this.opts()
      context.say(json ? JSON.stringify(response.json) : csv ? (response.csv ?? '') : response.text)
      if (response.note !== undefined) context.note(response.note)
    } finally {
      await slots.close()
    }
  }
}

export function parseAccountId(text: string): AccountId {
  const id = Number(text)
  if (!/^\d+$/.test(text) || !isAccountId(id))
    throw new UsageError(`Invalid account ID: ${text}. \`ringproof accounts list\` shows all IDs.`)
  return id
}

export function parseServiceId(text: string): ServiceId {
  const id = Number(text)
  if (!/^\d+$/.test(text) || !isServiceId(id))
    throw new UsageError(`Invalid service ID: ${text}. \`ringproof services list\` shows all IDs.`)
  return id
}

export function parseVerificationId(text: string): VerificationId {
  const id = Number(text)
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(id)) {
    throw new UsageError(`Invalid verification ID: ${text}. Use the vendor_id from the API.`)
  }
  return id as VerificationId
}

export function parseAmount(text: string): MicroAmount {
  const amount = parseDecimal(text)
  if (amount === undefined)
    throw new UsageError(`Invalid amount: ${text}. Use a number with up to 4 decimals, such as 100 or 0.85.`)
  return amount
}

// Also creates partitions that are due: an idle installation may run no other process for weeks. And finds slots that have moved.
export async function assertMigrated(slots: SlotMap): Promise<void> {
  for (const database of slots.databases) {
    if (await missingMigrations(database)) {
      throw new UsageError('The database schema is older than this program. Run `ringproof migrate` first.')
    }
    await assertSchemaServes(database)
    await inJob(database, makePartitions)
  }
  await slots.refresh()
}

// A serving process needs its own database sessions and their timeouts.
export async function assertOwnSessions(slots: SlotMap): Promise<void> {
  for (const database of slots.databases) {
    const lost = await lostInPooler(database)
    if (lost === undefined) continue
    const host = hostsOfDatabase(database)
    throw new UsageError(
      `${poolerSentences[lost].replace('{host}', host)} Point RINGPROOF_DATABASE_URL (or RINGPROOF_SHARD_URLS) at ` +
        'PostgreSQL itself.',
    )
  }
}

// Refuses a server that may lose committed data, and warns about one that may log phone numbers.
export async function assertSafeServers(slots: SlotMap, warn: (sentence: string) => void): Promise<void> {
  for (const database of slots.databases) {
    const host = hostsOfDatabase(database)
    for (const { name, value, safe, risk } of await riskySettings(database)) {
      const sentence = `The database at ${host} has ${name} = ${value}: ${riskSentences[risk]} Set ${name} = ${safe} in postgresql.conf, or with ALTER ROLE or ALTER DATABASE if it was set there.`
      if (risk === 'lost') throw new UsageError(sentence)
      warn(sentence)
    }
  }
}
