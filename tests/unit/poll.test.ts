import assert from 'node:assert/strict'
import { test } from 'node:test'
import { poll, pollUntilResolved } from '../support/poll.ts'

test('poll returns the first value that is wanted', async () => {
  let reads = 0
  const read = async () => ++reads
  assert.equal(await poll('the third read', read, (count) => count === 3, { intervalMs: 1 }), 3)
  assert.equal(reads, 3)
})

test('poll that never sees the wanted value names it and the last value', async () => {
  const waiting = poll(
    'a second phone',
    () => ['79000000001'],
    ({ length }) => length === 2,
    { timeoutMs: 5, intervalMs: 1 },
  )
  await assert.rejects(waiting, /^Error: timed out after 5 ms waiting for a second phone; .* \[ '79000000001' \]$/)
})

test('pollUntilResolved tries again what rejects, and a timeout shows the last error', async () => {
  let attempts = 0
  const act = async () => {
    attempts += 1
    if (attempts < 3) throw new Error('connection refused')
    return 'connected'
  }
  assert.equal(await pollUntilResolved('the server', act, { intervalMs: 1 }), 'connected')
  const failing = () => Promise.reject(new Error('connection refused'))
  await assert.rejects(
    pollUntilResolved('the server', failing, { timeoutMs: 5, intervalMs: 1 }),
    /waiting for the server.*connection refused/s,
  )
})
