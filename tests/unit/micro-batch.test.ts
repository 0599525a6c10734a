import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchesMax, microBatch, timeoutMs } from '../../server/src/db/micro-batch.ts'

// A run that is let go by hand.
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

test('a lone one leaves in the turn it came in; those that come meanwhile leave together, in their order', async () => {
  const { batches, run, letGo } = held()
  const add = microBatch(run)
  const first = add(1)
  await new Promise(setImmediate)
  assert.deepEqual(batches, [[1]], 'it waited for nobody')
  const others = [add(2), add(3), add(4)]
  await new Promise(setImmediate)
  assert.equal(batches.length, 1, 'a batch is under way')
  letGo(0)
  assert.equal(await first, 10)
  await new Promise(setImmediate)
  assert.deepEqual(batches[1], [2, 3, 4])
  letGo(1)
  assert.deepEqual(await Promise.all(others), [20, 30, 40])
})

test('those of one turn go together, sixty-four at most', async () => {
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

test('the next batch is on its way before those of the last one go on', async () => {
  const { batches, run, letGo } = held()
  // A pool of connections sends it a tick later, too.
  const add = microBatch(async (items: readonly number[]) => {
    await new Promise<void>((resolve) => process.nextTick(resolve))
    return run(items)
  })
  const first = add(1).then(() => batches.length)
  await new Promise(setImmediate)
  const second = add(2)
  letGo(0)
  assert.equal(await first, 2, 'batches that had left by then')
  letGo(1)
  assert.equal(await second, 20)
})

test('a batch that fails, fails for its own and for nobody else', async () => {
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

test('where a batch gives back promises, each of its items comes to its own end', async () => {
  const { run, letGo } = held()
  const add = microBatch(async (items: readonly number[]) => {
    const results = await run(items)
    return results.map((result) => (result === 20 ? Promise.reject(new Error('torn')) : Promise.resolve(result)))
  })
  const first = Promise.allSettled([add(1), add(2), add(3)])
  await new Promise(setImmediate)
  // With another batch behind it, it is told a moment after it has failed.
  const second = add(4)
  letGo(0)
  assert.deepEqual(
    (await first).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  letGo(1)
  assert.equal(await second, 40)
})

test('a run that gives back less than it was given is a fault, not a silence', async () => {
  const add = microBatch(async () => [])
  await assert.rejects(add(1), /gave back less/)
})

test('a batch that takes long is not waited for: the next leaves beside it, four at most', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { batches, run, letGo } = held()
  const add = microBatch(run)
  const all: Promise<number>[] = []
  for (let n = 0; n < 6; n++) {
    all.push(add(n))
    await new Promise(setImmediate)
  }
  assert.deepEqual(batches, [[0]], 'one at a time while it is quick')
  t.mock.timers.tick(timeoutMs)
  assert.deepEqual(batches, [[0], [1, 2, 3, 4, 5]])
  for (let n = 6; n < 12; n++) {
    t.mock.timers.tick(timeoutMs)
    all.push(add(n))
    await new Promise(setImmediate)
  }
  assert.equal(batches.length, batchesMax)
  letGo(1)
  assert.deepEqual(await Promise.all(all.slice(1, 6)), [10, 20, 30, 40, 50], 'the silent one holds up nobody')
  await new Promise(setImmediate)
  assert.equal(batches.length, batchesMax + 1)
  for (const index of batches.keys()) letGo(index)
  assert.deepEqual(
    await Promise.all(all),
    Array.from({ length: 12 }, (_, n) => n * 10),
  )
})
