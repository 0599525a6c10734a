import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ringproof, start } from '../support/operator.ts'
import { asOwner, emptyDatabase } from '../support/test-database.ts'

const { url, ownerUrl } = await emptyDatabase()
const environment = {
  RINGPROOF_DATABASE_URL: url,
  RINGPROOF_DATABASE_OWNER_URL: ownerUrl,
  RINGPROOF_SECRETS_DIR: '/nonexistent',
}

test('two migrations at once: one runs, one waits, nothing breaks', async () => {
  // The lock is held here until both are seen waiting, so that they truly meet.
  const [first, second] = await asOwner(async (client) => {
    await client.query('SELECT pg_advisory_lock(1380533059, 3)')
    const both = [start(environment, 'migrate'), start(environment, 'migrate')] as const
    await Promise.all(both.map(({ says }) => says('waiting for it')))
    return both
  }, ownerUrl)
  const ended = [await first.ended, await second.ended]
  for (const { status, err } of ended) assert.equal(status, 0, err)
  const ran = ended.filter(({ out }) => out.includes('0001_'))
  assert.equal(ran.length, 1, 'exactly one of them ran the migrations')
  assert.match(ended.find((said) => said !== ran[0])?.out ?? '', /is up to date\./)
})

test('a second run changes nothing', async () => {
  const before = await asOwner(everythingThere, ownerUrl)
  assert(before.length > 50)
  const { status, out } = await ringproof(environment, 'migrate')
  assert.equal(status, 0)
  assert.equal(out, 'The database is up to date.\n')
  assert.deepEqual(await asOwner(everythingThere, ownerUrl), before)
})

test('without the owner, migrate says what it needs', async () => {
  const { status, err } = await ringproof({ ...environment, RINGPROOF_DATABASE_OWNER_URL: '' }, 'migrate')
  assert.equal(status, 1)
  assert.match(err, /RINGPROOF_DATABASE_OWNER_URL/)
})

test('a database that cannot be reached is told in a sentence', async () => {
  const nobody = 'postgres://nobody@127.0.0.1:1/nothing'
  const { status, err } = await ringproof({ ...environment, RINGPROOF_DATABASE_OWNER_URL: nobody }, 'migrate')
  assert.equal(status, 1)
  assert.equal(err, 'The database cannot be reached: ECONNREFUSED. Is it running, and is its address right?\n')
})

// Every relation with its definition's traces, every function's text, and the migrations' own list with its times.
async function everythingThere(client: Parameters<Parameters<typeof asOwner>[0]>[0]): Promise<readonly string[]> {
  const { rows } = await client.query<{ line: string }>(
    `SELECT concat_ws(' ', c.relname, c.relkind, c.relacl, a.attname, a.atttypid, a.attnotnull) AS line
     FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid WHERE c.relnamespace = 'public'::regnamespace
     UNION ALL SELECT proname || prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     UNION ALL SELECT conname || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
     UNION ALL SELECT name || run_on FROM migrations
     ORDER BY 1`,
  )
  return rows.map(({ line }) => line)
}
