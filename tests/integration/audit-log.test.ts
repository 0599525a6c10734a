// The audit log: append-only for every role, chained by the keeper, and checked by a command that finds what was removed, changed or
// cut off.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asOwner } from '../support/database/test-database.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { install, makeService, serve } from '../support/process/server.ts'
import { operatorAs } from '../support/web/people.ts'

const installation = await install(2)
const { ownerUrl } = installation.database
const cli = createCli(installation.environment)
const owner = (text: string, values: readonly unknown[] = []) =>
  asOwner(async (client) => (await client.query<Record<string, unknown>>(text, [...values])).rows, ownerUrl)

const service = await makeService(installation, 10)
for (const name of ['one', 'two', 'three', 'four', 'five']) {
  await cli.json('trunks', 'add', name, '--address', '192.0.2.9:5060', '--channels', '5', '--calls-per-second', '5')
}
const { output, stop } = await serve(installation, {}, '--roles', 'keeper')

type Verified = { readonly databases: readonly { entries: number; head: string }[] }

test('every entry is chained, and the head is in the log of the keeper', async () => {
  const [{ count }] = (await owner('SELECT count(*)::int AS count FROM action_log')) as [{ count: number }]
  assert(count >= 5)
  await chained(count)
  const { databases } = await cli.json<Verified>('audit', 'verify')
  assert.equal(databases.length, 2)
  assert.equal(databases[0]?.entries, count)
  const lines = () =>
    output()
      .split('\n')
      .filter((line) => line.includes('"audit log head"'))
  const [line = ''] = await poll(
    'the head in the log',
    async () => lines(),
    ({ length }) => length > 0,
  )
  assert.match(line, /"sequence":\d+,"hash":"[0-9a-f]{64}"/)
  // From here on the tests chain by themselves.
  await stop()
})

test('what a removed, a changed and a cut entry do is found, each by its kind', async () => {
  const { databases } = await cli.json<Verified>('audit', 'verify')
  const head = `0:${databases[0]?.head}`
  const [removed] = await owner(`SELECT id FROM action_log WHERE action = 'trunk added' ORDER BY id LIMIT 1`)
  const found = async (change: string, back: string, pattern: RegExp) => {
    await owner(change)
    await assert.rejects(cli.json('audit', 'verify', '--head', head), pattern)
    await owner(back)
    await cli.json('audit', 'verify', '--head', head)
  }
  const copy = (table: string) => owner(`CREATE TABLE copy_of_${table} AS TABLE ${table}`)
  await copy('action_log')
  await copy('action_chain')
  const columns = 'id, account_id, action, details, address, user_agent, operator, created_at'
  const refill = (where: string) =>
    `INSERT INTO action_log (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM copy_of_action_log WHERE ${where}`

  await found(
    `DELETE FROM action_log WHERE id = ${String(removed?.['id'])}`,
    refill(`id = ${String(removed?.['id'])}`),
    /entry \d+ was removed/,
  )
  await found(
    `UPDATE action_log SET details = details || '{"name":"other"}' WHERE id = ${String(removed?.['id'])}`,
    `UPDATE action_log AS log SET details = old.details FROM copy_of_action_log AS old WHERE old.id = log.id`,
    /entry \d+, or its hash, was changed/,
  )
  // With its link: the chain has a gap.
  await found(
    'DELETE FROM action_chain WHERE sequence = 3',
    'INSERT INTO action_chain SELECT * FROM copy_of_action_chain WHERE sequence = 3',
    /the chain has no link 3/,
  )
  // The whole end, links included: without the head from the log it would look right.
  await owner('DELETE FROM action_log WHERE id = (SELECT max(entry_id) FROM action_chain)')
  await owner('DELETE FROM action_chain WHERE sequence = (SELECT max(sequence) FROM action_chain)')
  await cli.json('audit', 'verify')
  await assert.rejects(
    cli.json('audit', 'verify', '--head', head),
    /the end was cut off: the log of the keeper knows link \d+/,
  )
  await owner(refill('id NOT IN (SELECT id FROM action_log)'))
  await owner('INSERT INTO action_chain SELECT * FROM copy_of_action_chain ON CONFLICT DO NOTHING')
  // Written anew from the start, with right hashes.
  await owner(`UPDATE action_log SET address = '203.0.113.9' WHERE id = ${String(removed?.['id'])}`)
  await owner('DELETE FROM action_chain')
  await owner('SELECT chain_actions(1000)')
  await cli.json('audit', 'verify')
  await assert.rejects(cli.json('audit', 'verify', '--head', head), /the chain was written anew/)
})

test('an entry that becomes visible late is chained, too', async () => {
  const [{ count }] = (await owner('SELECT count(*)::int AS count FROM action_chain')) as [{ count: number }]
  await asOwner(async (late) => {
    await late.query('BEGIN')
    await late.query(`INSERT INTO action_log (action, address) VALUES ('late', 'test')`)
    await owner(`INSERT INTO action_log (action, address) VALUES ('early', 'test')`)
    await owner('SELECT chain_actions(1000)')
    await late.query('COMMIT')
  }, ownerUrl)
  await owner('SELECT chain_actions(1000)')
  await chained(count + 2)
  await cli.json('audit', 'verify')
})

test('no role can change or delete an entry or a link', async () => {
  const rows = await owner(
    `SELECT grantee, table_name, privilege_type FROM information_schema.role_table_grants
     WHERE table_name IN ('action_log', 'action_chain') AND grantee LIKE 'ringproof\\_%' AND grantee <> current_user
       AND privilege_type IN ('UPDATE', 'DELETE', 'TRUNCATE')`,
  )
  assert.deepEqual(rows, [])
  const inserts = await owner(
    `SELECT DISTINCT grantee FROM information_schema.role_table_grants
     WHERE table_name = 'action_chain' AND privilege_type = 'INSERT' AND grantee <> current_user AND grantee LIKE 'ringproof\\_%'`,
  )
  assert.deepEqual(inserts, [])
})

test('the console lists every database by time, with filters and as a file', async () => {
  const { base } = await serve(installation, { RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }, '--roles', 'web,api')
  const viewer = await operatorAs(
    base,
    createCli({ ...installation.environment, RINGPROOF_PUBLIC_URL: base }),
    'viewer',
  )
  const { entries, chains } = await viewer.call('audit-log')
  assert.equal(chains.length, 2)
  assert.deepEqual(
    entries.map(({ at }) => at),
    entries.map(({ at }) => at).toSorted((one, other) => other - one),
  )
  const trunks = await viewer.call('audit-log', { action: 'TRUNK ADDED' })
  assert.deepEqual(
    trunks.entries.map(({ details }) => (JSON.parse(details) as { name?: string }).name),
    ['five', 'four', 'three', 'two', 'one'],
  )
  const own = await viewer.call('audit-log', { account: String(service.accountId) })
  assert(own.entries.length > 0)
  assert(own.entries.every(({ accountId }) => accountId === service.accountId))
  const headers = { cookie: viewer.cookie, 'sec-fetch-site': 'same-origin' }
  const csv = await (await fetch(`${base}/web/audit.csv?action=trunk`, { headers })).text()
  assert.equal(csv.trimEnd().split('\n').length, 6)
  assert.equal((await fetch(`${base}/web/audit.csv`)).status, 401)
})

async function chained(count: number): Promise<void> {
  await poll(
    'the chain',
    () => owner('SELECT count(*)::int AS count FROM action_chain'),
    ([row]) => Number(row?.['count']) >= count,
  )
}
