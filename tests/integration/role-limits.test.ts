// What the rights of roles.test.ts are for: money and rights leave a trace, and a small process cannot do great things.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../../server/src/db/core/database.ts'
import { databaseRoles } from '../../server/src/domain/core/database-role.ts'
import { atEnd } from '../support/at-end.ts'
import { testDatabase } from '../support/database/test-database.ts'

const { url } = await testDatabase()
const pools = new Map(databaseRoles.map((role) => [role, connect(url, undefined, role)]))
atEnd(async () => {
  for (const pool of pools.values()) await pool.end()
})

test('money moves by hand only with a reference, a reason and a name, and never without its log entry', async () => {
  for (const [role, pool] of pools) {
    const recorded = "SELECT * FROM record_payment(1, true, 1000000, 'mine', 'mine', 'mine', '', '')"
    await assert.rejects(pool.query(recorded), { code: '42501' }, role)
  }
  const web = pools.get('web') ?? assert.fail()
  await pools.get('operator')?.query(`INSERT INTO accounts (id, email, tariff) VALUES (64, 'payer@example.org', 'uni')`)
  const move = (reference: string, reason: string, operator: string) =>
    web.query('SELECT outcome FROM move_money(64, true, 5000000, $1, $2, $3, $4, $4)', [
      reference,
      reason,
      operator,
      '',
    ])
  await assert.rejects(move(' ', 'bank', 'root'), { code: '22023' })
  await assert.rejects(move('1', '', 'root'), { code: '22023' })
  await assert.rejects(move('1', 'bank', ' '), { code: '22023' })
  const state = `SELECT (SELECT balance FROM accounts WHERE id = 64) AS balance,
    (SELECT json_agg(json_build_array(operator, details ->> 'reference', details ->> 'reason')) FROM action_log
     WHERE account_id = 64) AS log`
  assert.deepEqual((await web.query(state)).rows, [{ balance: 0, log: null }])
  await move('bank 1', 'transfer', 'root')
  assert.deepEqual((await web.query(state)).rows, [{ balance: 5_000_000, log: [['root', 'bank 1', 'transfer']] }])
})

test('a web process gives a role of the console only by the function that logs who did it', async () => {
  const web = pools.get('web') ?? assert.fail()
  const known = `INSERT INTO users (email, password_hash) VALUES ('new@example.org', '') RETURNING id`
  const [user] = (await web.query<{ id: number }>(known)).rows
  for (const statement of [
    `UPDATE users SET operator_role = 'admin'`,
    `INSERT INTO users (email, password_hash, operator_role) VALUES ('evil@example.org', '', 'admin')`,
  ]) {
    await assert.rejects(web.query(statement), { code: '42501' }, statement)
  }
  const give = (by: string) => web.query('SELECT set_operator_role($1, $2, $3, $4, $4)', [user?.id, 'support', by, ''])
  await assert.rejects(give(''), { code: '22023' })
  await give('root@example.org')
  const { rows } = await web.query(
    `SELECT operator_role AS role, details ->> 'user' AS by FROM users, action_log
     WHERE users.id = $1 AND action = 'operator role changed' AND details ->> 'userId' = users.id::text`,
    [user?.id],
  )
  assert.deepEqual(rows, [{ role: 'support', by: 'root@example.org' }])
})

// From the security review: a process that only delivers webhooks could once do all of this.
test('a webhook worker cannot block an account, delete a trunk or drop history', async () => {
  for (const statement of [
    'UPDATE accounts SET blocked_at = NULL',
    'SELECT * FROM accounts',
    'DELETE FROM trunks',
    `SELECT keep_days('ledger', 7)`,
    'SELECT * FROM api_keys',
    'SELECT phone_hash FROM verifications',
  ]) {
    await assert.rejects(pools.get('webhooks')?.query(statement) ?? assert.fail(), { code: '42501' }, statement)
  }
})
