import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchesMax, gatherPerSecond, itemsMax, microBatch, timeoutMs } from '../../server/src/db/core/micro-batch.ts'

// A run that the test completes by hand.
function held() {
  const batches: number[][] = []
  const gates: PromiseWithResolvers<void>[] = []
  const run = async (items: readonly number[]) => {
    batches.push([...items])
    const gate = Promise.withResolvers<void>()
    gates.push(gate)
    await gate.promise
    return items.map((item) => item * 10)
  }
  return {
    batches,
    run,
    letGo: (index: number) => gates[index]?.resolve(),
    fail: (index: number) => gates[index]?.reject(new Error('torn')),
  }
}

test('a single item leaves at once; items that arrive meanwhile leave as one batch, in order', async () => {
  const { batches, run, letGo } = held()
  const add = microBatch(run)
  const first = add(1)
  await new Promise(setImmediate)
  assert.deepEqual(batches, [[1]], 'the first item left at once')
  const others = [add(2), add(3), add(4)]
  await new Promise(setImmediate)
  assert.equal(batches.length, 1, 'the first batch is still in flight')
  letGo(0)
  assert.equal(await first, 10)
  await new Promise(setImmediate)
  assert.deepEqual(batches[1], [2, 3, 4])
  letGo(1)
  assert.deepEqual(await Promise.all(others), [20, 30, 40])
})

test('items of one turn form batches of at most 64', async () => {
  const { batches, run, letGo } = held()
  const add = microBatch(run)
  const all = Array.from({ length: 100 }, (_, item) => add(item))
  await new Promise(setImmediate)
  assert.equal(batches[0]?.length, 64)
  letGo(0)
  await new Promise(setImmediate)
  assert.equal(batches[1]?.length, 36)
  letGo(1)
  assert.deepEqual(
    await Promise.all(all),
    Array.from({ length: 100 }, (_, item) => item * 10),
  )
})

test('the next batch is sent before the results of the last one are delivered', async () => {
  const { batches, run, letGo } = held()
  // A connection pool also sends it one tick later.
  const add = microBatch(async (items: readonly number[]) => {
    await new Promise<void>((resolve) => process.nextTick(resolve))
    return run(items)
  })
  const first = add(1).then(() => batches.length)
  await new Promise(setImmediate)
  const second = add(2)
  letGo(0)
  assert.equal(await first, 2, 'batches sent before the first result')
  letGo(1)
  assert.equal(await second, 20)
})

test('a failed batch fails only its own items', async () => {
  const { run, letGo, fail } = held()
  const add = microBatch(run)
  const first = add(1)
  await new Promise(setImmediate)
  const second = add(2)
  fail(0)
  await assert.rejects(first, /torn/)
  await new Promise(setImmediate)
  letGo(1)
  assert.equal(await second, 20)
})

test('when a batch returns promises, each item settles on its own', async () => {
  const { run, letGo } = held()
  const add = microBatch(async (items: readonly number[]) => {
    const results = await run(items)
    return results.map((result) => (result === 20 ? Promise.reject(new Error('torn')) : Promise.resolve(result)))
  })
  const first = Promise.allSettled([add(1), add(2), add(3)])
  await new Promise(setImmediate)
  // The failure is observed a moment later, with another batch queued behind it.
  const second = add(4)
  letGo(0)
  assert.deepEqual(
    (await first).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  letGo(1)
  assert.equal(await second, 40)
})

test('a run that returns fewer results than items rejects', async () => {
  const add = microBatch(async () => [])
  await assert.rejects(add(1), /fewer results than items/)
})

test('a slow batch does not block the next ones: at most four run in parallel', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { batches, run, letGo } = held()
  const add = microBatch(run)
  const all: Promise<number>[] = []
  for (let n = 0; n < 6; n++) {
    all.push(add(n))
    await new Promise(setImmediate)
  }
  assert.deepEqual(batches, [[0]], 'one at a time while batches are fast')
  t.mock.timers.tick(timeoutMs)
  assert.deepEqual(batches, [[0], [1, 2, 3, 4, 5]])
  for (let n = 6; n < 12; n++) {
    t.mock.timers.tick(timeoutMs)
    all.push(add(n))
    await new Promise(setImmediate)
  }
  assert.equal(batches.length, batchesMax)
  letGo(1)
  assert.deepEqual(await Promise.all(all.slice(1, 6)), [10, 20, 30, 40, 50], 'the blocked batch delays no other')
  await new Promise(setImmediate)
  assert.equal(batches.length, batchesMax + 1)
  for (const index of batches.keys()) letGo(index)
  assert.deepEqual(
    await Promise.all(all),
    Array.from({ length: 12 }, (_, n) => n * 10),
  )
})

test('a batch gathers once items come fast, and leaves when it is full', async (t) => {
  let nowMs = 0
  t.mock.method(performance, 'now', () => nowMs)
  const { batches, run, letGo } = held()
  const add = microBatch(run, 60_000)
  const all: Promise<number>[] = []
  // Each waits for the one before, so none can share a batch.
  for (let item = 0; item < gatherPerSecond; item++) {
    all.push(add(item))
    await new Promise(setImmediate)
    letGo(item)
    await all[item]
  }
  assert.equal(batches.length, gatherPerSecond, 'so few a second leave at once')
  for (let item = gatherPerSecond; item < gatherPerSecond + itemsMax - 1; item++) {
    all.push(add(item))
    await new Promise(setImmediate)
  }
  assert.equal(batches.length, gatherPerSecond, 'more of them are gathered')
  all.push(add(gatherPerSecond + itemsMax - 1))
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  assert.equal(batches[gatherPerSecond]?.length, itemsMax)
  letGo(gatherPerSecond)
  await Promise.all(all)
  nowMs += 1_000
  const late = add(1)
  await new Promise(setImmediate)
  assert.equal(batches.length, gatherPerSecond + 2, 'a second without items later one leaves at once again')
  letGo(gatherPerSecond + 1)
  await late
})

test('a gathering batch leaves that long after its first item', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let nowMs = 0
  t.mock.method(performance, 'now', () => nowMs)
  const { batches, run, letGo } = held()
  const add = microBatch(run, 100)
  const first = Promise.all(Array.from({ length: gatherPerSecond }, (_, item) => add(item)))
  await new Promise(setImmediate)
  letGo(0)
  await first
  const gathered = [add(1)]
  nowMs = 60
  t.mock.timers.tick(60)
  gathered.push(add(2))
  t.mock.timers.tick(39)
  await new Promise(setImmediate)
  assert.equal(batches.length, 1)
  t.mock.timers.tick(1)
  await new Promise(setImmediate)
  assert.deepEqual(batches[1], [1, 2])
  letGo(1)
  await Promise.all(gathered)
})
