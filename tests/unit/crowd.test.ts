import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCrowd } from '../../server/src/actions/crowd.ts'
import { Refusal } from '../../server/src/errors.ts'

test('a crowd is let in up to a bound, the rest is refused at once, and whoever leaves makes room', async () => {
  const { enter, isFull } = openCrowd()
  const leave = Promise.withResolvers<string>()
  const started = Array.from({ length: 1_000 }, () => enter(() => leave.promise))
  assert(isFull())
  const refused = await Promise.allSettled(started.slice(256))
  for (const one of refused) {
    assert(one.status === 'rejected' && one.reason instanceof Refusal)
    assert.deepEqual([one.reason.refusal, one.reason.retryAfterSeconds], ['cannotStart', 1])
  }
  leave.resolve('done')
  assert.deepEqual(new Set(await Promise.all(started.slice(0, 256))), new Set(['done']))

  assert(!isFull())
  // One that failed has left, too.
  await assert.rejects(
    enter(() => Promise.reject(new Error('no'))),
    /no/,
  )
  assert.equal(await enter(async () => 'again'), 'again')
})
