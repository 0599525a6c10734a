// Commands that need no migrated database: keys, migrations, settings.

import type { Command } from 'commander'
import { migrate } from '../db/migrate.ts'
import { distinctDatabases } from '../domain/database-address.ts'
import { UsageError } from '../errors.ts'
import { makeMissingSecrets } from '../secrets.ts'
import type { CliContext } from './context.ts'

export function addInstallCommands(program: Command, context: CliContext): void {
  program
    .command('setup')
    .description('Create missing secret keys. Run it once, and again after an upgrade that needs a new key.')
    .action(() => setup(context))

  program
    .command('migrate')
    .description(
      'Apply missing migrations to every database. It is safe to run at any time, and several times at once.',
    )
    .action(() => migrateAll(context))

  program
    .command('config')
    .description('Show the configuration.')
    .command('print')
    .description('Print the current settings, with passwords hidden.')
    .option('--json', 'print JSON')
    .action((options: { json?: true }) => printConfig(context, options.json === true))
}

function setup(context: CliContext): void {
  const { secretsDir } = context.readConfig()
  const made = makeMissingSecrets(secretsDir, context.randomBytes)
  if (made.length === 0) context.say('All keys exist; nothing changed.')
  else
    context.say(
      `Created in ${secretsDir}:\n  ${made.join('\n  ')}\nBack up this directory, separately from the database.`,
    )
}

async function migrateAll(context: CliContext): Promise<void> {
  const { slotOwnerUrls } = context.readConfig()
  if (!slotOwnerUrls) {
    throw new UsageError(
      'RINGPROOF_DATABASE_OWNER_URL is not set. Set it (or RINGPROOF_SHARD_OWNER_URLS) to the login that owns the tables.',
    )
  }
  const urls = [...distinctDatabases(slotOwnerUrls.values()).values()]
  for (const [index, url] of urls.entries()) {
    const name = urls.length === 1 ? 'The database' : `Database ${index + 1} of ${urls.length}`
    const ran = await migrate(url, {
      waiting: () => context.say(`${name}: another migration is running; waiting for it.`),
      advise: (text) => context.say(text),
      done: (migration) => context.say(`${name}: ${migration}`),
    })
    context.say(ran.length === 0 ? `${name} is up to date.` : `${name} is up to date now.`)
  }
}

function printConfig(context: CliContext, json: boolean): void {
  const settings = context.printableSettings()
  if (json) context.say(JSON.stringify(Object.fromEntries(settings)))
  else context.say([...settings].map(([name, value]) => `${name}=${value}`).join('\n'))
}
