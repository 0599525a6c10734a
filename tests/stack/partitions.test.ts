import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../../server/src/db/database.ts'
import { makePartitions } from '../../server/src/db/partitions.ts'
import { atEnd } from '../support/at-end.ts'
import { testDatabase } from '../support/test-database.ts'

const { url } = await testDatabase()
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
