// Functions and rights: `ringproof migrate` applies a file again when its text has changed, and only then.

import assert from 'node:assert/strict'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { migrate } from '../../server/src/db/core/migrate.ts'
import { atEnd } from '../support/at-end.ts'
import { asOwner, testDatabase } from '../support/database/test-database.ts'
import { ringproof } from '../support/process/cli.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

// Databases are made inside tests, and dropped after the last one.
atEnd(async () => undefined)

const noNews = { waiting: () => undefined, done: () => undefined }

const changes = {
  'a changed body': ["return_path = 'enforce'", "return_path  = 'enforce'"],
  'a changed argument': ['confirmed_to_enforce bigint', 'confirmed_to_enforce integer'],
  'a changed result': ['RETURNS SETOF text', 'RETURNS SETOF varchar'],
  'a changed name': ['FUNCTION count_return_paths', 'FUNCTION count_paths'],
} as const

for (const [what, [from, to]] of Object.entries(changes)) {
  test(`${what} is applied once, the other files are not, and rights stay`, async (t) => {
    const { ownerUrl } = await testDatabase()
    const dir = sqlCopy(t)
    const before = await asOwner(functionsThere, ownerUrl)
    assert.deepEqual(await migrate(ownerUrl, noNews, dir), [])

    replaceIn(join(dir, 'functions/count-return-paths.sql'), from, to)
    const isRenamed = what === 'a changed name'
    const name = isRenamed ? 'count_paths' : 'count_return_paths'
    if (isRenamed) replaceIn(join(dir, 'rights.sql'), 'count_return_paths', name)
    const files = ['functions/count-return-paths.sql', ...(isRenamed ? ['rights.sql'] : [])]
    assert.deepEqual(await migrate(ownerUrl, noNews, dir), files)

    const after = await asOwner(functionsThere, ownerUrl)
    const old = before.find((one) => one.name === 'count_return_paths')
    const [now, ...more] = after.filter((one) => one.name === name)
    assert.deepEqual(more, [])
    assert.deepEqual(
      after.filter((one) => one !== now),
      before.filter((one) => one !== old),
    )
    assert.notEqual(now?.text, old?.text)
    assert.match(now?.rights ?? '', /ringproof_calls=X/)
    assert.equal(now?.rights, old?.rights)
    assert.deepEqual(await migrate(ownerUrl, noNews, dir), [])
  })
}

test('rights granted by hand are revoked at the next change', async (t) => {
  const { ownerUrl } = await testDatabase()
  const dir = sqlCopy(t)
  const before = await asOwner(functionsThere, ownerUrl)
  await asOwner(async (client) => {
    await client.query('GRANT EXECUTE ON FUNCTION next_id TO PUBLIC, ringproof_api')
    await client.query('REVOKE EXECUTE ON FUNCTION accept_calls FROM ringproof_api')
  }, ownerUrl)
  replaceIn(join(dir, 'functions/clock.sql'), '86400', '86401')
  await migrate(ownerUrl, noNews, dir)
  const rightsOf = (all: readonly FunctionThere[]) => all.map(({ name, rights }) => [name, rights])
  assert.deepEqual(rightsOf(await asOwner(functionsThere, ownerUrl)), rightsOf(before))
})

test('two concurrent migrations apply a change once', async (t) => {
  const { ownerUrl } = await testDatabase()
  const dir = sqlCopy(t)
  replaceIn(join(dir, 'functions/clock.sql'), '86400', '86401')
  const waiting = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  const both = await asOwner(async (client) => {
    await client.query('SELECT pg_advisory_lock(1380533059, 3)')
    const runs = waiting.map(({ resolve }) => migrate(ownerUrl, { ...noNews, waiting: resolve }, dir))
    await Promise.all(waiting.map(({ promise }) => promise))
    return runs
  }, ownerUrl)
  assert.deepEqual((await Promise.all(both)).flat(), ['functions/clock.sql'])
})

test('a file that fails changes nothing', async (t) => {
  const { ownerUrl } = await testDatabase()
  const dir = sqlCopy(t)
  const before = await asOwner(functionsThere, ownerUrl)
  replaceIn(join(dir, 'functions/clock.sql'), '86400', '86401')
  replaceIn(join(dir, 'rights.sql'), 'GRANT USAGE ON SCHEMA public', 'GRANT USAGE ON SCHEMA missing')
  await assert.rejects(migrate(ownerUrl, noNews, dir), /schema "missing" does not exist/)
  assert.deepEqual(await asOwner(functionsThere, ownerUrl), before)
  // Nor is it recorded as applied.
  assert.deepEqual(await migrate(ownerUrl, noNews), [])
})

test('a server whose functions were never applied reports that the database is older', async (t) => {
  const { url, ownerUrl } = await testDatabase()
  const settings = {
    RINGPROOF_DATABASE_URL: url,
    RINGPROOF_DATABASE_OWNER_URL: ownerUrl,
    RINGPROOF_SECRETS_DIR: temporaryDirectory(t),
  }
  await ringproof(settings, 'setup')
  const list = async () => {
    const { out, err } = await ringproof(settings, 'accounts', 'list')
    return out + err
  }
  // Another version is in force, as after the upgrade of another process.
  await asOwner(
    (client) => client.query(`INSERT INTO repeatable_migrations VALUES ('functions/clock.sql', 'newer', '{}')`),
    ownerUrl,
  )
  assert.match(await list(), /no accounts yet/)
  await asOwner(
    (client) =>
      client.query(`DELETE FROM repeatable_migrations WHERE file = 'functions/clock.sql' AND checksum <> 'newer'`),
    ownerUrl,
  )
  assert.match(await list(), /older than this program/)
})

// Files are applied without this check, because a function may call one that comes later.
test('every function body is valid SQL', async () => {
  const { ownerUrl } = await testDatabase()
  await asOwner(async (client) => {
    const { rows } = await client.query<{ text: string }>(
      `SELECT pg_get_functiondef(oid) AS text FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
    )
    assert(rows.length > 40)
    for (const { text } of rows) await client.query(text)
  }, ownerUrl)
})

type FunctionThere = { readonly name: string; readonly text: string; readonly rights: string }

async function functionsThere(client: Parameters<Parameters<typeof asOwner>[0]>[0]): Promise<readonly FunctionThere[]> {
  const { rows } = await client.query<FunctionThere>(
    `SELECT proname AS name, pg_get_functiondef(oid) AS text, array_to_string(ARRAY(SELECT a::text FROM unnest(proacl) AS a ORDER BY 1), ' ') AS rights
     FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1, 2`,
  )
  return rows
}

function sqlCopy(t: TestContext): string {
  const dir = temporaryDirectory(t)
  cpSync(fileURLToPath(new URL('../../server/src/db/', import.meta.url)), dir, { recursive: true })
  return dir
}

function replaceIn(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8')
  assert(text.includes(from), `${file} has no ${from}`)
  writeFileSync(file, text.replace(from, to))
}
