import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Client } from 'pg'
import { createAccount } from '../../server/src/actions/accounts/accounts.ts'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { connect, inJob, isLockTimeout } from '../../server/src/db/core/database.ts'
import { dropOldDay, makePartitions } from '../../server/src/db/core/housekeeping.ts'
import { createSlotMap } from '../../server/src/db/core/slot-map.ts'
import { sweepCalls } from '../../server/src/db/core/sweep.ts'
import { slotsAll } from '../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { atEnd } from '../support/at-end.ts'
import { asOwner, testDatabase } from '../support/database/test-database.ts'
import { poll } from '../support/poll.ts'

const { url, ownerUrl } = await testDatabase()
const database = connect(url)
atEnd(() => database.end())
const slots = createSlotMap(new Map(slotsAll.map((slot) => [slot, url])))
atEnd(() => slots.close())

async function partitionCount(parent: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*) AS count FROM pg_inherits WHERE inhparent = $1::regclass AND NOT inhdetachpending`,
    [parent],
  )
  return rows[0]?.count ?? 0
}

test('partitions exist for a week ahead, and a second run creates none', async () => {
  assert.equal(await partitionCount('verifications'), 9)
  assert.equal(await partitionCount('ledger'), 9)
  assert([2, 3].includes(await partitionCount('idempotency_keys')))
  await makePartitions(database)
  assert.equal(await partitionCount('verifications'), 9)
})

test('concurrent runs create each partition once', async () => {
  const run = () => inJob(database, (session) => session.query('SELECT make_partitions(30)'))
  await Promise.all(Array.from({ length: 8 }, run))
  assert.equal(await partitionCount('verifications'), 32)
})

test('a process waits for one that creates partitions, also for longer than for any other lock', async () => {
  const client = await database.connect()
  try {
    await client.query(`SET lock_timeout = '10ms'`)
    await asOwner(async (owner) => {
      await owner.query('SELECT pg_advisory_lock(1380533059, 2)')
      const made = client.query('SELECT make_partitions(30)')
      await Promise.race([made, poll('it to have waited longer', hasWaited)])
      await owner.query('SELECT pg_advisory_unlock(1380533059, 2)')
      await made
    }, ownerUrl)
    const { rows } = await client.query<{ lock_timeout: string }>('SHOW lock_timeout')
    assert.equal(rows[0]?.lock_timeout, '10ms')
  } finally {
    client.release(true)
  }
})

async function hasWaited(): Promise<boolean> {
  const { rowCount } = await database.query(
    `SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT make_partitions%' AND wait_event_type = 'Lock'
       AND clock_timestamp() - query_start > interval '100 ms' AND datname = current_database()`,
  )
  return rowCount === 1
}

test('the number of partitions created at once is bounded', async () => {
  for (const days of [-1, 61, 1_000_000, null]) {
    await assert.rejects(database.query('SELECT make_partitions($1)', [days]), /from 0 to 60/, String(days))
  }
  assert.equal(await partitionCount('verifications'), 32)
})

test('a lookup by ID reads one partition, and its pages have room for HOT updates', async () => {
  const { rows: ids } = await asOwner((client) => client.query<{ id: string }>('SELECT next_id(5) AS id'), ownerUrl)
  const { rows: plan } = await database.query<Record<'QUERY PLAN', string>>(
    `EXPLAIN (COSTS OFF) SELECT * FROM verifications WHERE id = ${ids[0]?.id}`,
  )
  const text = plan.map((line) => line['QUERY PLAN']).join('\n')
  assert.equal(text.match(/verifications_\d{8}_pkey/g)?.length, 1, text)
  const { rows: options } = await database.query<{ full: number }>(
    `SELECT count(*) AS full FROM pg_class
     WHERE relname ~ '^verifications_\\d{8}$' AND NOT coalesce(reloptions, '{}') @> '{fillfactor=60}'`,
  )
  assert.equal(options[0]?.full, 0)
})

test('the application role can neither create nor drop tables or partitions', async () => {
  await assert.rejects(database.query('CREATE TABLE mine (id integer)'), /permission denied/)
  await assert.rejects(database.query('DROP TABLE ledger'), /must be owner/)
  await assert.rejects(database.query(`SELECT make_partition('ledger', 1, 1, '')`), /permission denied/)
})

// A partition of forty days ago, with the rows a test moves into it.
async function makeOldDay(work: (client: Client) => Promise<unknown>): Promise<void> {
  await asOwner(async (client) => {
    await client.query(
      `SELECT make_partition(parent, 1, (now() AT TIME ZONE 'UTC')::date - date '2026-01-01' - 40, '')
       FROM unnest('{verifications,ledger}'::text[]) AS parent`,
    )
    await work(client)
  }, ownerUrl)
}

test('old partitions are dropped whole, one table per step, and their money stays in the ledger', async () => {
  const account = { email: 'old@example.org', balance: 5_000_000 as MicroAmount, tariff: 'uni' }
  await createAccount({ slots, randomBytes }, { address: 'test', userAgent: '', operator: 'test' }, account)
  // A credit of today is moved forty days back.
  await makeOldDay((client) => client.query('UPDATE ledger SET id = id - ((40 * 86400)::bigint << 23)'))
  assert.deepEqual((await auditLedger({ slots })).faults, [])
  assert.match((await dropOldDay(database, 'ledger', 30)) ?? '', /^ledger_\d{8}$/)
  assert.match((await dropOldDay(database, 'verifications', 30)) ?? '', /^verifications_\d{8}$/)
  const { rows } = await database.query<{ amount: number }>('SELECT amount FROM ledger_days')
  assert.deepEqual(rows, [{ amount: 5_000_000 }])
  assert.deepEqual(await auditLedger({ slots }), { accounts: 1, sum: 0, faults: [] })
  assert.equal(await dropOldDay(database, 'ledger', 30), undefined)
  await assert.rejects(dropOldDay(database, 'ledger', 1), /7 days at least/)
})

test('a drop gives up at once while somebody reads the partition, and is done later', async () => {
  await makeOldDay(async () => undefined)
  await asOwner(async (reader) => {
    await reader.query('BEGIN')
    await reader.query('SELECT count(*) FROM verifications WHERE id = 0')
    await assert.rejects(dropOldDay(database, 'verifications', 30), isLockTimeout)
    // No statement queues behind it.
    await database.query('SELECT count(*) FROM verifications WHERE id = 0')
    await reader.query('COMMIT')
  }, ownerUrl)
  assert.match((await dropOldDay(database, 'verifications', 30)) ?? '', /^verifications_/)
  assert.match((await dropOldDay(database, 'ledger', 30)) ?? '', /^ledger_/)
})

test('a partition with an open hold is kept until a sweep releases the hold', async () => {
  const { accountId, id } = await makeOpenCall()
  await makeOldDay(async (client) => {
    await client.query('UPDATE verifications SET id = id - ((40 * 86400)::bigint << 23)')
    await client.query(`UPDATE ledger SET id = id - ((40 * 86400)::bigint << 23) WHERE to_account = 'held'`)
    // Earlier sweeps skipped it.
    await client.query('UPDATE sweep_marks SET from_id = $1', [id])
  })
  assert.equal((await sweepCalls(database, 500)).ended, 0)
  for (const table of ['verifications', 'ledger'] as const) {
    assert.equal(await dropOldDay(database, table, 30), undefined, table)
  }
  assert.equal((await sweepCalls(database, 500)).ended, 1)
  assert.deepEqual(await moneyOf(accountId), { balance: 5_000_000, held: 0 })
  assert.match((await dropOldDay(database, 'verifications', 30)) ?? '', /^verifications_/)
  assert.match((await dropOldDay(database, 'ledger', 30)) ?? '', /^ledger_/)
  assert.deepEqual((await auditLedger({ slots })).faults, [])
})

test('a partition that a view depends on is reported, and the next partition is still dropped', async () => {
  await makeOldDay((client) =>
    client.query(`DO $$ BEGIN
      PERFORM make_partition('verifications', 1, (now() AT TIME ZONE 'UTC')::date - date '2026-01-01' - 39, '');
      EXECUTE format('CREATE VIEW report AS SELECT id FROM verifications_%s',
        to_char((now() AT TIME ZONE 'UTC')::date - 40, 'YYYYMMDD'));
    END $$`),
  )
  assert.match((await dropOldDay(database, 'verifications', 30)) ?? '', /^verifications_/)
  await assert.rejects(dropOldDay(database, 'verifications', 30), /view report depends on/)
  await asOwner((client) => client.query('DROP VIEW report'), ownerUrl)
  assert.match((await dropOldDay(database, 'verifications', 30)) ?? '', /^verifications_/)
  assert.match((await dropOldDay(database, 'ledger', 30)) ?? '', /^ledger_/)
})

test('a clock ahead of the newest ID makes no partition due', async () => {
  // As if the newest ID were forty days old: by the clock alone, older partitions would be due.
  await asOwner(
    (client) => client.query(`SELECT setval('id_ticks', last_value - ((40 * 86400)::bigint << 17)) FROM id_ticks`),
    ownerUrl,
  )
  await makeOldDay(async () => undefined)
  for (const table of ['verifications', 'ledger'] as const) {
    assert.equal(await dropOldDay(database, table, 30), undefined, table)
  }
})

async function makeOpenCall(): Promise<{ readonly accountId: number; readonly id: number }> {
  const account = { email: 'open@example.org', balance: 5_000_000 as MicroAmount, tariff: 'uni' }
  const accountId = await createAccount(
    { slots, randomBytes },
    { address: 'test', userAgent: '', operator: 'test' },
    account,
  )
  const request = {
    account_id: accountId,
    service_id: accountId,
    is_test: false,
    mode: 'flash',
    phone_hash: `\\x${'0'.repeat(64)}`,
    person_sealed: '\\x00',
    country: 'RU',
    code: '0417',
    price: 400_000,
  }
  const { rows } = await database.query<{ id: number }>('SELECT id FROM accept_calls($1, 0)', [
    JSON.stringify([request]),
  ])
  assert(rows[0])
  assert.deepEqual(await moneyOf(accountId), { balance: 4_600_000, held: 400_000 })
  return { accountId, id: rows[0].id }
}

async function moneyOf(accountId: number): Promise<unknown> {
  const { rows } = await database.query('SELECT balance, held FROM accounts WHERE id = $1', [accountId])
  return rows[0]
}
