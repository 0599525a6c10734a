import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ServiceId } from '../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { dayMs, hourMs, minuteMs } from '../../server/src/domain/values/time.ts'
import {
  accepted,
  ended,
  evaluateNumberLimits,
  givenBack,
  type NumberHistory,
  type NumberLimits,
  neverCalled,
  shared,
  sharedLease,
} from '../support/model/number-limits.ts'
import {
  evaluateCaps,
  evaluatePrefixCap,
  neverUsed,
  prefixGivenBack,
  prefixUsedBy,
  type ServiceCaps,
  spendGivenBack,
  usageGivenBack,
  usedBy,
} from '../support/model/service-caps.ts'

const nowMs = Date.UTC(2026, 10, 15, 12, 30)
const secondMs = 1_000

const own = 64 as ServiceId
const other = 65 as ServiceId
const limits: NumberLimits = { serviceId: own, callsPer10Minutes: 4, callsPerDay: 10 }

const tooSoon = (retryAfterMs: number) => ({ decision: 'too-soon', retryMs: retryAfterMs })
const usedUp = (limit: string, retryAfterMs: number) => ({ decision: limit, retryMs: retryAfterMs })

test('cooldown, 10-minute and daily limits, evaluated against earlier calls', () => {
  const cases: readonly [agesMs: number[], otherAgesMs: number[], decision: unknown][] = [
    [[], [], undefined],
    [[0], [], tooSoon(15_000)],
    [[14_000], [], tooSoon(1_000)],
    [[14_999], [], tooSoon(1_000)],
    [[15_000], [], undefined],
    // The person is protected, whichever service calls.
    [[], [10_000], tooSoon(5_000)],
    [[9, 5, 3, 1].map((minutes) => minutes * minuteMs), [], usedUp('used-up-10-minutes', minuteMs)],
    [[10, 5, 3, 1].map((minutes) => minutes * minuteMs), [], undefined],
    [[10 * minuteMs - 1, 5 * minuteMs, 3 * minuteMs, minuteMs], [], usedUp('used-up-10-minutes', 1)],
    [[], [9, 5, 3, 1].map((minutes) => minutes * minuteMs), undefined],
    [hoursAgo(10), [], usedUp('used-up-day', 14 * hourMs)],
    [hoursAgo(9), hoursAgo(20), undefined],
    [hoursAgo(9), hoursAgo(21), usedUp('used-up-all', 3 * hourMs)],
    [[dayMs, ...hoursAgo(9)], hoursAgo(20), undefined],
    [[dayMs - 1, ...hoursAgo(9)], [], usedUp('used-up-day', 1)],
    // More calls than the limit allows, after it was lowered: three must expire before there is room.
    [hoursAgo(12), [], usedUp('used-up-day', 14 * hourMs)],
    // The cooldown is reported before a limit that is used up: it is the shorter wait.
    [[...hoursAgo(10), 5_000], [], tooSoon(10_000)],
  ]
  for (const [agesMs, otherAgesMs, decision] of cases) {
    const history = historyOf(agesMs, otherAgesMs)
    assert.deepEqual(evaluateNumberLimits(history, limits, nowMs), decision, JSON.stringify([agesMs, otherAgesMs]))
  }
})

test('a number with a call in flight is refused until the call ends or its lease expires', () => {
  const atMs = nowMs - 40_000
  const history = accepted(neverCalled, { leaseId: 1, serviceId: other, atMs }, leaseUntil(atMs + 55_000))
  assert.deepEqual(evaluateNumberLimits(history, limits, nowMs), tooSoon(secondMs))
  assert.deepEqual(evaluateNumberLimits(history, limits, atMs + 2_000), tooSoon(13_000))
  assert.deepEqual(evaluateNumberLimits(history, limits, atMs + 54_999), tooSoon(secondMs))
  assert.equal(evaluateNumberLimits(history, limits, atMs + 55_000), undefined)
  assert.equal(evaluateNumberLimits(ended(history, 1), limits, nowMs), undefined)
  assert.deepEqual(evaluateNumberLimits(ended(history, 2), limits, nowMs), tooSoon(secondMs))
})

test('undoing a call removes it from the history of its number', () => {
  const before = historyOf(hoursAgo(8), [])
  const call = { leaseId: 99, serviceId: own, atMs: nowMs }
  assert.deepEqual(givenBack(accepted(before, call, leaseUntil(nowMs + 55_000)), 99), before)
  const once = accepted(before, call, leaseUntil(nowMs + 55_000))
  const next = accepted(once, { ...call, leaseId: 100 }, leaseUntil(nowMs + 60_000))
  assert.deepEqual(givenBack(next, 99), { ...next, calls: next.calls.filter(({ leaseId }) => leaseId !== 99) })
})

test('a reservation lapses and its call still counts; a retry with its key shares it and counts from then on', () => {
  const reservation = { untilMs: nowMs + 60_000, key: 'k' }
  const history = accepted(neverCalled, { leaseId: 1, serviceId: own, atMs: nowMs }, reservation)
  assert.deepEqual(evaluateNumberLimits(history, limits, nowMs + 59_999), tooSoon(secondMs))
  assert.equal(evaluateNumberLimits(history, limits, nowMs + 60_000), undefined)
  const once = { ...limits, callsPer10Minutes: 1 }
  assert.equal(evaluateNumberLimits(history, once, nowMs + 60_000)?.decision, 'used-up-10-minutes')
  const lease = sharedLease(history, 'k', nowMs + 59_999)
  assert.equal(lease?.id, 1)
  assert.equal(sharedLease(history, 'k', nowMs + 60_000), undefined)
  assert.equal(sharedLease(history, 'another', nowMs), undefined)
  assert.deepEqual(shared(history, { id: 1, untilMs: nowMs + 63_000, key: 'k' }, nowMs + 3_000), {
    lease: { id: 1, untilMs: nowMs + 63_000, key: 'k' },
    calls: [{ leaseId: 1, serviceId: own, atMs: nowMs + 3_000 }],
  })
})

test('calls older than a day are dropped from the history', () => {
  const history = historyOf([dayMs + 1, dayMs, dayMs - 1], [])
  const call = { leaseId: 99, serviceId: own, atMs: nowMs }
  const kept = accepted(history, call, leaseUntil(nowMs + 55_000)).calls.map(({ atMs }) => nowMs - atMs)
  assert.deepEqual(kept, [dayMs - 1, 0])
})

test('after exactly retryMs there is room, and one millisecond earlier there is none', () => {
  const ages = fc.array(fc.integer({ min: 1, max: dayMs + hourMs }), { maxLength: 40 })
  const settings = fc.record({
    serviceId: fc.constantFrom(own, other),
    callsPer10Minutes: fc.integer({ min: 1, max: 30 }),
    callsPerDay: fc.integer({ min: 1, max: 30 }),
  })
  fc.assert(
    fc.property(ages, ages, settings, (agesMs, otherAgesMs, wanted) => {
      const history = historyOf(agesMs, otherAgesMs)
      const decision = evaluateNumberLimits(history, wanted, nowMs)
      if (decision === undefined) return
      assert(decision.retryMs > 0)
      const then = evaluateNumberLimits(history, wanted, nowMs + decision.retryMs)
      assert(then === undefined || then.decision !== decision.decision, JSON.stringify([decision, then]))
      if (decision.decision !== 'too-soon') {
        const justBefore = evaluateNumberLimits(history, wanted, nowMs + decision.retryMs - 1)
        assert.equal(justBefore?.decision, decision.decision)
      }
    }),
  )
})

const caps: ServiceCaps = {
  verificationsHourMax: 3,
  verificationsDayMax: 5,
  spendDayMax: 2_400_000 as MicroAmount,
  prefixHourMax: 2,
}
const none: ServiceCaps = {
  verificationsHourMax: null,
  verificationsDayMax: null,
  spendDayMax: null,
  prefixHourMax: null,
}
const price = 400_000 as MicroAmount

test('a cap of n admits n calls', () => {
  const cases: readonly [spent: [agoMs: number, price: number][], decision: string | undefined][] = [
    [[], undefined],
    [times(2, minuteMs), undefined],
    [times(3, minuteMs), 'cap-hour'],
    // The clock hour began half an hour ago.
    [times(3, 31 * minuteMs), undefined],
    [times(3, 30 * minuteMs), 'cap-hour'],
    [[...times(3, 2 * hourMs), ...times(1, hourMs)], undefined],
    [[...times(3, 2 * hourMs), ...times(2, hourMs)], 'cap-day'],
    // The day began at midnight, twelve and a half hours ago.
    [[...times(5, 12.6 * hourMs)], undefined],
    [[[2 * hourMs, 2_000_000]], undefined],
    [[[2 * hourMs, 2_000_001]], 'cap-spend'],
    [[[13 * hourMs, 9_000_000]], undefined],
  ]
  for (const [spent, decision] of cases) {
    const usage = spent.reduce((sum, [agoMs, micro]) => usedBy(sum, micro as MicroAmount, nowMs - agoMs), neverUsed)
    assert.equal(evaluateCaps(usage, caps, price, nowMs)?.decision, decision, JSON.stringify(spent))
    assert.equal(evaluateCaps(usage, none, price, nowMs), undefined)
  }
  assert.equal(evaluateCaps(neverUsed, { ...none, verificationsHourMax: 0 }, price, nowMs)?.decision, 'cap-hour')
  assert.equal(evaluateCaps(neverUsed, { ...none, spendDayMax: 0 as MicroAmount }, price, nowMs)?.decision, 'cap-spend')
  assert.equal(evaluateCaps(neverUsed, { ...none, spendDayMax: 0 as MicroAmount }, 0 as MicroAmount, nowMs), undefined)
})

test('a failed call gives back its spend but stays counted; an undone call gives back both', () => {
  const atMs = nowMs - 2 * hourMs
  const once = usedBy(neverUsed, price, atMs)
  const twice = usedBy(once, 700_000 as MicroAmount, nowMs)
  assert.deepEqual(spendGivenBack(twice, price, atMs), { ...twice, daySpent: 700_000 })
  assert.deepEqual(usageGivenBack(twice, price, atMs), { ...twice, daySpent: 700_000, dayCount: 1 })
  assert.deepEqual(usageGivenBack(twice, 700_000 as MicroAmount, nowMs), {
    ...once,
    hourStartMs: twice.hourStartMs,
    hourCount: 0,
  })
  const yesterdayMs = nowMs - dayMs
  assert.deepEqual(spendGivenBack(once, price, yesterdayMs), once)
  assert.deepEqual(usageGivenBack(once, price, yesterdayMs), once)
})

test('a prefix cap counts the calls of the clock hour', () => {
  const twice = prefixUsedBy(prefixUsedBy(undefined, nowMs), nowMs)
  assert.equal(evaluatePrefixCap(undefined, caps.prefixHourMax, nowMs), undefined)
  assert.deepEqual(evaluatePrefixCap(twice, caps.prefixHourMax, nowMs), {
    decision: 'cap-prefix',
    retryMs: 30 * minuteMs,
  })
  assert.equal(evaluatePrefixCap(twice, none.prefixHourMax, nowMs), undefined)
  assert.equal(evaluatePrefixCap(twice, caps.prefixHourMax, nowMs + 30 * minuteMs), undefined)
  assert.equal(prefixGivenBack(twice, nowMs).hourCount, 1)
  assert.deepEqual(prefixGivenBack(twice, nowMs - hourMs), twice)
})

function historyOf(agesMs: readonly number[], otherAgesMs: readonly number[]): NumberHistory {
  const calls = [
    ...agesMs.map((ageMs) => ({ serviceId: own, atMs: nowMs - ageMs })),
    ...otherAgesMs.map((ageMs) => ({ serviceId: other, atMs: nowMs - ageMs })),
  ]
    .toSorted((a, b) => a.atMs - b.atMs)
    .map((call, at) => ({ ...call, leaseId: at + 1 }))
  return { calls, lease: undefined }
}

// One an hour, the most recent an hour old.
function hoursAgo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => (at + 1) * hourMs)
}

function times(count: number, agoMs: number): [number, number][] {
  return Array.from({ length: count }, () => [agoMs, price])
}

function leaseUntil(untilMs: number) {
  return { untilMs, key: undefined }
}
