// A million codes generated as in production: system random bytes, a fraction, a code. Tested with Pearson's chi-square
// over all 9999 codes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFraction } from '../../server/src/domain/crypto/random-fraction.ts'
import { everyCode } from '../../server/src/domain/trunks/caller-pool.ts'
import { pickCode } from '../../server/src/domain/trunks/routing.ts'
import { createRandomBytes } from '../../server/src/process/random-bytes.ts'

const draws = 1_000_000
// One-sided, p = 0.001.
const zMax = 3.09

test('a million generated codes are uniform, p > 0.001, and none is 0000', () => {
  const randomBytes = createRandomBytes()
  const draw = () => pickCode(everyCode, randomFraction(randomBytes))
  // A fair generator fails one time in a thousand; then a second sample is drawn. A skewed generator fails both times.
  assert(deviation(draw) < zMax || deviation(draw) < zMax)
})

test('the same test finds modulo bias of two bytes, a slight skew and missing codes', () => {
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

// How many standard deviations chi-square is above its mean. With this many degrees of freedom it is close to normal,
// and closer still with the Wilson-Hilferty transform.
function deviation(draw: () => string | undefined): number {
  const counts = new Uint32Array(10_000)
  for (let n = 0; n < draws; n++) {
    const at = Number(draw())
    counts[at] = (counts[at] ?? 0) + 1
  }
  assert.equal(counts[0], 0, '0000 was generated')
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    draws,
    'a value outside 0001 to 9999 was generated',
  )
  const expected = draws / everyCode.length
  const chiSquare = counts.subarray(1).reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
  const freedom = everyCode.length - 1
  const variance = 2 / (9 * freedom)
  return (Math.cbrt(chiSquare / freedom) - (1 - variance)) / Math.sqrt(variance)
}
