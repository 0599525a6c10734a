// The commands that come before there is a record: keys, tables, settings.

import type { Command } from 'commander'
import { migrate } from '../db/migrate.ts'
import { distinctDatabases } from '../domain/database-address.ts'
import { UsageError } from '../errors.ts'
import { makeMissingSecrets } from '../secrets.ts'
import type { Hand } from './hand.ts'

export function addInstallCommands(program: Command, hand: Hand): void {
  program
    .command('setup')
    .description('Make the secret keys that are missing. Run it once, and again after an upgrade that needs a new one.')
    .action(() => setup(hand))

  program
    .command('migrate')
    .description('Bring every database up to date. Safe to run at any time and by several hands at once.')
    .action(() => migrateAll(hand))

  program
    .command('config')
    .description('Settings.')
    .command('print')
    .description('Show the settings in force, with passwords hidden.')
    .option('--json', 'print JSON')
    .action((options: { json?: true }) => printConfig(hand, options.json === true))
}

function setup(hand: Hand): void {
  const { secretsDir } = hand.readConfig()
  const made = makeMissingSecrets(secretsDir, hand.chance)
  if (made.length === 0) hand.say('Every key is there; nothing was changed.')
  else hand.say(`Made in ${secretsDir}:\n  ${made.join('\n  ')}\nBack this directory up, apart from the database.`)
}

async function migrateAll(hand: Hand): Promise<void> {
  const { slotOwnerUrls } = hand.readConfig()
  if (!slotOwnerUrls) {
    throw new UsageError('Set RINGPROOF_DATABASE_OWNER_URL (or RINGPROOF_SHARD_OWNER_URLS): who owns the tables.')
  }
  const urls = [...distinctDatabases(slotOwnerUrls.values()).values()]
  for (const [index, url] of urls.entries()) {
    const name = urls.length === 1 ? 'The database' : `Database ${index + 1} of ${urls.length}`
    const ran = await migrate(url, {
      waiting: () => hand.say(`${name}: another migration is at work; waiting for it.`),
      advise: (text) => hand.say(text),
      done: (migration) => hand.say(`${name}: ${migration}`),
    })
    hand.say(ran.length === 0 ? `${name} is up to date.` : `${name} is up to date now.`)
  }
}

function printConfig(hand: Hand, json: boolean): void {
  const settings = hand.printableSettings()
  if (json) hand.say(JSON.stringify(Object.fromEntries(settings)))
  else hand.say([...settings].map(([name, value]) => `${name}=${value}`).join('\n'))
}
