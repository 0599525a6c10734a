import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createAccount } from '../../server/src/actions/accounts/accounts.ts'
import { auditLedger, moveMoney } from '../../server/src/actions/money/ledger.ts'
import { connect } from '../../server/src/db/core/database.ts'
import { createSlotMap } from '../../server/src/db/core/slot-map.ts'
import { type AccountId, slotOfAccount, slotsAll } from '../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { atEnd } from '../support/at-end.ts'
import { createLostCommit } from '../support/database/lost-commit.ts'
import { asOwner, testDatabase } from '../support/database/test-database.ts'

const { url, ownerUrl } = await testDatabase()
const slots = createSlotMap(new Map(slotsAll.map((slot) => [slot, url])))
atEnd(() => slots.close())
const deps = { slots, randomBytes }
const actor = { address: 'test', userAgent: '', operator: 'test' }

let emails = 0
async function account(balance: number): Promise<AccountId> {
  const email = `owner-${emails++}@example.org`
  return createAccount(deps, actor, { email, balance: balance as MicroAmount, tariff: 'uni' })
}

test('the application role can neither update nor delete ledger rows', async () => {
  await account(1_000_000)
  for (const table of ['ledger', 'action_log', 'tariff_prices', 'ledger_days', 'payment_references']) {
    const column = ['ledger_days', 'payment_references'].includes(table) ? 'amount = 0' : 'created_at = now()'
    for (const statement of [`UPDATE ${table} SET ${column}`, `DELETE FROM ${table}`, `TRUNCATE ${table}`]) {
      await assert.rejects(slots.globalDatabase.query(statement), /permission denied/, statement)
    }
  }
  // Deleting here would give an email address a second account.
  await assert.rejects(slots.globalDatabase.query('DELETE FROM account_emails'), /permission denied/)
  // Not through a partition either.
  const { rows } = await slots.globalDatabase.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'ledger'::regclass`,
  )
  assert(rows.length >= 8)
  for (const { name } of rows)
    await assert.rejects(slots.globalDatabase.query(`DELETE FROM ${name}`), /permission denied/)
  // The owner can run the same statement: the role is refused, not the statement.
  await asOwner(async (client) => {
    await client.query('BEGIN')
    const { rowCount } = await client.query('DELETE FROM ledger')
    assert((rowCount ?? 0) >= 1)
    await client.query('ROLLBACK')
  }, ownerUrl)
})

test('only the six ledger moves are accepted, a hold is closed once, and an entry stays in its slot', async (t) => {
  const id = await account(1_000_000)
  const slot = slotOfAccount(id)
  const owner = connect(ownerUrl)
  t.after(() => owner.end())
  const { rows } = await owner.query<{ id: number }>('SELECT next_id($1) AS id', [slot])
  const entry = (
    sequence: number,
    from: string,
    to: string,
    amount = 100,
    entryId = rows[0]?.id,
    holder: number = id,
  ) =>
    owner.query(
      'INSERT INTO ledger (id, sequence, account_id, from_account, to_account, amount) VALUES ($1, $2, $3, $4, $5, $6)',
      [entryId, sequence, holder, from, to, amount],
    )
  for (const [sequence, from, to] of [
    [1, 'held', 'revenue'],
    [1, 'external', 'revenue'],
    [2, 'available', 'held'],
    [2, 'held', 'external'],
    [3, 'held', 'available'],
    [1, 'available', 'available'],
  ] as const) {
    await assert.rejects(entry(sequence, from, to), /check constraint/, `${sequence} ${from} ${to}`)
  }
  await assert.rejects(entry(1, 'available', 'held', 0), /check constraint/)
  await assert.rejects(entry(1, 'available', 'held', 100, rows[0]?.id, id + 1), /check constraint/)
  await asOwner(async (client) => {
    await client.query('BEGIN')
    const write = `INSERT INTO ledger (id, sequence, account_id, from_account, to_account, amount) VALUES (${rows[0]?.id}, $1, ${id}, $2, $3, 100)`
    await client.query(write, [1, 'available', 'held'])
    await client.query(write, [2, 'held', 'revenue'])
    await assert.rejects(client.query(write, [2, 'held', 'available']), /duplicate key/)
    await client.query('ROLLBACK')
  }, ownerUrl)
})

test('fifty debits of one from ten: ten succeed, and the ledger is consistent', async () => {
  const id = await account(10_000_000)
  const debits = Array.from({ length: 50 }, (_, index) =>
    moveMoney({ slots }, actor, {
      accountId: id,
      move: 'debit',
      amount: 1_000_000 as MicroAmount,
      reference: `refund ${index}`,
      reason: 'test',
    }),
  )
  const settled = await Promise.allSettled(debits)
  assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 10)
  // Each of the others saw what was left. Without the account lock, the database constraint would stop them.
  for (const debit of settled) {
    if (debit.status === 'rejected') assert.equal(debit.reason.message, `Account ${id} has only 0 available.`)
  }
  const { rows } = await slots.globalDatabase.query<{ balance: number }>('SELECT balance FROM accounts WHERE id = $1', [
    id,
  ])
  assert.equal(rows[0]?.balance, 0)
  assert.deepEqual((await auditLedger({ slots })).faults, [])
})

test('a credit whose COMMIT response was lost, and its retry, enter one payment', async () => {
  const id = await account(0)
  const line = await createLostCommit(Number(new URL(url).port))
  const through = new URL(url)
  through.port = String(line.port)
  const lossy = createSlotMap(new Map(slotsAll.map((slot) => [slot, through.href])))
  atEnd(() => lossy.close())
  const amount = 5_000_000 as MicroAmount
  const payment = { accountId: id, move: 'credit', amount, reference: 'bank 4711', reason: 'test' } as const
  line.loseNextCommit()
  await assert.rejects(moveMoney({ slots: lossy }, actor, payment), /Connection terminated|ECONNRESET/)
  assert.equal(line.lost(), 1)
  const retried = await moveMoney({ slots: lossy }, actor, payment)
  assert.deepEqual([retried.balance, retried.isRepeated], [5_000_000, true])
  const { rows } = await slots.globalDatabase.query('SELECT id FROM ledger WHERE account_id = $1', [id])
  assert.deepEqual(rows, [{ id: retried.entryId }])
  assert.deepEqual((await auditLedger({ slots })).faults, [])
})

test('ten concurrent credits with one reference enter one payment, and all return its entry', async () => {
  const [id, other] = [await account(0), await account(0)]
  const credit = (accountId: AccountId, reference: string, amount = 3_000_000) =>
    moveMoney({ slots }, actor, {
      accountId,
      move: 'credit',
      amount: amount as MicroAmount,
      reference,
      reason: 'test',
    })
  const moved = await Promise.all(Array.from({ length: 10 }, () => credit(id, 'invoice 1')))
  assert.equal(moved.filter(({ isRepeated }) => !isRepeated).length, 1)
  assert.equal(new Set(moved.map(({ entryId }) => entryId)).size, 1)
  for (const { balance } of moved) assert.equal(balance, 3_000_000)
  // A reference belongs to its account. Another payment under a known reference is refused, not ignored.
  assert.equal((await credit(other, 'invoice 1')).isRepeated, false)
  assert.equal((await credit(id, 'invoice 2')).balance, 6_000_000)
  const reused = /Reference invoice 1 .* is taken by a credit of 3 \(entry \d+\)/
  await assert.rejects(credit(id, 'invoice 1', 4_000_000), reused)
  const amount = 3_000_000 as MicroAmount
  const debit = { accountId: id, move: 'debit', amount, reference: 'invoice 1', reason: 'test' } as const
  await assert.rejects(moveMoney({ slots }, actor, debit), reused)
  await assert.rejects(credit(id, ''), /takes 1 to 100 characters/)
  assert.deepEqual((await auditLedger({ slots })).faults, [])
})

test('a balance never goes below zero, whichever role writes it', async () => {
  const id = await account(1_000_000)
  const overdraw = 'UPDATE accounts SET balance = balance - 1000001 WHERE id = $1'
  await assert.rejects(slots.globalDatabase.query(overdraw, [id]), /permission denied/)
  await assert.rejects(
    asOwner((client) => client.query(overdraw, [id]), ownerUrl),
    /check constraint/,
  )
})

test('the audit finds a seeded micro-unit, a lost entry, an entry without an account and a hold without a call', async () => {
  const id = await account(5_000_000)
  const nobody = id + 64 * 1_000
  for (const [fault, finding] of [
    [`UPDATE accounts SET balance = balance + 1 WHERE id = ${id}`, /balance is 5000001, its entries say 5000000/],
    [`UPDATE accounts SET held = held + 1 WHERE id = ${id}`, /held is 1, its entries say 0/],
    [`DELETE FROM ledger WHERE account_id = ${id}`, /balance is 5000000, its entries say 0/],
    [
      `INSERT INTO ledger (id, sequence, account_id, from_account, to_account, amount)
       VALUES (next_id(${id % 64}), 1, ${nobody}, 'external', 'available', 7)`,
      new RegExp(`account ${nobody}: .*not zero`),
    ],
    // What is left when the partition of an open call is dropped: row and entries agree.
    [
      `UPDATE accounts SET balance = balance - 400000, held = held + 400000 WHERE id = ${id};
       INSERT INTO ledger (id, sequence, account_id, from_account, to_account, amount)
       VALUES (next_id(${id % 64}), 1, ${id}, 'available', 'held', 400000)`,
      /held is 400000, open verifications cost 0: a hold that will never be closed/,
    ],
  ] as const) {
    const faults = await seededViolations(fault)
    assert.match(faults.join('\n'), finding)
    for (const line of faults) assert.match(line, new RegExp(`^account (${id}|${nobody}): `))
  }
  assert.deepEqual(await auditLedger({ slots }), { accounts: emails, sum: 0, faults: [] })
})

// The owner seeds a fault, the audit runs, the owner restores the row from a copy.
async function seededViolations(fault: string): Promise<readonly string[]> {
  return asOwner(async (client) => {
    await client.query(
      'CREATE TEMP TABLE accounts_kept AS TABLE accounts; CREATE TEMP TABLE ledger_kept AS TABLE ledger',
    )
    await client.query(fault)
    const { faults } = await auditLedger({ slots })
    await client.query(
      `UPDATE accounts AS a SET balance = k.balance, held = k.held FROM accounts_kept AS k WHERE k.id = a.id;
       DELETE FROM ledger; INSERT INTO ledger TABLE ledger_kept; DROP TABLE accounts_kept, ledger_kept`,
    )
    return faults
  }, ownerUrl)
}
