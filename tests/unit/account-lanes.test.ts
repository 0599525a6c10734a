import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseError } from 'pg'
import { AccountBusy, createAccountLanes, sharedLockMs } from '../../server/src/db/core/account-lanes.ts'
import { lockMs } from '../../server/src/db/core/database.ts'
import type { AccountId } from '../../server/src/domain/core/slot.ts'
import { endOfTurn } from '../../server/src/process/clock.ts'
import { poll } from '../support/poll.ts'

type Item = { readonly account: number; readonly n: number }
type Batch = { readonly items: readonly Item[]; readonly lockMs: number }

// A fake database with locked accounts: a statement that needs one of them times out at once.
function fakeDatabase() {
  const locked = new Set<number>()
  const batches: Batch[] = []
  const lanes = createAccountLanes()
  const add = lanes.batch<Item, number>(
    (items) => items.map(({ account }) => account as AccountId),
    async (items, waitMs) => {
      batches.push({ items, lockMs: waitMs })
      if (items.some(({ account }) => locked.has(account))) throw lockTimeout()
      return items.map(({ n }) => n * 10)
    },
  )
  return { locked, batches, add }
}

function lockTimeout(): DatabaseError {
  const error = new DatabaseError('canceling statement due to lock timeout', 0, 'error')
  error.code = '55P03'
  return error
}

const accountsIn = ({ items }: Batch) => [...new Set(items.map(({ account }) => account))]

test('accounts share one batch while none of them is locked', async () => {
  const { batches, add } = fakeDatabase()
  assert.deepEqual(await Promise.all([1, 2, 3].map((account) => add({ account, n: account }))), [10, 20, 30])
  assert.deepEqual(batches.map(accountsIn), [[1, 2, 3]])
  assert.equal(batches[0]?.lockMs, sharedLockMs)
})

test('a locked account leaves the shared batch: it alone is refused, and retries alone with a longer wait', async () => {
  const { batches, add, locked } = fakeDatabase()
  locked.add(2)
  const [first, second, third] = await Promise.allSettled([1, 2, 3].map((account) => add({ account, n: account })))
  assert.deepEqual(
    [first, third].map((one) => one?.status === 'fulfilled' && one.value),
    [10, 30],
  )
  assert(second?.status === 'rejected' && second.reason instanceof DatabaseError)
  assert.deepEqual(
    batches.map((batch) => [accountsIn(batch), batch.lockMs]),
    [
      [[1, 2, 3], sharedLockMs],
      [[1], sharedLockMs],
      [[2], sharedLockMs],
      [[3], sharedLockMs],
      [[2], lockMs],
    ],
  )
})

test('neighbours share no batch with a locked account until one of its statements succeeds', async () => {
  const { batches, add, locked } = fakeDatabase()
  locked.add(2)
  await Promise.allSettled([add({ account: 1, n: 1 }), add({ account: 2, n: 2 })])
  batches.length = 0
  const [neighbour, own] = await Promise.allSettled([add({ account: 1, n: 1 }), add({ account: 2, n: 2 })])
  assert.deepEqual([neighbour?.status, own?.status], ['fulfilled', 'rejected'])
  assert.deepEqual(new Set(batches.flatMap((batch) => accountsIn(batch).join())), new Set(['1', '2']))
  locked.clear()
  await Promise.all([add({ account: 1, n: 1 }), add({ account: 2, n: 2 })])
  batches.length = 0
  await Promise.all([add({ account: 1, n: 1 }), add({ account: 2, n: 2 })])
  assert.deepEqual(batches.map(accountsIn), [[1, 2]])
})

test('a refusal in the lane, while the shared batch is slow, is never an unhandled rejection', async () => {
  const lanes = createAccountLanes()
  const slow = Promise.withResolvers<void>()
  let isSlow = false
  const add = lanes.batch<Item, number>(
    (items) => items.map(({ account }) => account as AccountId),
    async (items) => {
      if (items.some(({ account }) => account === 2)) throw lockTimeout()
      if (isSlow) await slow.promise
      return items.map(({ n }) => n)
    },
  )
  await Promise.allSettled([add({ account: 1, n: 1 }), add({ account: 2, n: 2 })])
  isSlow = true
  // The process would end.
  const unhandled: unknown[] = []
  const listen = (error: unknown) => void unhandled.push(error)
  process.on('unhandledRejection', listen)
  const both = Promise.allSettled([add({ account: 1, n: 1 }), add({ account: 2, n: 2 })])
  // Several turns of the event loop: rejections are reported at the end of one.
  for (let turn = 0; turn < 10; turn += 1) await endOfTurn()
  slow.resolve()
  const [neighbour, own] = await both
  process.off('unhandledRejection', listen)
  assert.deepEqual([neighbour?.status, own?.status], ['fulfilled', 'rejected'])
  assert.deepEqual(unhandled, [])
})

test('a failure in the shared batch does not fail the locked account, and the reverse', async () => {
  const lanes = createAccountLanes()
  let broken: number | undefined
  const add = lanes.batch<Item, number>(
    (items) => items.map(({ account }) => account as AccountId),
    async (items) => {
      if (items.some(({ account }) => account === 2) && broken === undefined) throw lockTimeout()
      if (items.some(({ account }) => account === broken)) throw new Error('torn')
      return items.map(({ n }) => n)
    },
  )
  await Promise.allSettled([add({ account: 1, n: 1 }), add({ account: 2, n: 2 })])
  broken = 1
  const ended = await Promise.allSettled([add({ account: 1, n: 1 }), add({ account: 2, n: 2 })])
  assert.deepEqual(
    ended.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
})

test('a locked account has at most one batch of requests waiting; the rest is refused as busy', async () => {
  const lanes = createAccountLanes()
  const gate = Promise.withResolvers<void>()
  let isFirst = true
  const add = lanes.batch<Item, number>(
    (items) => items.map(({ account }) => account as AccountId),
    async (items, waitMs) => {
      if (isFirst || waitMs === sharedLockMs) {
        isFirst = false
        throw lockTimeout()
      }
      await gate.promise
      return items.map(({ n }) => n)
    },
  )
  const refused: unknown[] = []
  const all = Array.from({ length: 300 }, (_, n) =>
    add({ account: 1, n }).catch((error: unknown) => {
      refused.push(error)
      return undefined
    }),
  )
  // One batch waits; all other requests are refused meanwhile.
  await poll('all but 64 to be refused', () => refused.length >= 300 - 64)
  assert.equal(refused.length, 300 - 64)
  for (const error of refused) assert(error instanceof AccountBusy)
  gate.resolve()
  const through = (await Promise.all(all)).filter((result) => result !== undefined)
  assert.equal(through.length, 64)
})

test('a batch blocked by another of our batches is retried whole, not split', async () => {
  const lanes = createAccountLanes()
  const batches: (readonly Item[])[] = []
  const stall = Promise.withResolvers<void>()
  let isStalled = true
  const add = lanes.batch<Item, number>(
    (items) => items.map(({ account }) => account as AccountId),
    async (items) => {
      batches.push(items)
      // The first batch holds its rows while the disk stalls; the next statement on these rows times out, and then the disk works.
      if (batches.length === 1) await stall.promise
      else if (isStalled) {
        isStalled = false
        setImmediate(stall.resolve)
        throw lockTimeout()
      }
      return items.map(({ n }) => n)
    },
  )
  const first = [1, 2, 3].map((account) => add({ account, n: account }))
  await new Promise(setImmediate)
  const second = [1, 2, 3].map((account) => add({ account, n: account * 10 }))
  assert.deepEqual(await Promise.all(first), [1, 2, 3])
  assert.deepEqual(await Promise.all(second), [10, 20, 30])
  assert.deepEqual(
    batches.map((items) => items.length),
    [3, 3, 3],
  )
})
