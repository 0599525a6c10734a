// Database roles on a new server: what `ringproof migrate` asks the administrator for, and a login for each process.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { test } from 'node:test'
import { Client } from 'pg'
import { databaseRoles, groupOf } from '../../server/src/domain/core/database-role.ts'
import { makeMissingSecrets } from '../../server/src/process/secrets.ts'
import { createPorts, createPostgres } from '../crash/servers.ts'
import { atEnd } from '../support/at-end.ts'
import { ringproof, start } from '../support/process/cli.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const directory = fileDirectory()
chmodSync(directory, 0o755)
const freePort = createPorts()
const postgres = await createPostgres({ directory, logDirectory: directory, freePort })
postgres.start()
atEnd(() => postgres.close())
await postgres.ready()
makeMissingSecrets(`${directory}/secrets`, randomBytes)
const settings = {
  RINGPROOF_DATABASE_URL: postgres.url('ringproof_app', 'ringproof'),
  RINGPROOF_DATABASE_OWNER_URL: postgres.url('ringproof_owner', 'ringproof'),
  RINGPROOF_SECRETS_DIR: `${directory}/secrets`,
  RINGPROOF_METRICS_PORT: '',
}

const creatingOwner = "CREATE ROLE ringproof_owner LOGIN PASSWORD '…';"
const creatingDatabase = 'CREATE DATABASE ringproof OWNER ringproof_owner;'

test('on a new server migrate names its own setting and prints the statements for the owner and the database', async () => {
  const unset = await ringproof({ ...settings, RINGPROOF_DATABASE_OWNER_URL: '' }, 'migrate')
  assert.match(unset.err, /^RINGPROOF_DATABASE_OWNER_URL is not set\./)
  const rejected = await ringproof(settings, 'migrate')
  assert.match(
    rejected.err,
    /^The database server rejects ringproof_owner, the login in RINGPROOF_DATABASE_OWNER_URL: /,
  )
  for (const { status, err } of [unset, rejected]) {
    assert.equal(status, 1)
    assert.deepEqual(statementsIn(err), [creatingOwner, creatingDatabase])
    assert.doesNotMatch(err, /RINGPROOF_DATABASE_URL/)
  }
  await administrator(creatingOwner.replace('…', postgres.password))
  const absent = await ringproof(settings, 'migrate')
  assert.match(absent.err, /^The server has no database ringproof, which RINGPROOF_DATABASE_OWNER_URL names\. /)
  assert.deepEqual(statementsIn(absent.err), [creatingDatabase])
  await administrator(creatingDatabase)
})

test('migrate prints the missing roles as statements that work unchanged', async () => {
  const { status, err } = await ringproof(settings, 'migrate')
  assert.equal(status, 1)
  const statements = statementsIn(err)
  assert.equal(statements.length, databaseRoles.length + 4, err)
  await administrator(statements.join('\n').replaceAll('…', postgres.password))
})

test('a schema in which PUBLIC may create, and which we do not own, stops the migration with the fix', async () => {
  // As in a database upgraded from PostgreSQL 14 or older.
  await administrator('ALTER SCHEMA public OWNER TO postgres', 'ringproof')
  await administrator('GRANT CREATE ON SCHEMA public TO PUBLIC', 'ringproof')
  const { status, err } = await ringproof(settings, 'migrate')
  assert.equal(status, 1)
  assert.match(err, /^everybody may create objects .*REVOKE CREATE ON SCHEMA public FROM PUBLIC\n$/)
})

test('where the owner owns the schema, migrate revokes that right itself', async () => {
  await administrator('ALTER SCHEMA public OWNER TO ringproof_owner', 'ringproof')
  assert.equal(await mayEverybodyCreate(), true)
  const { status, err, out } = await ringproof(settings, 'migrate')
  assert.equal(status, 0, err)
  assert.doesNotMatch(out, /GRANT/)
  assert.equal(await mayEverybodyCreate(), false)
})

test('migrate and the server print the missing GRANT for a login without its groups', async () => {
  await administrator('REVOKE ringproof_calls FROM ringproof_app')
  const { out } = await ringproof(settings, 'migrate')
  assert.match(out, /Unless every process has its own login.*\n {2}GRANT ringproof_calls TO ringproof_app;/)
  const started = await ringproof(settings, 'serve')
  assert.equal(started.status, 1)
  assert.match(started.err, /is not a member of ringproof_calls, .* GRANT ringproof_calls TO that login/)
  const listed = await ringproof(settings, 'accounts', 'list')
  assert.match(listed.err, /is not a member of ringproof_operator/)
})

for (const role of databaseRoles) {
  test(`a login in ${groupOf(role)} alone can run its process, and no other`, async () => {
    const login = `${role}_login`
    await administrator(`CREATE ROLE ${login} LOGIN PASSWORD '${postgres.password}' IN ROLE ${groupOf(role)}`)
    const own = new URL(settings.RINGPROOF_DATABASE_URL)
    own.username = login
    const environment = { ...settings, RINGPROOF_DATABASE_URL: own.href, RINGPROOF_HTTP_PORT: String(await freePort()) }
    const other = role === 'api' ? 'keeper' : 'api'
    assert.match(
      (await ringproof(environment, 'serve', '--roles', other)).err,
      new RegExp(`not a member of ringproof_${other}`),
    )
    if (role === 'operator') {
      const { err } = await ringproof(environment, 'accounts', 'create', '--email', 'a@example.org', '--balance', '100')
      assert.equal(err, '')
      return
    }
    const running = start(environment, 'serve', '--roles', role)
    await running.says('"msg":"ready"')
    running.process.kill('SIGTERM')
    const { status, out } = await running.ended
    assert.equal(status, 0)
    assert.doesNotMatch(out, /permission denied/)
  })
}

async function administrator(text: string, database = 'postgres'): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: postgres.url('postgres', database) })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

async function mayEverybodyCreate(): Promise<boolean> {
  const rows = await administrator(
    `SELECT FROM pg_namespace, aclexplode(nspacl) AS a
     WHERE nspname = 'public' AND a.grantee = 0 AND a.privilege_type = 'CREATE'`,
    'ringproof',
  )
  return rows.length > 0
}

function statementsIn(printed: string): readonly string[] {
  return [...printed.matchAll(/^ {2}((?:CREATE|GRANT) .*;)$/gm)].map(([, statement = '']) => statement)
}
