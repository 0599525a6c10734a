import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../server/src/db/core/database.ts'
import { type AccountId, type Slot, slotOfAccount } from '../../server/src/domain/core/slot.ts'
import { createConcurrencyLimit } from '../../server/src/http/concurrency-limit.ts'
import { Refusal } from '../../server/src/process/errors.ts'

// Accounts in even slots are in one database, those in odd slots in the other.
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
  assert.deepEqual([ended.reason.refusal, ended.reason.retryAfterSeconds], ['serverBusy', 1])
  return true
}

test('256 requests per database are in flight, more are refused at once, and one that ends makes room', async () => {
  const { run, isFull } = createConcurrencyLimit({
    databases: databases.slice(0, 1),
    databaseOf: () => databases[0] as Database,
  })
  const leave = Promise.withResolvers<string>()
  const started = Array.from({ length: 256 }, (_, n) => run((n % 4) as AccountId, () => leave.promise))
  assert(isFull())
  assert(await isRefused(run(7 as AccountId, () => leave.promise)))
  leave.resolve('done')
  assert.deepEqual(new Set(await Promise.all(started)), new Set(['done']))
  assert(!isFull())
  // A failed request frees its place too.
  await assert.rejects(
    run(even, () => Promise.reject(new Error('no'))),
    /no/,
  )
  assert.equal(await run(even, async () => 'again'), 'again')
})

test('one account gets at most half of the places', async () => {
  const { run } = createConcurrencyLimit({ databases, databaseOf })
  const leave = Promise.withResolvers<void>()
  const own = Array.from({ length: 128 }, () => run(even, () => leave.promise))
  assert(await isRefused(run(even, () => leave.promise)), 'the 129th request of one account is refused')
  const neighbours = Array.from({ length: 128 }, (_, n) =>
    run(evenOthers[n % evenOthers.length] as AccountId, () => leave.promise),
  )
  assert(
    await isRefused(run(evenOthers[0] as AccountId, () => leave.promise)),
    'a request to a full database is refused',
  )
  leave.resolve()
  await Promise.all([...own, ...neighbours])
  await run(even, async () => undefined)
})

test('a database that does not respond fills only its own limit', async () => {
  const { run, isFull } = createConcurrencyLimit({ databases, databaseOf })
  const never = Promise.withResolvers<void>()
  const stuck = Array.from({ length: 256 }, (_, n) =>
    run(evenOthers[n % evenOthers.length] as AccountId, () => never.promise),
  )
  assert(await isRefused(run(even, async () => undefined)))
  assert(!isFull(), 'the other database is full too')
  assert.equal(await run(odd[0] as AccountId, async () => 'served'), 'served')
  never.resolve()
  await Promise.all(stuck)
})
