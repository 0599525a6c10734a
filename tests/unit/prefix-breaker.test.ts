import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { NumberPrefix } from '../../server/src/domain/numbers/number-prefix.ts'
import type { StoredLimits } from '../../server/src/domain/protection/fraud-limits.ts'
import {
  type Breaker,
  breakerCallsMin,
  type CallCounts,
  newBreaker,
  probesMax,
  stepBreaker,
  type Usual,
  usualOfCountry,
  usualOfPrefix,
} from '../../server/src/domain/protection/prefix-breaker.ts'
import { createPrefixGate } from '../../server/src/domain/protection/prefix-gate.ts'
import { minuteMs } from '../../server/src/domain/values/time.ts'

const usual: Usual = { answered: 0.7, repeated: 0.1 }
const none: CallCounts = { calls: 0, answered: 0, repeats: 0 }
const step = (breaker: Breaker, window: CallCounts, nowMs = 0, scale = 1) =>
  stepBreaker(breaker, window, { usual, callsMin: breakerCallsMin, nowMs, scale })

const window: fc.Arbitrary<CallCounts> = fc
  .nat({ max: 500 })
  .chain((calls) =>
    fc.record({ calls: fc.constant(calls), answered: fc.nat({ max: calls }), repeats: fc.nat({ max: calls }) }),
  )
const anyUsual = fc.record({
  answered: fc.double({ min: 0.05, max: 1, noNaN: true }),
  repeated: fc.double({ min: 0, max: 0.5, noNaN: true }),
})

test('a prefix whose answer rate collapses opens; a prefix at its usual rate never does', () => {
  assert.equal(step(newBreaker, { calls: 20, answered: 0, repeats: 2 }).phase, 'open')
  assert.equal(step(newBreaker, { calls: 20, answered: 14, repeats: 2 }).phase, 'closed')
  assert.equal(step(newBreaker, { calls: 200, answered: 140, repeats: 150 }).phase, 'open', 'repeats')
  fc.assert(
    fc.property(window, anyUsual, (counts, ordinary) => {
      const answered = Math.max(counts.answered, Math.ceil(counts.calls * ordinary.answered))
      const repeats = Math.min(counts.repeats, Math.floor(counts.calls * ordinary.repeated))
      const input = { usual: ordinary, callsMin: breakerCallsMin, nowMs: 0, scale: 1 }
      assert.equal(stepBreaker(newBreaker, { ...counts, answered, repeats }, input).phase, 'closed')
    }),
  )
})

test('too few calls or no baseline never open a breaker', () => {
  fc.assert(
    fc.property(window, (counts) => {
      const unknown = { usual: undefined, callsMin: breakerCallsMin, nowMs: 0, scale: 1 }
      assert.equal(stepBreaker(newBreaker, counts, unknown).phase, 'closed')
      const few = { calls: Math.min(counts.calls, breakerCallsMin - 1), answered: 0, repeats: 0 }
      assert.equal(step(newBreaker, few).phase, 'closed')
    }),
  )
})

test('fewer answers or more repeats never close an open breaker', () => {
  fc.assert(
    fc.property(window, anyUsual, fc.nat(500), fc.nat(500), (counts, ordinary, less, more) => {
      const input = { usual: ordinary, callsMin: breakerCallsMin, nowMs: 0, scale: 1 }
      const worse = {
        ...counts,
        answered: Math.max(0, counts.answered - less),
        repeats: Math.min(counts.calls, counts.repeats + more),
      }
      if (stepBreaker(newBreaker, counts, input).phase === 'open') {
        assert.equal(stepBreaker(newBreaker, worse, input).phase, 'open')
      }
    }),
    { numRuns: 1_000 },
  )
})

test('a window that opened the breaker is not added to the baseline; other windows are', () => {
  fc.assert(
    fc.property(window, (counts) => {
      const after = step(newBreaker, counts)
      if (after.phase === 'open') assert.deepEqual(after.baseline, newBreaker.baseline)
      else assert.equal(after.baseline.calls, counts.calls / 8)
    }),
  )
})

test('open until the cooldown ends, then half-open; good probes close it, bad probes open it for twice as long', () => {
  let breaker = step(newBreaker, { calls: 30, answered: 0, repeats: 0 }, 0)
  let nowMs = 0
  for (const cooldown of [10, 20, 40, 80, 160, 240, 240]) {
    assert.equal(breaker.cooldownMs, cooldown * minuteMs)
    assert.equal(step(breaker, none, nowMs + cooldown * minuteMs - 1).phase, 'open')
    nowMs += cooldown * minuteMs
    breaker = step(breaker, none, nowMs)
    assert.equal(breaker.phase, 'half-open')
    assert.equal(step(breaker, { calls: 5, answered: 3, repeats: 0 }, nowMs).phase, 'closed')
    assert.equal(step(breaker, { calls: 4, answered: 0, repeats: 0 }, nowMs + minuteMs).phase, 'half-open')
    breaker = step(breaker, { calls: 5, answered: 1, repeats: 0 }, nowMs)
    assert.equal(breaker.phase, 'open')
  }
})

test('from any state, answered calls close the breaker within one cooldown and its probes', () => {
  const anyBreaker = fc.record({
    phase: fc.constantFrom('closed', 'open', 'half-open'),
    sinceMs: fc.constant(0),
    cooldownMs: fc.integer({ min: 10, max: 240 }).map((minutes) => minutes * minuteMs),
    baseline: window,
  }) as fc.Arbitrary<Breaker>
  fc.assert(
    fc.property(anyBreaker, fc.double({ min: 0.01, max: 1, noNaN: true }), (start, scale) => {
      let breaker = start
      const minutes = start.cooldownMs / minuteMs + 2
      for (let minute = 1; minute <= minutes; minute++) {
        const probed = breaker.phase === 'half-open' ? { calls: 10, answered: 8, repeats: 0 } : none
        breaker = step(breaker, probed, minute * minuteMs * scale + 1, scale)
      }
      assert.equal(breaker.phase, 'closed')
    }),
  )
})

test('with too few probes a half-open breaker lets a few more through each cooldown, and closes after a quiet day', () => {
  const halfOpen: Breaker = { ...newBreaker, phase: 'half-open', sinceMs: 0 }
  assert.equal(step(halfOpen, none, 9 * minuteMs).sinceMs, 0)
  assert.equal(step(halfOpen, none, 10 * minuteMs).sinceMs, 10 * minuteMs)
  assert.equal(step({ ...halfOpen, cooldownMs: 4 * 1_440 * minuteMs }, none, 1_440 * minuteMs).phase, 'closed')
})

test('a prefix without a baseline is compared with its country, others with their own baseline', () => {
  assert.equal(usualOfCountry({ calls: 99, answered: 99, repeats: 0 }), undefined)
  const country = usualOfCountry({ calls: 1_000, answered: 800, repeats: 100 })
  assert.deepEqual(country, { answered: 0.8, repeated: 0.1 })
  assert.deepEqual(usualOfPrefix(none, country), country)
  const own = usualOfPrefix({ calls: 10_000, answered: 2_000, repeats: 1_000 }, country)
  assert(own && Math.abs(own.answered - 0.2) < 0.01)
})

test('the gate refuses open prefixes, lets a few probes through half-open ones, and ignores all others', () => {
  const gate = createPrefixGate(1)
  const prefix = 5 as NumberPrefix
  const neighbour = 6 as NumberPrefix
  const cooldownMs = 10 * minuteMs
  const load = (phase: Breaker['phase'], sinceMs: number, nowMs: number) =>
    gate.load({
      breakers: [{ scope: '5', phase, sinceMs, cooldownMs }],
      full: [{ prefix: 7 as NumberPrefix, untilMs: 5_000 }],
      allowed: [],
      limits: {},
      nowMs,
    })
  load('open', 0, 1_000)
  assert.deepEqual(gate.refusalOf(prefix, 'RU'), { refusal: 'prefixPaused', retryAfterMs: 599_000 })
  assert.equal(gate.refusalOf(neighbour, 'RU'), undefined)
  assert.deepEqual(gate.refusalOf(7 as NumberPrefix, 'RU'), { refusal: 'prefixCapReachedByAll', retryAfterMs: 4_000 })
  for (const sinceMs of [600_000, 1_200_000]) {
    load('half-open', sinceMs, sinceMs)
    for (let n = 0; n < probesMax; n++) assert.equal(gate.refusalOf(prefix, 'RU'), undefined)
    load('half-open', sinceMs, sinceMs + 1_000)
    assert.equal(gate.refusalOf(prefix, 'RU')?.refusal, 'prefixPaused')
  }
  const country = { breakers: [{ scope: 'RU', phase: 'open' as const, sinceMs: 0, cooldownMs }], full: [] }
  gate.load({ ...country, allowed: [], limits: {}, nowMs: 0 })
  assert.equal(gate.refusalOf(neighbour, 'RU')?.refusal, 'prefixPaused')
  assert.equal(gate.refusalOf(neighbour, 'KZ'), undefined)
})

test('the gate refuses no allowed prefix or country, and no rule that is off', () => {
  const gate = createPrefixGate(1)
  const prefix = 7 as NumberPrefix
  const open = { phase: 'open' as const, sinceMs: 0, cooldownMs: 10 * minuteMs }
  const state = {
    breakers: [
      { scope: 'RU', ...open },
      { scope: '8', ...open },
    ],
    full: [{ prefix, untilMs: 5_000 }],
    nowMs: 1_000,
  }
  const decisions = (allowed: readonly { scope: string; untilMs: number | null }[], limits: StoredLimits = {}) => {
    gate.load({ ...state, allowed, limits })
    return [
      gate.refusalOf(prefix, 'RU'),
      gate.refusalOf(8 as NumberPrefix, 'KZ'),
      gate.refusalOf(9 as NumberPrefix, 'RU'),
    ].map((refused) => refused?.refusal)
  }
  assert.deepEqual(decisions([]), ['prefixCapReachedByAll', 'prefixPaused', 'prefixPaused'])
  assert.deepEqual(decisions([{ scope: '7', untilMs: null }]), [undefined, 'prefixPaused', 'prefixPaused'])
  assert.deepEqual(decisions([{ scope: '8', untilMs: 1_001 }]), ['prefixCapReachedByAll', undefined, 'prefixPaused'])
  assert.deepEqual(decisions([{ scope: '8', untilMs: 1_000 }]), [
    'prefixCapReachedByAll',
    'prefixPaused',
    'prefixPaused',
  ])
  assert.deepEqual(decisions([{ scope: 'RU', untilMs: null }]), ['prefixCapReachedByAll', 'prefixPaused', undefined])
  assert.deepEqual(decisions([], { breaker: null }), ['prefixCapReachedByAll', undefined, undefined])
  assert.deepEqual(decisions([], { 'prefix-cap-all': null }), ['prefixPaused', 'prefixPaused', 'prefixPaused'])

  gate.load({ ...state, allowed: [{ scope: '7', untilMs: null }], limits: { 'prefix-cap': 5 } })
  assert.equal(gate.capOf(prefix, 200), undefined)
  assert.equal(gate.capOf(9 as NumberPrefix, 200), 5)
  assert.equal(gate.capOf(9 as NumberPrefix, 3), 3)
  gate.load({ ...state, allowed: [], limits: { 'prefix-cap-all': null } })
  assert.equal(gate.capOf(9 as NumberPrefix, 3), undefined)
})
