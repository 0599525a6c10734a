import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../../server/src/db/database.ts'
import { slotOfVerification, type VerificationId } from '../../server/src/domain/slot.ts'
import { atEnd } from '../support/at-end.ts'
import { asOwner, testDatabase } from '../support/test-database.ts'

const { url, ownerUrl } = await testDatabase()
const database = connect(url)
atEnd(() => database.end())

const secondOf = (id: number) => Math.floor(id / 2 ** 23)

async function nextIds(slot: number, count: number): Promise<readonly number[]> {
  const { rows } = await database.query<{ id: number }>('SELECT next_id($1) AS id FROM generate_series(1, $2)', [
    slot,
    count,
  ])
  return rows.map(({ id }) => id)
}

test('ids are unique over sessions and slots, carry their slot, and their second is now', async () => {
  const perSlot = await Promise.all(
    Array.from({ length: 8 }, async (_, slot) => ({ slot, ids: await nextIds(slot, 5_000) })),
  )
  const ticks = new Set<string>()
  for (const { slot, ids } of perSlot) {
    for (const id of ids) {
      assert.equal(slotOfVerification(id as VerificationId), slot)
      ticks.add(`${secondOf(id)}:${id % 2 ** 17}`)
    }
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    )
  }
  // Unique even without the slot: that is what one sequence for a whole database gives.
  assert.equal(ticks.size, 40_000)
  const { rows } = await database.query<{ second: number }>(
    'SELECT floor(extract(epoch FROM clock_timestamp()))::bigint - 1767225600 AS second',
  )
  const [newest = 0] = await nextIds(0, 1)
  assert(Math.abs(secondOf(newest) - (rows[0]?.second ?? 0)) <= 1)
})

test('a full second borrows from the next one', async () => {
  const [id = 0] = await nextIds(0, 1)
  const second = secondOf(id) + 50
  await setTicks((BigInt(second) << 17n) + 131_070n)
  const [last = 0, borrowed = 0] = await nextIds(0, 2)
  assert.equal(secondOf(last), second)
  assert.equal(secondOf(borrowed), second + 1)
  assert(borrowed > last)
})

test('a clock that is behind never makes a lower second than the last one', async () => {
  const [id = 0] = await nextIds(0, 1)
  // The sequence is an hour ahead of the clock, as it is after the clock was set back by an hour.
  await setTicks(BigInt(secondOf(id) + 3_600) << 17n)
  const ids = await nextIds(3, 100)
  for (const next of ids) assert.equal(secondOf(next), secondOf(id) + 3_600)
})

test('the application cannot move the sequence itself', async () => {
  await assert.rejects(database.query(`SELECT setval('id_ticks', 1)`), /permission denied/)
  await assert.rejects(database.query(`SELECT nextval('id_ticks')`), /permission denied/)
})

async function setTicks(value: bigint): Promise<void> {
  await asOwner((client) => client.query(`SELECT setval('id_ticks', $1)`, [value]), ownerUrl)
}
