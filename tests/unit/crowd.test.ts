import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCrowd } from '../../server/src/actions/crowd.ts'
import type { Database } from '../../server/src/db/database.ts'
import { type AccountId, type Slot, slotOfAccount } from '../../server/src/domain/slot.ts'
import { Refusal } from '../../server/src/errors.ts'

// Accounts of even slots live in one database, those of odd slots in the other.
const databases = [{}, {}] as Database[]
const databaseOf = (slot: Slot) => databases[slot % 2] as Database
const accountsOf = (parity: 0 | 1) =>
  Array.from({ length: 500 }, (_, n) => n as AccountId).filter((id) => slotOfAccount(id) % 2 === parity)
const [even = 0 as AccountId, ...evenOthers] = accountsOf(0)
const odd = accountsOf(1)

async function isRefused(work: Promise<unknown>): Promise<boolean> {
  const [ended] = await Promise.allSettled([work])
  if (ended?.status === 'fulfilled') return false
  assert(ended?.reason instanceof Refusal)
  assert.deepEqual([ended.reason.refusal, ended.reason.retryAfterSeconds], ['unavailable', 1])
  return true
}

test('256 are under way in a database, the rest is refused at once, and one that leaves makes room', async () => {
  const { enter, isFull } = openCrowd({ databases: databases.slice(0, 1), databaseOf: () => databases[0] as Database })
  const leave = Promise.withResolvers<string>()
  const started = Array.from({ length: 256 }, (_, n) => enter((n % 4) as AccountId, () => leave.promise))
  assert(isFull())
  assert(await isRefused(enter(7 as AccountId, () => leave.promise)))
  leave.resolve('done')
  assert.deepEqual(new Set(await Promise.all(started)), new Set(['done']))
  assert(!isFull())
  // One that failed has left, too.
  await assert.rejects(
    enter(even, () => Promise.reject(new Error('no'))),
    /no/,
  )
  assert.equal(await enter(even, async () => 'again'), 'again')
})

test('one account gets half of the places, and its neighbours the rest', async () => {
  const { enter } = openCrowd({ databases, databaseOf })
  const leave = Promise.withResolvers<void>()
  const own = Array.from({ length: 128 }, () => enter(even, () => leave.promise))
  assert(await isRefused(enter(even, () => leave.promise)), 'the 129th of one account')
  const neighbours = Array.from({ length: 128 }, (_, n) =>
    enter(evenOthers[n % evenOthers.length] as AccountId, () => leave.promise),
  )
  assert(await isRefused(enter(evenOthers[0] as AccountId, () => leave.promise)), 'the database is full')
  leave.resolve()
  await Promise.all([...own, ...neighbours])
  await enter(even, async () => undefined)
})

test('a database that gives no response fills its own places only', async () => {
  const { enter, isFull } = openCrowd({ databases, databaseOf })
  const never = Promise.withResolvers<void>()
  const stuck = Array.from({ length: 256 }, (_, n) =>
    enter(evenOthers[n % evenOthers.length] as AccountId, () => never.promise),
  )
  assert(await isRefused(enter(even, async () => undefined)))
  assert(!isFull(), 'the other database has room')
  assert.equal(await enter(odd[0] as AccountId, async () => 'served'), 'served')
  never.resolve()
  await Promise.all(stuck)
})
