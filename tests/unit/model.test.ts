import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import {
  faultIn,
  type Invariant,
  invariants,
  invariantsOverTwoDatabases,
  shortened,
} from '../support/model/invariants.ts'
import { histories, type Step } from '../support/model/steps.ts'
import {
  accepted,
  after,
  isFinal,
  isOverdue,
  type VerificationEvent,
  type VerificationState,
} from '../support/model/verification.ts'
import { type ModelCall, type Parts, soundParts, twoDatabases, type World } from '../support/model/world.ts'

const at = 1_000_000

const claim = (attempt: number, afterMs = 0): VerificationEvent => ({ type: 'claim', attempt, atMs: at + afterMs })
const rang = (attempt: number): VerificationEvent => ({ type: 'rang', attempt })
const outcome = (attempt: number, succeeded: boolean): VerificationEvent => ({ type: 'outcome', attempt, succeeded })
const overdue = (afterMs: number): VerificationEvent => ({ type: 'overdue', atMs: at + afterMs })
const pin: VerificationEvent = { type: 'pin' }
const undo: VerificationEvent = { type: 'undo', lostNumber: false }
const undoLost: VerificationEvent = { type: 'undo', lostNumber: true }

test('lives of verifications', () => {
  const lives: readonly [mode: 'flash' | 'voice' | 'mix', events: VerificationEvent[], expected: string][] = [
    ['flash', [], 'accepted 0'],
    ['flash', [claim(1)], 'dialling 1'],
    ['flash', [claim(1, 9_999)], 'dialling 1'],
    ['flash', [claim(1, 10_000)], 'accepted 0'],
    ['flash', [claim(2)], 'accepted 0'],
    ['flash', [claim(1), claim(1)], 'dialling 1'],
    ['flash', [claim(1), claim(2)], 'dialling 2'],
    ['flash', [claim(1), claim(2), claim(1)], 'dialling 2'],
    ['flash', [claim(1), claim(2, 10_000)], 'dialling 1'],
    ['flash', [claim(1), rang(1)], 'dialling 1 rang'],
    ['flash', [claim(1), rang(1), claim(2)], 'dialling 1 rang'],
    ['flash', [rang(0)], 'accepted 0'],
    ['flash', [claim(1), claim(2), rang(1)], 'dialling 2'],
    ['flash', [claim(1), rang(1), outcome(1, true)], 'succeeded 1 rang'],
    ['flash', [claim(1), outcome(1, false)], 'failed 1'],
    // The attempt of a call that nobody has claimed is 0.
    ['flash', [outcome(0, false)], 'failed 0'],
    ['flash', [outcome(1, true)], 'accepted 0'],
    ['flash', [claim(1), outcome(0, true), outcome(2, true)], 'dialling 1'],
    ['flash', [claim(1), claim(2), outcome(1, true)], 'dialling 2'],
    ['flash', [overdue(9_999)], 'accepted 0'],
    ['flash', [overdue(10_000)], 'failed 0'],
    ['flash', [claim(1), overdue(54_999)], 'dialling 1'],
    ['flash', [claim(1), overdue(55_000)], 'failed 1'],
    ['flash', [claim(1), rang(1), overdue(55_000)], 'succeeded 1 rang'],
    ['mix', [claim(1), rang(1), overdue(55_000)], 'succeeded 1 rang'],
    ['voice', [claim(1), rang(1), overdue(55_000)], 'failed 1 rang'],
    ['flash', [undo], 'failed 0'],
    ['flash', [claim(1), undo], 'dialling 1'],
    ['flash', [pin, undo], 'accepted 0'],
    ['flash', [pin, undoLost], 'failed 0'],
    ['flash', [claim(1), undoLost], 'dialling 1'],
    ['flash', [pin, claim(1)], 'dialling 1'],
    ['flash', [undo, claim(1)], 'failed 0'],
    ['flash', [claim(1), outcome(1, false), claim(2), rang(1), outcome(1, true), undo], 'failed 1'],
    ['flash', [claim(1), rang(1), overdue(60_000), outcome(1, false)], 'succeeded 1 rang'],
  ]
  for (const [mode, events, expected] of lives) {
    const state = events.reduce(after, accepted(mode, at))
    assert.equal(label(state), expected, `${mode} ${JSON.stringify(events)}`)
  }
})

test('an event that changes nothing returns the same object', () => {
  const dialling = after(accepted('flash', at), claim(1))
  const ringing = after(dialling, rang(1))
  const succeeded = after(ringing, outcome(1, true))
  for (const event of [claim(1), claim(3), rang(2), outcome(2, true), overdue(54_999), undo]) {
    assert.equal(after(dialling, event), dialling, event.type)
  }
  assert.equal(after(ringing, rang(1)), ringing)
  for (const event of [claim(2), rang(1), outcome(1, false), overdue(99_999), undo]) {
    assert.equal(after(succeeded, event), succeeded, event.type)
  }
  assert(isFinal(succeeded) && !isFinal(ringing) && isOverdue(ringing, at + 55_000) && !isOverdue(ringing, at + 20_000))
})

const stepsEach = 1_000
const stepsAll = 100_000

// Histories that never reach a limit would show nothing about it.
const mustHappen = `
  too-soon, used-up-all, used-up-10-minutes, used-up-day, no-money, opted-out, cap-hour, cap-day, cap-spend, cap-prefix,
  succeeded, failed, undone, swept, test, pinned, attempt 0, attempt 2, rang`
  .split(',')
  .map((what) => what.trim())

test('100 000 random steps over money, limits and calls break no invariant', () => {
  const happened = new Map<string, number>()
  const saw = (world: World, isOver: boolean): void => {
    const whats = isOver ? world.calls.flatMap(describeCall) : world.refused ? [world.refused.decision] : []
    for (const what of whats) happened.set(what, (happened.get(what) ?? 0) + 1)
  }
  assertSound(stepsAll, (steps) => faultIn(steps, soundParts, invariants, saw))
  for (const what of mustHappen) assert((happened.get(what) ?? 0) >= 3, `${what}: ${happened.get(what) ?? 0} times`)
})

test('20 000 random steps over two databases break no invariant of money, caps and calls', () => {
  assertSound(20_000, (steps) => faultIn(steps, soundParts, invariantsOverTwoDatabases, undefined, twoDatabases))
})

function assertSound(stepCount: number, faultOf: (steps: readonly Step[]) => string | undefined): void {
  const result = fc.check(
    fc.property(histories(stepsEach), (steps) => faultOf(steps) === undefined),
    { numRuns: stepCount / stepsEach, endOnFailure: true },
  )
  if (result.counterexample === null) return
  const short = shortened(result.counterexample[0], (steps) => faultOf(steps) !== undefined)
  assert.fail(`${faultOf(short)}, seed ${result.seed}: ${JSON.stringify(short)}`)
}

// Each names the invariant that must find it.
const seededViolations: readonly [Invariant, string, Partial<Parts>][] = [
  [
    'a final state never changes',
    'a late outcome counts',
    {
      after: (state, event) =>
        after(isFinal(state) && event.type === 'outcome' ? { ...state, state: 'dialling' } : state, event),
    },
  ],
  [
    'an attempt is dialled once',
    'a claim that came twice wins twice',
    {
      after: (state, event) =>
        event.type === 'claim' && event.attempt === state.attempt && state.state === 'dialling'
          ? { ...state }
          : after(state, event),
    },
  ],
  [
    'no attempt follows ringing or the end, none is left out, none begins late',
    'ringing is forgotten',
    { after: (state, event) => after(event.type === 'claim' ? { ...state, rang: false } : state, event) },
  ],
  [
    'no attempt follows ringing or the end, none is left out, none begins late',
    'a claim may come at the very end of its time',
    { after: (state, event) => after(state, event.type === 'claim' ? { ...event, atMs: event.atMs - 1 } : event) },
  ],
  [
    'no attempt follows ringing or the end, none is left out, none begins late',
    'an attempt is left out',
    {
      after: (state, event) => after(event.type === 'claim' ? { ...state, attempt: event.attempt - 1 } : state, event),
    },
  ],
  [
    'a number has one call at a time',
    'a call in progress does not count',
    {
      evaluateNumberLimits: (history, ...rest) =>
        soundParts.evaluateNumberLimits({ ...history, lease: undefined }, ...rest),
    },
  ],
  [
    'a number has one call at a time',
    'the end of one call releases another lease',
    { numberEnded: (history) => ({ ...history, lease: undefined }) },
  ],
  ['a number has one call at a time', 'an end does not release the number', { numberEnded: (history) => history }],
  [
    'acceptances of a number are a cooldown apart',
    'a millisecond too early',
    { evaluateNumberLimits: (history, limits, nowMs) => soundParts.evaluateNumberLimits(history, limits, nowMs + 1) },
  ],
  [
    'no window of a number holds more than its limit',
    'the oldest of the day is dropped',
    {
      numberAccepted: (history, call, lease) =>
        soundParts.numberAccepted({ ...history, calls: history.calls.slice(-28) }, call, lease),
    },
  ],
  [
    'no window of a number holds more than its limit',
    'one more in ten minutes',
    {
      evaluateNumberLimits: (history, limits, nowMs) =>
        soundParts.evaluateNumberLimits(history, { ...limits, callsPer10Minutes: limits.callsPer10Minutes + 1 }, nowMs),
    },
  ],
  [
    'no window of a number holds more than its limit',
    'one more a day',
    {
      evaluateNumberLimits: (history, limits, nowMs) =>
        soundParts.evaluateNumberLimits(history, { ...limits, callsPerDay: limits.callsPerDay + 1 }, nowMs),
    },
  ],
  [
    'no cap is passed',
    'one more an hour and a day',
    {
      evaluateCaps: (usage, ...rest) =>
        soundParts.evaluateCaps({ ...usage, hourCount: usage.hourCount - 1, dayCount: usage.dayCount - 1 }, ...rest),
    },
  ],
  [
    'no cap is passed',
    'the price itself is not counted',
    { evaluateCaps: (usage, caps, _price, nowMs) => soundParts.evaluateCaps(usage, caps, 0 as MicroAmount, nowMs) },
  ],
  ['usage is what was used', 'a failed call stays spent', { spendGivenBack: (usage) => usage }],
  ['usage is what was used', 'an undone call stays counted', { usageGivenBack: soundParts.spendGivenBack }],
  ['the ledger is in order', 'the balance is not checked', { canPay: () => true }],
  [
    'the ledger is in order',
    'an entry takes from nowhere',
    { entered: (sums, move, amount) => ({ ...soundParts.entered(sums, move, amount), available: sums.available }) },
  ],
  [
    'the ledger is in order',
    'a call that ended is ended again',
    { after: (state, event) => (isFinal(state) && event.type === 'overdue' ? { ...state } : after(state, event)) },
  ],
  ['a failed call costs nothing', 'a failed call is captured', { closingMove: () => 'capture' }],
  ['an undone call leaves no trace on its number', 'undone is only ended', { numberGivenBack: soundParts.numberEnded }],
  [
    'nothing is refused without reason',
    'a millisecond too late',
    { evaluateNumberLimits: (history, limits, nowMs) => soundParts.evaluateNumberLimits(history, limits, nowMs - 1) },
  ],
  [
    'nothing is refused without reason',
    'old calls count as new ones',
    {
      evaluateNumberLimits: (history, limits, nowMs) =>
        soundParts.evaluateNumberLimits(
          { ...history, calls: history.calls.map((call) => ({ ...call, atMs: Math.max(call.atMs, nowMs - 20_000) })) },
          limits,
          nowMs,
        ),
    },
  ],
  [
    'everything ends',
    'overdue calls are not swept',
    { after: (state, event) => (event.type === 'overdue' ? state : after(state, event)) },
  ],
  [
    'no window of the whole history held too much',
    'the limit of a day is another',
    {
      evaluateNumberLimits: (history, limits, nowMs) =>
        soundParts.evaluateNumberLimits(history, { ...limits, callsPerDay: 30 }, nowMs),
    },
  ],
]

for (const [invariant, name, fault] of seededViolations) {
  test(`a seeded fault is found: ${name}`, () => {
    const isSound = (steps: Step[]) => faultIn(steps, { ...soundParts, ...fault }, [invariant]) === undefined
    const { failed } = fc.check(fc.property(histories(stepsEach), isSound), {
      numRuns: 100,
      seed: 1,
      endOnFailure: true,
    })
    assert(failed, `"${invariant}" does not find it`)
  })
}

test('every invariant has a seeded fault', () => {
  const proved = new Set<string>(seededViolations.map(([invariant]) => invariant))
  assert.deepEqual(
    invariants.filter((invariant) => !proved.has(invariant)),
    [],
  )
})

test('a faulty history is shortened to the steps that matter', () => {
  const parts: Parts = { ...soundParts, closingMove: () => 'capture' }
  const isFaulty = (steps: readonly Step[]) => faultIn(steps, parts, ['a failed call costs nothing']) !== undefined
  const [steps = []] = fc.sample(histories(stepsEach), 1)
  const short = shortened(steps, isFaulty)
  // A call that is swept, and the credit that pays for it unless it is free.
  assert(isFaulty(short) && short.length <= 2, JSON.stringify(short))
})

function label({ state, attempt, rang: hasRung }: VerificationState): string {
  return `${state} ${attempt}${hasRung ? ' rang' : ''}`
}

function describeCall({ state, reason, isTest }: ModelCall): string[] {
  const isSwept = reason === 'not-started' || reason === 'lost' || reason === 'lost-ringing'
  return [
    reason === 'not-dispatched' ? 'undone' : state.state,
    `attempt ${state.attempt}`,
    ...(state.rang ? ['rang'] : []),
    ...(state.pinned ? ['pinned'] : []),
    ...(isSwept ? ['swept'] : []),
    ...(isTest ? ['test'] : []),
  ]
}
