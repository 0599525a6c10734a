import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { auditLedger } from '../../server/src/actions/audit-ledger.ts'
import { createAccount } from '../../server/src/actions/create-account.ts'
import { connect } from '../../server/src/db/database.ts'
import { dropOldPartitions, makePartitions } from '../../server/src/db/partitions.ts'
import { openSlotMap } from '../../server/src/db/slot-map.ts'
import type { MicroRoubles } from '../../server/src/domain/money.ts'
import { slotsAll } from '../../server/src/domain/slot.ts'
import { atEnd } from '../support/at-end.ts'
import { asOwner, testDatabase } from '../support/test-database.ts'

const { url, ownerUrl } = await testDatabase()
const database = connect(url)
atEnd(() => database.end())

async function partitionCount(parent: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*) AS count FROM pg_inherits WHERE inhparent = $1::regclass AND NOT inhdetachpending`,
    [parent],
  )
  return rows[0]?.count ?? 0
}

test('a week ahead is there, and making it again makes nothing', async () => {
  assert.equal(await partitionCount('verifications'), 9)
  assert.equal(await partitionCount('ledger'), 9)
  assert([2, 3].includes(await partitionCount('idempotency_keys')))
  await makePartitions(database)
  assert.equal(await partitionCount('verifications'), 9)
})

test('many hands at once make each partition once', async () => {
  await Promise.all(Array.from({ length: 8 }, () => database.query('SELECT make_partitions(30)')))
  assert.equal(await partitionCount('verifications'), 32)
})

test('nobody makes partitions without bound, by a slip of the pen', async () => {
  for (const days of [-1, 61, 1_000_000, null]) {
    await assert.rejects(database.query('SELECT make_partitions($1)', [days]), /from 0 to 60/, String(days))
  }
  assert.equal(await partitionCount('verifications'), 32)
})

test('a look by id reads one partition, whose pages keep room for changes', async () => {
  const { rows: ids } = await database.query<{ id: number }>('SELECT next_id(5) AS id')
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

test('the application may ask for partitions, and make or drop nothing itself', async () => {
  await assert.rejects(database.query('CREATE TABLE mine (id integer)'), /permission denied/)
  await assert.rejects(database.query('DROP TABLE ledger'), /must be owner/)
  await assert.rejects(database.query(`SELECT make_partition('ledger', 1, 1, '')`), /permission denied/)
})

test('old days are dropped as a whole, and their money stays in the books', async () => {
  const slots = openSlotMap(new Map(slotsAll.map((slot) => [slot, url])))
  atEnd(() => slots.close())
  const account = { email: 'old@example.org', balance: 5_000_000 as MicroRoubles, tariff: 'uni' }
  await createAccount({ slots, chance: randomBytes }, { address: 'test', userAgent: '' }, account)
  // The credit of today becomes one of forty days ago.
  await asOwner(async (client) => {
    await client.query(
      `SELECT make_partition(parent, 1, (now() AT TIME ZONE 'UTC')::date - date '2026-01-01' - 40, '')
       FROM unnest('{verifications,ledger}'::text[]) AS parent`,
    )
    await client.query('UPDATE ledger SET id = id - ((40 * 86400)::bigint << 23)')
  }, ownerUrl)
  assert.deepEqual((await auditLedger({ slots })).faults, [])
  const dropped = await dropOldPartitions(database, 30, 30)
  assert.equal(dropped.filter((name) => name.startsWith('ledger_')).length, 1)
  assert.equal(dropped.filter((name) => name.startsWith('verifications_')).length, 1)
  const { rows } = await database.query<{ amount: number }>('SELECT amount FROM ledger_days')
  assert.deepEqual(rows, [{ amount: 5_000_000 }])
  assert.deepEqual(await auditLedger({ slots }), { accounts: 1, sum: 0, faults: [] })
  assert.deepEqual(await dropOldPartitions(database, 30, 30), [])
  await assert.rejects(database.query('SELECT drop_old_partitions(1, 30)'), /a week at least/)
})
