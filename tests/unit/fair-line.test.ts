import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Denial } from '../../server/src/process/errors.ts'
import { createFairLine } from '../../server/src/web/fair-line.ts'
import { createPasswords } from '../../server/src/web/passwords.ts'

// Work that ends when the test says so.
function startLine(waitingMax: number) {
  const line = createFairLine(waitingMax)
  const started: string[] = []
  const ends: (() => void)[] = []
  const enter = (key: string, name = key) =>
    line(key, async () => {
      started.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
      return name
    })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  // Ends the work that runs, until the line is empty.
  const finish = async () => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end()
      await settle()
    }
  }
  return { enter, finish, started, settle }
}

test('one piece of work at a time, and keys take turns', async () => {
  const { enter, finish, started, settle } = startLine(10)
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map((name) => enter(name.charAt(0), name))
  await settle()
  assert.deepEqual(started, ['a1'])
  await finish()
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'])
})

test('a full line turns away the newest of the longest queue, and its owner before others', async () => {
  const { enter, finish, started } = startLine(4)
  const flood = [0, 1, 2, 3, 4, 5].map((n) => enter('flood', `flood${n}`))
  const refusals = Promise.allSettled(flood)
  const late = enter('late')
  await finish()
  assert.equal(await late, 'late')
  assert.deepEqual(started, ['flood0', 'flood1', 'late', 'flood2', 'flood3'])
  const reasons = (await refusals).map((one) => one.status === 'rejected' && one.reason)
  assert.deepEqual(
    reasons.map((reason) => reason instanceof Denial && [reason.error, reason.retryAfterSeconds]),
    [false, false, false, false, ['throttled', 1], ['throttled', 1]],
  )
})

test('a line full of queues of one turns away the newcomer, and goes on', async () => {
  const { enter, finish, started } = startLine(2)
  const first = [enter('a'), enter('b'), enter('c')]
  await assert.rejects(enter('d'), Denial)
  await finish()
  await Promise.all(first)
  assert.deepEqual(started, ['a', 'b', 'c'])
  const again = enter('d')
  await finish()
  assert.equal(await again, 'd')
})

test('a known person does not wait for strangers', async () => {
  const passwords = createPasswords(randomBytes)
  const known = { isKnown: true, key: '1' }
  const stored = await passwords.hash(known, 'tidal lamp on wheels')
  let counted = 0
  const count = async () => void (counted += 1)
  const guesses = Array.from({ length: 12 }, (_, n) =>
    passwords.matches({ isKnown: false, key: `203.0.113.${n}` }, 'x', undefined, count),
  )
  assert.equal(await passwords.matches(known, 'tidal lamp on wheels', stored, count), true)
  assert.ok(counted < 12, `${counted} were counted before the known person was done`)
  assert.deepEqual(new Set(await Promise.all(guesses)), new Set([false]))
  assert.equal(counted, 13)
})

test('work that fails makes room for the next', async () => {
  const line = createFairLine(1)
  const failed = line('a', async () => Promise.reject(new Error('no')))
  const next = line('b', async () => 'yes')
  await assert.rejects(failed, /no/)
  assert.equal(await next, 'yes')
  assert.equal(await line('a', async () => 'again'), 'again')
})
