import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasFallen, shareInterval } from '../../server/src/domain/values/share.ts'
import { ringDelayPercentile, ringDelaySteps } from '../../server/src/domain/verifications/call-counts.ts'

test('the interval of a share is that of Wilson', () => {
  // Values of the formula, computed apart.
  const { low, high } = shareInterval(81, 263)
  assert.deepEqual([low.toFixed(4), high.toFixed(4)], ['0.2553', '0.3662'])
  assert.deepEqual(shareInterval(0, 0), { low: 0, high: 1 })
  assert.equal(shareInterval(50, 50).high, 1)
  assert.equal(shareInterval(0, 50).low, 0)
})

test('a share has fallen only if its whole interval is five points below what is usual, of fifty calls or more', () => {
  assert.equal(hasFallen(700, 1_000, 0.93), true)
  assert.equal(hasFallen(900, 1_000, 0.93), false)
  assert.equal(hasFallen(30, 49, 0.93), false)
  assert.equal(hasFallen(30, 50, 0.93), true)
  assert.equal(hasFallen(700, 1_000, undefined), false)
})

test('a percentile lies within the step that has it, as far as its share of the calls there', () => {
  const delays = Array.from({ length: ringDelaySteps.length + 1 }, () => 0)
  assert.equal(ringDelayPercentile(delays, 0.5), undefined)
  delays[2] = 50
  delays[5] = 45
  delays[12] = 5
  assert.equal(ringDelayPercentile(delays, 0.25), 1_250)
  assert.equal(ringDelayPercentile(delays, 0.5), 1_500)
  assert.equal(ringDelayPercentile(delays, 0.725), 2_750)
  assert.equal(ringDelayPercentile(delays, 0.95), 3_000)
  // Nothing is known of the last step but where it starts.
  assert.equal(ringDelayPercentile(delays, 0.99), 12_000)
})
