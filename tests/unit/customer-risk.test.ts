import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RiskFacts, riskOf } from '../../server/src/domain/accounts/customer-risk.ts'

const unit = 1_000_000
const usual: RiskFacts = {
  fraudHits: 0,
  calls: 1_000,
  dialled: 1_000,
  rang: 960,
  spentDay: 400 * unit,
  spentWeekBefore: 2_800 * unit,
  ageDays: 90,
}

test('an ordinary customer has no points', () => {
  assert.deepEqual(riskOf(usual), { score: 0, level: 'low', signs: [] })
})

test('each sign alone has its points, and the first sign is the heaviest', () => {
  const pointsOf = (facts: Partial<RiskFacts>) => riskOf({ ...usual, ...facts }).score
  assert.deepEqual([pointsOf({ fraudHits: 9 }), pointsOf({ fraudHits: 10 }), pointsOf({ fraudHits: 100 })], [0, 15, 40])
  assert.deepEqual([pointsOf({ rang: 850 }), pointsOf({ rang: 849 }), pointsOf({ rang: 699 })], [0, 10, 30])
  assert.equal(pointsOf({ rang: 499 }), 45)
  assert.deepEqual([pointsOf({ spentDay: 1_199 * unit }), pointsOf({ spentDay: 1_200 * unit })], [0, 15])
  assert.equal(pointsOf({ ageDays: 2 }), 10)
  const risk = riskOf({ ...usual, fraudHits: 1_000, rang: 400, ageDays: 1 })
  assert.deepEqual(
    risk.signs.map(({ kind }) => kind),
    ['refused', 'rarely-rings', 'new'],
  )
  assert.deepEqual([risk.score, risk.level], [100, 'high'])
  assert.equal(riskOf({ ...usual, fraudHits: 150 }).level, 'look')
})

test('few calls and little money say nothing', () => {
  assert.equal(riskOf({ ...usual, dialled: 49, rang: 0, spentDay: 0, spentWeekBefore: 0 }).score, 0)
  assert.equal(riskOf({ ...usual, spentDay: 99 * unit, spentWeekBefore: 7 * unit }).score, 0)
})
