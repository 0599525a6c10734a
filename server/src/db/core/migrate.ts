// Numbered SQL files, forward only; then functions and rights. A second process waits for the first, then finds nothing left
// to do. The library would give up instead of waiting, so the lock is ours.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { whyNotMigrate, whyNotServe } from '../../domain/installation/schema-version.ts'
import { UsageError } from '../../process/errors.ts'
import { connectionOf } from './connection.ts'
import type { Session } from './database.ts'
import { makePartitions } from './housekeeping.ts'
import { primaryOf } from './primary.ts'
import { applySqlFiles, areSqlFilesApplied } from './repeatable-migrations.ts'
import { missingRoles } from './roles.ts'
import { readSchemaVersion, writeSchemaVersion } from './schema-version.ts'

// Holds migrations/, functions/ and rights.sql.
const sqlDir = fileURLToPath(new URL('..', import.meta.url))

// The newest migration this program knows, by name.
const newestMigration =
  readdirSync(join(sqlDir, 'migrations'))
    .toSorted()
    .at(-1)
    ?.replace(/\.sql$/, '') ?? ''

// Of this program.
const { version: programVersion } = JSON.parse(readFileSync(join(sqlDir, '../../../package.json'), 'utf8')) as {
  version: string
}

type MigrationProgress = {
  readonly waiting: () => void
  readonly done: (name: string) => void
  // What an administrator should run as well.
  readonly advise?: (text: string) => void
}

// The names of the migrations and files that were applied; none when the database was up to date.
export async function migrate(
  ownerUrl: string,
  progress: MigrationProgress,
  dir = sqlDir,
  version = programVersion,
): Promise<readonly string[]> {
  const client = new (primaryOf(ownerUrl)?.Client ?? Client)({
    ...connectionOf(ownerUrl),
    application_name: 'ringproof migrate',
    connectionTimeoutMillis: 5_000,
  })
  await client.connect()
  try {
    await assertRoles(client, progress)
    await lock(client, progress)
    const refusal = whyNotMigrate(version, await readSchemaVersion(client))
    if (refusal !== undefined) throw new UsageError(refusal)
    // Loaded here: a serving process only asks whether something is missing, and the package takes ten megabytes.
    const { runner } = await import('node-pg-migrate')
    const ran = await runner({
      dbClient: client,
      dir: join(dir, 'migrations'),
      direction: 'up',
      // All or nothing: if one fails, the old version keeps serving on the schema it knows.
      singleTransaction: true,
      migrationsTable: 'migrations',
      // Ours is held already.
      noLock: true,
      logger: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    })
    const applied = [...ran.map(({ name }) => name), ...(await applySqlFiles(client, dir, ran.length > 0))]
    await writeSchemaVersion(client, version)
    for (const name of applied) progress.done(name)
    // Days pass between two migrations, so there may be partitions to make even when there is nothing to migrate.
    await makePartitions(client)
    return applied
  } finally {
    // Ends the session, and the lock with it.
    await client.end()
  }
}

// A program that is newer than its database would fail at some later statement; it says so at once instead.
export async function missingMigrations(session: Session): Promise<boolean> {
  const { rows } = await session.query<{ exist: boolean }>(
    `SELECT to_regclass('public.migrations') IS NOT NULL AND to_regclass('public.repeatable_migrations') IS NOT NULL AS exist`,
  )
  if (!rows[0]?.exist) return true
  const { rowCount } = await session.query('SELECT FROM migrations WHERE name = $1', [newestMigration])
  return rowCount === 0 || !(await areSqlFilesApplied(session, sqlDir))
}

// A program that is too old for the schema could misread it.
export async function assertSchemaServes(session: Session): Promise<void> {
  const refusal = whyNotServe(programVersion, await readSchemaVersion(session))
  if (refusal !== undefined) throw new UsageError(refusal)
}

// Rights are granted to roles, so the roles must exist first.
async function assertRoles(session: Session, progress: MigrationProgress): Promise<void> {
  const { create, grant } = await missingRoles(session)
  if (create.length > 0) {
    const statements = [...create, ...grant].join('\n  ')
    throw new UsageError(
      `The database server lacks roles of Ringproof. Run these as a superuser, once for the whole server:\n  ${statements}`,
    )
  }
  if (grant.length > 0) {
    progress.advise?.(`Unless every process has its own login, run this as a superuser:\n  ${grant.join('\n  ')}`)
  }
}

async function lock(client: Client, progress: MigrationProgress): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock(1380533059, 3) AS locked')
  if (rows[0]?.locked) return
  progress.waiting()
  await client.query('SELECT pg_advisory_lock(1380533059, 3)')
}

function nothing(): void {}
