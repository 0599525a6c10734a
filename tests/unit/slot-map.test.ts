import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSlotMap } from '../../server/src/db/core/slot-map.ts'
import { type Slot, slotsAll } from '../../server/src/domain/core/slot.ts'

// Nothing here connects: a pool connects on its first statement.
async function databaseCount(...urls: readonly string[]): Promise<number> {
  const slots = createSlotMap(new Map(slotsAll.map((slot) => [slot, urls[slot % urls.length] ?? ''])))
  try {
    for (const slot of slotsAll) assert(slots.databases.includes(slots.databaseOf(slot)))
    assert.equal(slots.globalDatabase, slots.databaseOf(0 as Slot))
    return slots.databases.length
  } finally {
    await slots.close()
  }
}

test('one database counts once, in every spelling of its URL', async () => {
  assert.equal(
    await databaseCount(
      'postgres://app:x@db.example.org/one',
      'postgresql://app:x@db.example.org:5432/one',
      'postgres://app:y@DB.Example.org/one?application_name=other',
      'postgres://db.example.org:1/one?port=5432',
    ),
    1,
  )
})

test('a different host, port or name is a different database', async () => {
  const urls = [
    'postgres://app@db.example.org/one',
    'postgres://app@db.example.org/two',
    'postgres://app@db.example.org:5433/one',
    'postgres://app@other.example.org/one',
    'postgres:///one?user=app&host=/run/first',
    'postgres:///one?user=app&host=/run/second',
  ]
  assert.equal(await databaseCount(...urls), urls.length)
})
