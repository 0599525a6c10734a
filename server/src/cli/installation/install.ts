// Commands that need no migrated database: keys, migrations, settings.

import type { Command } from 'commander'
import { assertCurrency } from '../../actions/installation/assert-currency.ts'
import { examineKeys } from '../../actions/installation/keys.ts'
import { nameOf } from '../../db/core/database.ts'
import { canKnowKeys } from '../../db/core/key-check.ts'
import { migrate } from '../../db/core/migrate.ts'
import { createSlotMap } from '../../db/core/slot-map.ts'
import { writeCurrency } from '../../db/installation/installation.ts'
import { distinctDatabases } from '../../domain/core/database-address.ts'
import type { Slot } from '../../domain/core/slot.ts'
import { keyFaultSentence } from '../../domain/crypto/key-check.ts'
import { reasonOf } from '../../domain/installation/finding.ts'
import { UsageError } from '../../process/errors.ts'
import { emptyRings, firstKey, makeMissingSecrets, type RingName, readFoundSecrets } from '../../process/secrets.ts'
import type { CliContext } from '../core/context.ts'
import { creating, formatOwnerFailure } from '../core/format-failure.ts'

export function addInstallCommands(program: Command, context: CliContext): void {
  program
    .command('setup')
    .description(
      'Create missing secret keys, unless the database is written with keys that are lost. Run it once, and again after an upgrade that needs a new key.',
    )
    .option('--new-installation', 'do not ask the database: there is none yet')
    .action((options: { newInstallation?: true }) => setup(context, options.newInstallation === true))

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

async function setup(context: CliContext, isNew: boolean): Promise<void> {
  const { secretsDir, slotUrls } = context.readConfig()
  if (!isNew) await assertNoneLost(secretsDir, slotUrls)
  const made = makeMissingSecrets(secretsDir, context.randomBytes)
  if (made.length === 0) context.say('All keys exist; nothing changed.')
  else
    context.say(
      `Created in ${secretsDir}:\n  ${made.join('\n  ')}\nBack up this directory, separately from the database.`,
    )
}

// A key that is made in place of a lost one would have its name, and what both write can never be read together.
async function assertNoneLost(dir: string, slotUrls: ReadonlyMap<Slot, string>): Promise<void> {
  const missing = emptyRings(dir)
  const slots = createSlotMap(slotUrls)
  try {
    for (const database of slots.databases) {
      const canKnow = await canKnowKeys(database).catch((error: unknown) => {
        if (missing.length > 0) throw new UsageError(unknownWhether(nameOf(database), missing, reasonOf(error)))
        return undefined
      })
      if (canKnow === undefined) continue
      if (canKnow) {
        const { faults } = await examineKeys(database, readFoundSecrets(dir))
        if (faults.length > 0) throw new UsageError(keyFaultSentence(dir, nameOf(database), faults))
      } else if (missing.length > 0) {
        throw new UsageError(
          `The tables of the database ${nameOf(database)} are of an older version. Run \`ringproof migrate\` first.`,
        )
      }
    }
  } finally {
    await slots.close()
  }
}

function unknownWhether(database: string, missing: readonly RingName[], reason: string): string {
  return (
    `The database ${database} does not answer (${reason}), so nothing says whether ${missing.map(firstKey).join(', ')} ` +
    'were lost or never made. Start it and run this again; if there is none yet: `ringproof setup --new-installation`.'
  )
}

async function migrateAll(context: CliContext): Promise<void> {
  const { slotOwnerUrls, currency } = context.readConfig()
  if (!slotOwnerUrls) {
    throw new UsageError(
      `RINGPROOF_DATABASE_OWNER_URL is not set. Set it (or RINGPROOF_SHARD_OWNER_URLS) to the login that owns the tables. ${creating('ringproof_owner', 'ringproof', true)}`,
    )
  }
  const setting = context.printableSettings().get('RINGPROOF_SHARD_OWNER_URLS')
    ? 'RINGPROOF_SHARD_OWNER_URLS'
    : 'RINGPROOF_DATABASE_OWNER_URL'
  const urls = [...distinctDatabases(slotOwnerUrls.values()).values()]
  for (const [index, url] of urls.entries()) {
    const name = urls.length === 1 ? 'The database' : `Database ${index + 1} of ${urls.length}`
    const ran = await migrate(url, {
      waiting: () => context.say(`${name}: another migration is running; waiting for it.`),
      advise: (text) => context.say(text),
      done: (migration) => context.say(`${name}: ${migration}`),
    }).catch((error: unknown) => {
      const sentence = formatOwnerFailure(error, url, setting)
      throw sentence.includes(setting) ? new UsageError(sentence) : error
    })
    context.say(ran.length === 0 ? `${name} is up to date.` : `${name} is up to date now.`)
  }
  await takeCurrency(slotOwnerUrls, currency)
}

// While a database has no amount yet, it takes the currency of the configuration.
async function takeCurrency(urls: ReadonlyMap<Slot, string>, currency: string): Promise<void> {
  const slots = createSlotMap(urls)
  try {
    for (const database of slots.databases) await writeCurrency(database, currency)
    await assertCurrency(slots.databases, currency)
  } finally {
    await slots.close()
  }
}

function printConfig(context: CliContext, json: boolean): void {
  const settings = context.printableSettings()
  if (json) context.say(JSON.stringify(Object.fromEntries(settings)))
  else context.say([...settings].map(([name, value]) => `${name}=${value}`).join('\n'))
}
