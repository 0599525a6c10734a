// Commands for numbering data. Only what the console does, too, uses the database: for the action log.

import type { Command } from 'commander'
import { rollBackRegistries, updateRegistries } from '../../actions/numbers/registries.ts'
import type { ImportedRegistry, RegistryImport } from '../../domain/numbers/numbering-report.ts'
import { UsageError } from '../../process/errors.ts'
import {
  type CliContext,
  type CommandResult,
  type DatabaseContext,
  type NumberingTools,
  withDatabase,
} from '../core/context.ts'
import { diff, diffJson, diffText, rangeText } from './registry-diff.ts'
import { lookUp, status } from './registry-status.ts'

export function addRegistryCommands(program: Command, context: CliContext): void {
  const registry = program
    .command('registry')
    .description('Manage numbering data: holders of Russian number ranges, and ported numbers.')

  registry
    .command('import')
    .description('Import registry files (.csv, .xz, .zip). A file replaces the previous one of its kind.')
    .argument('<files...>', 'files ABC-3xx, ABC-4xx, ABC-8xx, DEF-9xx of any year')
    .option('--allow-loss', 'accept a file that is much smaller than the one it replaces')
    .option('--json', 'print JSON')
    .action(onNewNumbering(context, importRegistry))

  registry
    .command('fetch')
    .description('Download the registry from RINGPROOF_REGISTRY_URL and import what has changed.')
    .option('--allow-loss', 'accept a file that is much smaller than the one it replaces')
    .option('--json', 'print JSON')
    .action(onLoggedNumbering(context, fetchRegistry))

  registry
    .command('import-mnp')
    .description('Import files of ported numbers (.csv, .zip): Port_All, Port_All_Full and increments.')
    .argument('<files...>', 'files in any order; they are sorted by name')
    .option('--allow-loss', 'accept files that leave far fewer ported numbers than before')
    .option('--json', 'print JSON')
    .action(onNewNumbering(context, importPorted))

  registry
    .command('status')
    .description('Show the numbering data in use.')
    .option('--changes', 'and what changed from the previous version, to which rollback returns')
    .option('--json', 'print JSON')
    .action(onNumbering(context, showStatus))

  registry
    .command('lookup')
    .description('Show the holder, region and porting of a Russian number.')
    .argument('<number>', 'ten digits, with or without +7, 7 or 8')
    .option('--json', 'print JSON')
    .action(onNumbering(context, lookUp))

  registry
    .command('rollback')
    .description('Return to the previous version. Running it again undoes it.')
    .option('--json', 'print JSON')
    .action(onLoggedNumbering(context, rollBack))
}

type OpenNumbering = NumberingTools &
  Pick<CliContext, 'reportProgress'> & {
    readonly dir: string
    readonly url: string
    readonly caFile: string | undefined
  }

function onNumbering(
  context: CliContext,
  work: (open: OpenNumbering, ...args: never[]) => Promise<CommandResult>,
): (this: Command, ...args: unknown[]) => Promise<void> {
  return async function act(...args) {
    const response = await work(await openNumbering(context), ...(args.slice(0, -1) as never[]))
    context.say(this.opts()['json'] ? JSON.stringify(response.json) : response.text)
  }
}

async function openNumbering(context: CliContext): Promise<OpenNumbering> {
  const { numberingDir: dir, registryUrl: url = '', registryCaFile: caFile } = context.readConfig()
  if (dir === '') throw new UsageError('Set RINGPROOF_NUMBERING_DIR to the directory of the numbering data.')
  return { ...(await context.numbering()), reportProgress: context.reportProgress, dir, url, caFile }
}

// `isNew`: the data in use has changed.
type ChangeResult = CommandResult & { readonly isNew: boolean }

// Wraps a command that changes the data in use, and notifies serving processes.
function onNewNumbering(context: CliContext, work: (open: OpenNumbering, ...args: never[]) => Promise<ChangeResult>) {
  return onNumbering(context, async (open, ...args) => announce(context, await work(open, ...args)))
}

// The same, for one that is in the action log.
function onLoggedNumbering(
  context: CliContext,
  work: (open: OpenNumbering & DatabaseContext, ...args: never[]) => Promise<ChangeResult>,
) {
  return withDatabase(context, async (database, ...args) =>
    announce(context, await work({ ...database, ...(await openNumbering(context)) }, ...args)),
  )
}

async function announce(context: CliContext, { json, text, isNew }: ChangeResult): Promise<CommandResult> {
  if (!isNew) return { json, text }
  const when = (await context.notifyNumberingChanged()) ? 'now' : 'within a minute'
  return { json, text: `${text}\nServing processes load it ${when}.` }
}

async function showStatus(open: OpenNumbering, options: { changes?: true }): Promise<CommandResult> {
  const now = await status(open)
  if (!options.changes) return now
  const changes = await diff(open)
  return { json: { ...now.json, changes_from_previous: changes.json }, text: `${now.text}\n\n${changes.text}` }
}

type ImportOptions = { allowLoss?: true }

async function importRegistry(
  open: OpenNumbering,
  paths: string[],
  { allowLoss }: ImportOptions,
): Promise<ChangeResult> {
  const done = await open.importRegistry(open.dir, paths, allowLoss === true, open.reportProgress)
  return {
    isNew: done.isNew,
    json: importJson(done),
    text: [...done.registries.map(registryText), versionText(done)].join('\n\n'),
  }
}

async function fetchRegistry(
  open: OpenNumbering & DatabaseContext,
  { allowLoss }: ImportOptions,
): Promise<ChangeResult> {
  const { dir, url, caFile, slots } = open
  if (url === '') throw new UsageError('Set RINGPROOF_REGISTRY_URL to the address of the registry.')
  const fetchNow = async () => {
    const fetched = await open.fetchRegistry({ dir, url, caFile, allowLoss: allowLoss === true }, open.reportProgress)
    if (fetched) return fetched
    throw new UsageError('Another process is fetching the registry. Its result: ringproof registry status')
  }
  const done = await updateRegistries({ slots, fetchNow }, open.actor)
  const { unchanged } = done
  const same = unchanged.length === 0 ? [] : [`Not changed since the last fetch: ${unchanged.join(', ')}.`]
  return {
    isNew: done.isNew,
    json: { ...importJson(done), unchanged },
    text: [...done.registries.map(registryText), ...same, versionText(done)].join('\n\n'),
  }
}

function importJson({ version, isNew, registries }: RegistryImport) {
  return {
    version,
    is_new: isNew,
    registries: registries.map((one) => ({ ...one, diff: diffJson(one.diff) })),
  }
}

function registryText({ kind, source, rows, ranges, numbers, diff: changed, conflicts }: ImportedRegistry): string {
  return [
    `${kind} from ${source}: ${rows} rows, ${ranges} ranges, ${numbers} numbers.`,
    ...diffText(changed),
    conflicts.length === 0 ? 'No conflicts.' : `Conflicts: ${conflicts.length}. The row with the lower start was kept.`,
    ...conflicts.slice(0, conflictsShown).map((one) => `  ${rangeText(one)}: ${one.kept}, not ${one.lost}`),
  ].join('\n')
}

const conflictsShown = 10

function versionText({ version, isNew }: { readonly version: string; readonly isNew: boolean }): string {
  return isNew ? `Version ${version} is now in use.` : `Nothing changed. Version ${version || 'none'} stays in use.`
}

async function importPorted(open: OpenNumbering, paths: string[], { allowLoss }: ImportOptions): Promise<ChangeResult> {
  const done = await open.importPorted(open.dir, paths, allowLoss === true, open.reportProgress)
  const { version, isNew, skipped, portedRows, returnedRows, repeatedRows, numbersBefore, numbersAfter } = done
  return {
    isNew,
    json: {
      version,
      is_new: isNew,
      skipped,
      ported_rows: portedRows,
      returned_rows: returnedRows,
      repeated_rows: repeatedRows,
      numbers_before: numbersBefore,
      numbers_after: numbersAfter,
    },
    text: [
      `Rows read: ${portedRows} ported, ${returnedRows} returned, ${repeatedRows} duplicates.`,
      ...skipped.map((name) => `${name} is older than the imported data; skipped.`),
      `Ported numbers: ${numbersBefore} before, ${numbersAfter} now.`,
      versionText(done),
    ].join('\n'),
  }
}

async function rollBack(open: OpenNumbering & DatabaseContext): Promise<ChangeResult> {
  const { dir, slots } = open
  const readVersion = async () => (await open.numberingStatus(dir)).version
  const version = await rollBackRegistries({ slots, readVersion, rollBack: () => open.rollBack(dir) }, open.actor)
  return {
    isNew: true,
    json: { version },
    text:
      version === ''
        ? 'No numbering data is in use now, as before the first import.'
        : `Version ${version} is now in use.`,
  }
}
