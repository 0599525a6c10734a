// Functions and rights: SQL files that are applied again whenever their text has changed, after the numbered migrations.
// functions/README.md says what such a file may contain.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseError } from 'pg'
import { databaseRoles, groupOf } from '../../domain/core/database-role.ts'
import type { Session } from './database.ts'

type SqlFile = {
  readonly file: string
  readonly text: string
  readonly checksum: string
  readonly functions: readonly string[]
}

const rightsFile = 'rights.sql'
const invalidFunctionDefinition = '42P13'

function readSqlFiles(dir: string): readonly SqlFile[] {
  const functions = readdirSync(join(dir, 'functions')).filter((name) => name.endsWith('.sql'))
  // Rights come last: they name the functions.
  return [...functions.toSorted().map((name) => `functions/${name}`), rightsFile].map((file) => {
    const text = readFileSync(join(dir, file), 'utf8')
    const names = [...text.matchAll(/^CREATE OR REPLACE FUNCTION (\w+)/gm)].map(([, name = '']) => name)
    return { file, text, checksum: createHash('sha256').update(text).digest('hex'), functions: names }
  })
}

// The files that were applied; none when all were applied before. isSchemaNew: tables may have come that need rights.
export async function applySqlFiles(session: Session, dir: string, isSchemaNew: boolean): Promise<readonly string[]> {
  const files = readSqlFiles(dir)
  const inForce = await readInForce(session)
  const changed = files.filter(({ file, checksum }) => inForce.get(file)?.checksum !== checksum)
  const defined = new Set(files.flatMap(({ functions }) => functions))
  const recorded = [...inForce.values()].flatMap(({ functions }) => functions)
  const leftOver = await findFunctions(
    session,
    recorded.filter((name) => !defined.has(name)),
  )
  if (changed.length === 0 && leftOver.length === 0 && !isSchemaNew) return []

  await session.query('BEGIN')
  try {
    // No partition is created or dropped meanwhile: rights are granted table by table.
    await session.query('SELECT pg_advisory_xact_lock(1380533059, 2)')
    // A function may call one that comes later.
    await session.query('SET LOCAL check_function_bodies = off')
    for (const file of changed) if (file.file !== rightsFile) await applyFunctions(session, file)
    await dropFunctions(session, leftOver)
    await revokeRights(session, [...defined])
    for (const { file, text } of files) if (file === rightsFile) await session.query(text)
    await record(session, changed)
    await session.query('COMMIT')
  } catch (error) {
    await session.query('ROLLBACK')
    throw error
  }
  return changed.map(({ file }) => file)
}

// Whether this program's version of every file was applied at some time. A newer version may be in force: while an upgrade
// goes on, processes of the old version still start.
export async function areSqlFilesApplied(session: Session, dir: string): Promise<boolean> {
  const files = readSqlFiles(dir)
  const { rowCount } = await session.query(
    'SELECT FROM unnest($1::text[], $2::text[]) AS f(file, checksum) JOIN repeatable_migrations USING (file, checksum)',
    [files.map(({ file }) => file), files.map(({ checksum }) => checksum)],
  )
  return rowCount === files.length
}

async function readInForce(session: Session) {
  const { rows } = await session.query<Pick<SqlFile, 'file' | 'checksum' | 'functions'>>(
    'SELECT DISTINCT ON (file) file, checksum, functions FROM repeatable_migrations ORDER BY file, applied_at DESC',
  )
  return new Map(rows.map((row) => [row.file, row]))
}

// CREATE OR REPLACE cannot change a result, and new arguments make an overload beside the old function.
async function applyFunctions(session: Session, { text, functions }: SqlFile): Promise<void> {
  const before = await findFunctions(session, functions)
  await session.query('SAVEPOINT file')
  try {
    await session.query(text)
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== invalidFunctionDefinition) throw error
    await session.query('ROLLBACK TO SAVEPOINT file')
    await dropFunctions(session, before)
    await session.query(text)
    return
  }
  const found = await findFunctions(session, functions)
  const isOverloaded = (name: string) => found.filter((one) => one.name === name).length > 1
  await dropFunctions(
    session,
    before.filter(({ name }) => isOverloaded(name)),
  )
}

type FunctionFound = { readonly name: string; readonly signature: string }

async function findFunctions(session: Session, names: readonly string[]): Promise<readonly FunctionFound[]> {
  const { rows } = await session.query<FunctionFound>(
    `SELECT proname AS name, oid::regprocedure::text AS signature FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace AND proname = ANY ($1)`,
    [names],
  )
  return rows
}

async function dropFunctions(session: Session, functions: readonly FunctionFound[]): Promise<void> {
  for (const { signature } of functions) await session.query(`DROP FUNCTION ${signature}`)
}

// Of our tables and functions: somebody's extension may be in the same database.
async function revokeRights(session: Session, functions: readonly string[]): Promise<void> {
  const groups = databaseRoles.map(groupOf).join(', ')
  const { rows } = await session.query<{ name: string }>(
    `SELECT format('%I', relname) AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT relispartition
       AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')`,
  )
  await session.query(`REVOKE ALL ON ${rows.map(({ name }) => name).join(', ')} FROM PUBLIC, ${groups}`)
  await session.query(`REVOKE ALL ON FUNCTION ${functions.join(', ')} FROM PUBLIC, ${groups}`)
  await session.query(`REVOKE ALL ON SCHEMA public FROM ${groups}`)
}

async function record(session: Session, files: readonly SqlFile[]): Promise<void> {
  for (const { file, checksum, functions } of files) {
    await session.query(
      `INSERT INTO repeatable_migrations (file, checksum, functions) VALUES ($1, $2, $3)
       ON CONFLICT (file, checksum) DO UPDATE SET functions = excluded.functions, applied_at = clock_timestamp()`,
      [file, checksum, functions],
    )
  }
}
