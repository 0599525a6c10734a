// The commands that come before there is a record: keys, tables, settings.

import type { Command } from 'commander'
import { migrate } from '../db/migrate.ts'
import { distinctDatabases } from '../domain/database-address.ts'
import { UsageError } from '../errors.ts'
import { makeMissingSecrets } from '../secrets.ts'
import type { CliContext } from './context.ts'

export function addInstallCommands(program: Command, context: CliContext): void {
  program
    .command('setup')
    .description('Make the secret keys that are missing. Run it once, and again after an upgrade that needs a new one.')
    .action(() => setup(context))

  program
    .command('migrate')
    .description('Bring every database up to date. Safe to run at any time and by several hands at once.')
    .action(() => migrateAll(context))

  program
    .command('config')
    .description('Settings.')
    .command('print')
    .description('Show the settings in force, with passwords hidden.')
    .option('--json', 'print JSON')
    .action((options: { json?: true }) => printConfig(context, options.json === true))
}

function setup(context: CliContext): void {
  const { secretsDir } = context.readConfig()
  const made = makeMissingSecrets(secretsDir, context.randomBytes)
  if (made.length === 0) context.say('Every key is there; nothing was changed.')
  else context.say(`Made in ${secretsDir}:\n  ${made.join('\n  ')}\nBack this directory up, apart from the database.`)
}

async function migrateAll(context: CliContext): Promise<void> {
  const { slotOwnerUrls } = context.readConfig()
  if (!slotOwnerUrls) {
    throw new UsageError('Set RINGPROOF_DATABASE_OWNER_URL (or RINGPROOF_SHARD_OWNER_URLS): who owns the tables.')
  }
  const urls = [...distinctDatabases(slotOwnerUrls.values()).values()]
  for (const [index, url] of urls.entries()) {
    const name = urls.length === 1 ? 'The database' : `Database ${index + 1} of ${urls.length}`
    const ran = await migrate(url, {
      waiting: () => context.say(`${name}: another migration is at work; waiting for it.`),
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
