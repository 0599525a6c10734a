import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cpSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrate } from '../../server/src/db/core/migrate.ts'
import { asOwner, emptyDatabase, testDatabase } from '../support/database/test-database.ts'
import { ask } from '../support/http/ask.ts'
import { ringproof, start } from '../support/process/cli.ts'
import { install, makeService, serve } from '../support/process/server.ts'
import { fileDirectory, temporaryDirectory } from '../support/temporary-directory.ts'

const { url, ownerUrl } = await emptyDatabase()
const environment = {
  RINGPROOF_DATABASE_URL: url,
  RINGPROOF_DATABASE_OWNER_URL: ownerUrl,
  RINGPROOF_SECRETS_DIR: '/nonexistent',
}
const noNews = { waiting: () => undefined, done: () => undefined }

test('of two concurrent migrations one runs and the other waits', async () => {
  // The lock is held here until both wait for it, so that they really overlap.
  const [first, second] = await asOwner(async (client) => {
    await client.query('SELECT pg_advisory_lock(1380533059, 3)')
    const both = [start(environment, 'migrate'), start(environment, 'migrate')] as const
    await Promise.all(both.map(({ says }) => says('waiting for it')))
    return both
  }, ownerUrl)
  const ended = [await first.ended, await second.ended]
  for (const { status, err } of ended) assert.equal(status, 0, err)
  const ran = ended.filter(({ out }) => out.includes('0001_'))
  assert.equal(ran.length, 1, 'exactly one process ran the migrations')
  assert.match(ended.find((said) => said !== ran[0])?.out ?? '', /is up to date\./)
})

test('a second migration changes nothing', async () => {
  const before = await asOwner(everythingThere, ownerUrl)
  assert(before.length > 50)
  const { status, out } = await ringproof(environment, 'migrate')
  assert.equal(status, 0)
  assert.equal(out, 'The database is up to date.\n')
  assert.deepEqual(await asOwner(everythingThere, ownerUrl), before)
})

test('migrate without the owner URL names the setting it needs', async () => {
  const { status, err } = await ringproof({ ...environment, RINGPROOF_DATABASE_OWNER_URL: '' }, 'migrate')
  assert.equal(status, 1)
  assert.match(err, /RINGPROOF_DATABASE_OWNER_URL/)
})

test('an unreachable database is reported in one sentence', async () => {
  const nobody = 'postgres://nobody@127.0.0.1:1/nothing'
  const addresses = { RINGPROOF_DATABASE_URL: nobody, RINGPROOF_DATABASE_OWNER_URL: nobody }
  const { status, err } = await ringproof({ ...environment, ...addresses }, 'migrate')
  assert.equal(status, 1)
  assert.match(err, /^Cannot connect to the database: ECONNREFUSED\. .*RINGPROOF_DATABASE_OWNER_URL/)
})

test('migrate gives up a database that does not respond after 5 seconds', { timeout: 30_000 }, async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  try {
    await assert.rejects(migrate(`postgres://nobody@127.0.0.1:${port}/nothing`, noNews), /timeout expired/)
  } finally {
    silent.close()
  }
})

test('with several databases, each schema version is checked against the program', async (t) => {
  const first = await testDatabase()
  const second = await emptyDatabase()
  const sharded = {
    RINGPROOF_SHARD_URLS: `0-31=${first.url} 32-63=${second.url}`,
    RINGPROOF_SHARD_OWNER_URLS: `0-31=${first.ownerUrl} 32-63=${second.ownerUrl}`,
    RINGPROOF_SECRETS_DIR: temporaryDirectory(t),
  }
  const run = (...args: string[]) => ringproof(sharded, ...args)
  await run('setup')
  assert.match((await run('accounts', 'list')).err, /older than this program/)
  assert.match((await run('migrate')).out, /Database 1 of 2 is up to date\.[^]*Database 2 of 2 is up to date now\./)
  assert.match((await run('accounts', 'list')).out, /no accounts yet/)
})

// Every relation with its columns, every function body, and the applied migrations with their times.
async function everythingThere(client: Parameters<Parameters<typeof asOwner>[0]>[0]): Promise<readonly string[]> {
  const { rows } = await client.query<{ line: string }>(
    `SELECT concat_ws(' ', c.relname, c.relkind, c.relacl, a.attname, a.atttypid, a.attnotnull) AS line
     FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid WHERE c.relnamespace = 'public'::regnamespace
     UNION ALL SELECT proname || prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     UNION ALL SELECT conname || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
     UNION ALL SELECT name || run_on FROM migrations
     UNION ALL SELECT file || checksum || applied_at FROM repeatable_migrations
     ORDER BY 1`,
  )
  return rows.map(({ line }) => line)
}

test('a failing migration changes nothing, and the old version keeps serving', async () => {
  const installation = await install()
  const service = await makeService(installation)
  const { base } = await serve(installation, {}, '--roles', 'api')
  const dir = join(fileDirectory(), 'db')
  cpSync(join(import.meta.dirname, '../../server/src/db'), dir, { recursive: true })
  writeFileSync(join(dir, 'migrations/9998_new.sql'), 'CREATE TABLE new_thing (id integer);')
  writeFileSync(join(dir, 'migrations/9999_broken.sql'), 'ALTER TABLE nothing ADD COLUMN more integer;')
  const { ownerUrl: own } = installation.database
  const before = await asOwner(everythingThere, own)
  const attempt = migrate(own, noNews, `${dir}/`, '0.2.0')
  await assert.rejects(attempt, /relation "nothing" does not exist/)
  assert.deepEqual(await asOwner(everythingThere, own), before)
  assert.equal((await ask(`${base}/v1.0/getBalance`, { headers: service.bearer })).status, 200)
  // And a process of the old version still starts.
  await serve(installation, {}, '--roles', 'api')
})

test('a downgrade is refused with a sentence; the version before the newest minor one still serves', async () => {
  const database = await testDatabase()
  const setVersion = (version: string) =>
    asOwner((client) => client.query('UPDATE schema_version SET version = $1', [version]), database.ownerUrl)
  const other = {
    RINGPROOF_DATABASE_URL: database.url,
    RINGPROOF_DATABASE_OWNER_URL: database.ownerUrl,
    RINGPROOF_SECRETS_DIR: join(fileDirectory(), 'secrets'),
  }
  await ringproof(other, 'setup')
  await setVersion('0.2.0')
  const refused = await ringproof(other, 'migrate')
  assert.equal(refused.status, 1)
  assert.match(
    refused.err,
    /^Ringproof 0\.2\.0 has migrated this database, and this is 0\.\d+\.\d+\S*\. A downgrade is not possible/,
  )
  assert.equal((await ringproof(other, 'accounts', 'list')).status, 0)
  await setVersion('0.3.0')
  const tooOld = await ringproof(other, 'accounts', 'list')
  assert.equal(tooOld.status, 1)
  assert.match(tooOld.err, /too old for it\. Run 0\.3\.0 or newer\.$/m)
})
