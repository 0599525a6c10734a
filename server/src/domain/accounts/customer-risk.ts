// What makes an operator look at a customer: a few signs, each with points. Above 40 somebody should look, above 70 something is wrong.
// Nothing is blocked by it.

import type { riskLevels, riskSigns } from '@ringproof/contract/lists/accounts.ts'

export type RiskFacts = {
  // Of the last 24 hours.
  readonly fraudHits: number
  readonly calls: number
  readonly dialled: number
  readonly rang: number
  // Micro-units: of the last 24 hours, and of the seven days before.
  readonly spentDay: number
  readonly spentWeekBefore: number
  readonly ageDays: number
}

type RiskKind = (typeof riskSigns)[number]
type RiskSign = { readonly kind: RiskKind; readonly value: number; readonly points: number }
type Risk = {
  readonly score: number
  readonly level: (typeof riskLevels)[number]
  readonly signs: readonly RiskSign[]
}

const lookFrom = 40
const highFrom = 70
// Fewer calls say nothing.
const dialledMin = 50
const spentMin = 100_000_000

export function riskOf(facts: RiskFacts): Risk {
  const signs = [refused(facts), rarelyRings(facts), spendsMore(facts), isNew(facts)]
    .filter(({ points }) => points > 0)
    .toSorted((one, other) => other.points - one.points)
  const score = Math.min(
    100,
    signs.reduce((sum, { points }) => sum + points, 0),
  )
  return { score, level: score >= highFrom ? 'high' : score >= lookFrom ? 'look' : 'low', signs }
}

// Calls that a rule against fraud refused.
function refused({ fraudHits }: RiskFacts): RiskSign {
  const points = fraudHits >= 1_000 ? 60 : fraudHits >= 100 ? 40 : fraudHits >= 10 ? 15 : 0
  return { kind: 'refused', value: fraudHits, points }
}

// Numbers that do not ring are often numbers that nobody has.
function rarelyRings({ dialled, rang }: RiskFacts): RiskSign {
  const share = dialled === 0 ? 1 : rang / dialled
  const points = dialled < dialledMin ? 0 : share < 0.5 ? 45 : share < 0.7 ? 30 : share < 0.85 ? 10 : 0
  return { kind: 'rarely-rings', value: share, points }
}

// Today against an average day of the week before.
function spendsMore({ spentDay, spentWeekBefore }: RiskFacts): RiskSign {
  const usual = spentWeekBefore / 7
  const times = usual === 0 ? 0 : spentDay / usual
  const points = spentDay < spentMin || times < 3 ? 0 : times >= 10 ? 30 : 15
  return { kind: 'spends-more', value: times, points }
}

function isNew({ ageDays, calls }: RiskFacts): RiskSign {
  return { kind: 'new', value: ageDays, points: ageDays < 7 && calls > 0 ? 10 : 0 }
}
