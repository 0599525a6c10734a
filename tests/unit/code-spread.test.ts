// Generated codes, a million of them by the way of the product: the system's random bytes, a fraction, a code. Evaluated by
// Pearson's chi-square over all 9999 codes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFraction } from '../../server/src/domain/crypto/random-fraction.ts'
import { everyCode } from '../../server/src/domain/trunks/caller-pool.ts'
import { pickCode } from '../../server/src/domain/trunks/routing.ts'
import { createRandomBytes } from '../../server/src/random-bytes.ts'

const draws = 1_000_000
// One-sided, p = 0.001.
const zMax = 3.09

test('a million generated codes are spread evenly, p > 0.001, and none is 0000', () => {
  const randomBytes = createRandomBytes()
  const draw = () => pickCode(everyCode, randomFraction(randomBytes))
  // A fair generator fails one time in a thousand. It is drawn a second time then: a skewed one fails both times.
  assert(deviation(draw) < zMax || deviation(draw) < zMax)
})

test('the same judgement finds a remainder of two bytes, a slight skew and codes that are left out', () => {
  const randomBytes = createRandomBytes()
  const most = everyCode.slice(100)
  const skewed = {
    'a remainder': () => everyCode[Buffer.from(randomBytes(2)).readUInt16BE() % everyCode.length],
    'a skew': () => pickCode(everyCode, randomFraction(randomBytes) ** 1.05),
    'codes left out': () => pickCode(most, randomFraction(randomBytes)),
  }
  for (const [name, draw] of Object.entries(skewed)) {
    const z = deviation(draw)
    assert(z > zMax, `${name}: ${z} standard deviations`)
  }
})

// How many standard deviations chi-square lies above its mean. With so many degrees of freedom it is a normal variable,
// and more so in the form of Wilson and Hilferty.
function deviation(draw: () => string | undefined): number {
  const counts = new Uint32Array(10_000)
  for (let n = 0; n < draws; n++) {
    const at = Number(draw())
    counts[at] = (counts[at] ?? 0) + 1
  }
  assert.equal(counts[0], 0, '0000 is no code')
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    draws,
    'whatever is no code is not counted',
  )
  const expected = draws / everyCode.length
  const chiSquare = counts.subarray(1).reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
  const freedom = everyCode.length - 1
  const variance = 2 / (9 * freedom)
  return (Math.cbrt(chiSquare / freedom) - (1 - variance)) / Math.sqrt(variance)
}
