// Numbers that nobody has called for 58 hours are forgotten, a part of the table after the other.

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { connect } from '../../server/src/db/core/database.ts'
import { forgetNumbers } from '../../server/src/db/core/housekeeping.ts'
import { keepHouse } from '../../server/src/engine/core/housekeeping.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { atEnd } from '../support/at-end.ts'
import { testDatabase } from '../support/database/test-database.ts'

const { ownerUrl } = await testDatabase()
const database = connect(ownerUrl)
atEnd(() => database.end())
const numbers = 3_000

beforeEach(async () => {
  await database.query('TRUNCATE subscriber_numbers')
  await database.query(
    `INSERT INTO subscriber_numbers (hash, touched_at)
     SELECT sha256(n::text::bytea), clock_timestamp() - CASE WHEN n % 3 = 0 THEN interval '59 hours' ELSE interval '57 hours' END
     FROM generate_series(1, ${numbers}) AS n`,
  )
})

test('every part of the table is read once, and only old numbers are forgotten', async () => {
  let [page, steps, forgotten] = [0, 0, 0]
  do {
    const step = await forgetNumbers(database, page, 10, 1)
    assert(step.forgotten < numbers / 3)
    forgotten += step.forgotten
    page = step.nextPage
    steps += 1
  } while (page !== 0)
  assert.equal(forgotten, numbers / 3)
  assert(steps > 3)
  assert.equal(await count(), (numbers * 2) / 3)
})

test('a step reads its pages and no others', async () => {
  const { rows } = await database.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT hash FROM subscriber_numbers
     WHERE ctid >= format('(%s,0)', 5)::tid AND ctid < format('(%s,0)', 15)::tid FOR UPDATE`,
  )
  assert.match(rows.map((row) => row['QUERY PLAN']).join('\n'), /Tid Range Scan/)
})

test('housekeeping forgets the old numbers of a small table in its first round', async () => {
  const closing = new AbortController()
  const events = { housekeepingFailed: assert.fail, houseKept: () => undefined }
  const clock = { ...createClock(1), sleep: async () => closing.abort() }
  const log = createLog({ write: () => undefined })
  const kept = { name: '0', timeScale: 1, verificationDays: 90, ledgerDays: 90 }
  await keepHouse({ ...kept, database, clock, events, log }, closing.signal)
  assert.equal(await count(), (numbers * 2) / 3)
})

async function count(): Promise<number> {
  const { rows } = await database.query<{ count: number }>('SELECT count(*)::int AS count FROM subscriber_numbers')
  return rows[0]?.count ?? 0
}
