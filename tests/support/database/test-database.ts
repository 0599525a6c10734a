// A database for each test file, copied from a migrated template, so that files run in parallel and do not see each
// other's rows. A file that leaves a connection open cannot drop its database, and fails.

import { createHash, randomBytes } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { databaseChannel } from '../../../scripts/costs/report.ts'
import { migrate } from '../../../server/src/db/core/migrate.ts'
import { atEnd } from '../at-end.ts'
import { stackSetting, withDatabase } from '../stack-settings.ts'

export type TestDatabase = { readonly url: string; readonly ownerUrl: string }

export async function testDatabase(): Promise<TestDatabase> {
  return copyOf(await asOwner(migratedTemplate))
}

export async function emptyDatabase(): Promise<TestDatabase> {
  return copyOf('template1')
}

// One session as the owner of a database, closed when the work is done.
export async function asOwner<T>(
  work: (client: Client) => Promise<T>,
  url = stackSetting('RINGPROOF_DATABASE_OWNER_URL'),
): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function copyOf(template: string): Promise<TestDatabase> {
  const name = `ringproof_test_${randomBytes(6).toString('hex')}`
  // Copying files takes a fifth of the CPU time of writing them all to the log.
  await asOwner((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`))
  channel(databaseChannel).publish(name)
  atEnd(() => asOwner((client) => client.query(`DROP DATABASE ${name}`)))
  return {
    url: withDatabase(stackSetting('RINGPROOF_DATABASE_URL'), name),
    ownerUrl: withDatabase(stackSetting('RINGPROOF_DATABASE_OWNER_URL'), name),
  }
}

// The name of the template identifies its migrations and functions, so a change makes a new template.
async function migratedTemplate(client: Client): Promise<string> {
  const template = `ringproof_template_${migrationsDigest()}`
  // Session-wide; released when the session ends. 1380533059 is 'RING'.
  await client.query('SELECT pg_advisory_lock(1380533059, 9)')
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [template])
  if (rowCount === 1) return template
  const { rows } = await client.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datname LIKE 'ringproof\\_template\\_%'`,
  )
  for (const { name } of rows) await client.query(`DROP DATABASE ${name}`)
  const making = `${template}_making`
  await client.query(`CREATE DATABASE ${making}`)
  await migrate(withDatabase(stackSetting('RINGPROOF_DATABASE_OWNER_URL'), making), {
    waiting: () => undefined,
    done: () => undefined,
  })
  await becomeProvider(making)
  await client.query(`ALTER DATABASE ${making} RENAME TO ${template}`)
  return template
}

// Tests are of a provider, whose installation has everything; purpose.test.ts is about a company's own users.
async function becomeProvider(name: string): Promise<void> {
  const client = new Client({ connectionString: withDatabase(stackSetting('RINGPROOF_DATABASE_OWNER_URL'), name) })
  await client.connect()
  try {
    await client.query(`UPDATE installation SET purpose = 'provider'`)
  } finally {
    await client.end()
  }
}

// And the day: a template has the partitions of the days around its creation.
function migrationsDigest(): string {
  const dir = new URL('../../../server/src/db/', import.meta.url)
  const hash = createHash('sha256')
    .update(new Date().toISOString().slice(0, 10))
    .update(readFileSync(fileURLToPath(import.meta.url)))
  for (const file of globSync('**/*.sql', { cwd: fileURLToPath(dir) }).toSorted()) {
    hash.update(file).update(readFileSync(new URL(file, dir)))
  }
  return hash.digest('hex').slice(0, 12)
}
