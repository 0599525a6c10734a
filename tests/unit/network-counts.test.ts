import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cellsOf, changePointsOf, type NetworkCount } from '../../server/src/domain/trunks/network-counts.ts'
import { hourMs } from '../../server/src/domain/values/time.ts'

function hour(n: number, dialled: number, rang: number, more: Partial<NetworkCount> = {}): NetworkCount {
  return {
    hourMs: n * hourMs,
    provider: 'Polar',
    trunk: 'beta',
    mode: 'flash',
    calls: dialled,
    dialled,
    rang,
    succeeded: rang,
    ...more,
  }
}

test('a cell sums its hours, and has fallen only when its whole interval is below what is usual', () => {
  const now = [hour(1, 100, 72), hour(2, 100, 70), hour(2, 30, 20, { trunk: 'alfa' }), hour(2, 0, 0, { mode: 'voice' })]
  const earlier = [hour(1, 400, 372), hour(2, 400, 372), hour(2, 400, 372, { trunk: 'alfa' })]
  const [beta, alfa, ...others] = cellsOf(now, earlier)
  assert.deepEqual(others, [])
  assert.equal(beta?.dialled, 200)
  assert.equal(beta?.rang, 142)
  assert.equal(beta?.usual, 0.93)
  assert.equal(beta?.hasFallen, true)
  // Too few calls to say so.
  assert.equal(alfa?.hasFallen, false)
  assert.equal(cellsOf([hour(1, 100, 90)], earlier)[0]?.hasFallen, false)
  assert.equal(cellsOf([hour(1, 100, 10)], [])[0]?.usual, undefined)
  assert.equal(cellsOf([hour(1, 100, 10)], [])[0]?.hasFallen, false)
})

test('a change is found in its hour, once for each series, and not in noise', () => {
  const steady = Array.from({ length: 48 }, (_, n) => hour(n, 100, 93 + (n % 3) - 1))
  assert.deepEqual(changePointsOf(steady), [])
  const fallen = steady.map((count, n) => (n < 40 ? count : { ...count, rang: 71 }))
  const [change, ...others] = changePointsOf(fallen)
  assert.deepEqual(others, [])
  assert.equal(change?.hourMs, 40 * hourMs)
  assert.equal(Math.round((change?.before ?? 0) * 100), 93)
  assert.equal(Math.round((change?.after ?? 0) * 100), 71)
  // A better one is a change, too.
  const risen = fallen.map((count) => ({ ...count, trunk: 'alfa', rang: 164 - count.rang }))
  assert.equal(changePointsOf([...fallen, ...risen]).length, 2)
  // Few calls an hour: what was lost for an hour is no change yet.
  assert.deepEqual(changePointsOf(steady.map((count, n) => ({ ...count, dialled: 2, rang: n === 47 ? 0 : 2 }))), [])
})
