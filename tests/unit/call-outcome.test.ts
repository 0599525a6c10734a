import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callModes } from '@ringproof/contract/methods.ts'
import fc from 'fast-check'
import { type CallProgress, type OutcomeReason, outcomeOf } from '../../server/src/domain/verifications/call-outcome.ts'

const nothing: CallProgress = {
  rangAtMs: undefined,
  earlyMediaAtMs: undefined,
  answeredAtMs: undefined,
  spokenAtMs: undefined,
  endedAtMs: 20_000,
  status: undefined,
  endedBy: 'us',
}
const refused = (status: number): Partial<CallProgress> => ({ status, endedBy: 'them', endedAtMs: 200 })

type Case = [what: string, progress: Partial<CallProgress>, reason: OutcomeReason, mayTryNextTrunk?: boolean]

const succeeded = new Set<OutcomeReason>(['rang', 'rejected', 'spoken'])

test('outcomes of flash and mix calls', () => {
  const cases: readonly Case[] = [
    ['rings until we hang up', { rangAtMs: 2_000, endedAtMs: 7_000 }, 'rang'],
    ['rings for a second', { rangAtMs: 2_000, endedAtMs: 3_000, ...by('them'), status: 480 }, 'rang'],
    ['rings for less than a second', { rangAtMs: 2_000, endedAtMs: 2_999, ...by('them'), status: 480 }, 'broke-off'],
    ['rings, then 486', { rangAtMs: 2_000, endedAtMs: 4_000, ...by('them'), status: 486 }, 'rang'],
    ['rings, then 486 at once', { rangAtMs: 2_000, endedAtMs: 2_300, ...by('them'), status: 486 }, 'rejected'],
    ['rings, then 603 at once', { rangAtMs: 2_000, endedAtMs: 2_300, ...by('them'), status: 603 }, 'rejected'],
    ['rings, then the carrier fails', { rangAtMs: 2_000, endedAtMs: 2_300, ...by('them'), status: 503 }, 'broke-off'],
    ['rings and is answered', { rangAtMs: 1_000, answeredAtMs: 3_000, endedAtMs: 3_500 }, 'rang'],
    ['is answered as soon as it rings', { rangAtMs: 1_000, answeredAtMs: 1_400, endedAtMs: 2_400 }, 'broke-off'],
    ['is answered without ringing', { answeredAtMs: 1_000, endedAtMs: 1_500 }, 'answered-unseen'],
    ['is answered after an announcement', { earlyMediaAtMs: 500, answeredAtMs: 1_000 }, 'answered-unseen'],
    ['early media alone', { earlyMediaAtMs: 500 }, 'announcement'],
    ['early media, then 480', { earlyMediaAtMs: 500, ...refused(480), endedAtMs: 9_000 }, 'refused'],
    ['early media, then 503', { earlyMediaAtMs: 500, ...refused(503), endedAtMs: 9_000 }, 'refused'],
    ['only 100 Trying', {}, 'no-ringing'],
    ['silence', by('nobody'), 'silence', true],
  ]
  for (const mode of ['flash', 'mix'] as const) {
    for (const [what, progress, reason, mayTryNextTrunk = false] of cases) {
      const decision = outcomeOf(mode, { ...nothing, ...progress }, false)
      assert.deepEqual(decision, { succeeded: succeeded.has(reason), reason, mayTryNextTrunk }, `${mode} ${what}`)
    }
  }
})

test('early media counts as ringing on a trunk configured so', () => {
  const cases: readonly Case[] = [
    ['until we hang up', { earlyMediaAtMs: 500, endedAtMs: 5_500 }, 'rang'],
    ['for less than a second', { earlyMediaAtMs: 500, ...refused(480), endedAtMs: 1_000 }, 'broke-off'],
    ['then the carrier refuses', { earlyMediaAtMs: 500, ...refused(503), endedAtMs: 900 }, 'broke-off'],
    ['ringing takes precedence', { earlyMediaAtMs: 500, rangAtMs: 4_900, endedAtMs: 5_500 }, 'broke-off'],
    ['no early media', refused(404), 'refused'],
  ]
  for (const [what, progress, reason, mayTryNextTrunk = false] of cases) {
    const decision = outcomeOf('flash', { ...nothing, ...progress }, true)
    assert.deepEqual(decision, { succeeded: succeeded.has(reason), reason, mayTryNextTrunk }, what)
  }
})

test('outcomes of voice calls', () => {
  const cases: readonly Case[] = [
    ['spoken whole', { rangAtMs: 1_000, answeredAtMs: 4_000, spokenAtMs: 9_000 }, 'spoken'],
    ['spoken whole, never rang', { answeredAtMs: 4_000, spokenAtMs: 9_000 }, 'spoken'],
    [
      'answered and hung up',
      { rangAtMs: 1_000, answeredAtMs: 4_000, endedAtMs: 5_000, ...by('them') },
      'hung-up-early',
    ],
    ['rang, not answered', { rangAtMs: 1_000, endedAtMs: 26_000 }, 'not-answered'],
    ['rejected', { rangAtMs: 1_000, endedAtMs: 2_000, ...by('them'), status: 486 }, 'not-answered'],
    ['early media alone', { earlyMediaAtMs: 1_000 }, 'announcement'],
    ['only 100 Trying', {}, 'no-ringing'],
    ['silence', by('nobody'), 'silence', true],
    ['the carrier refuses', refused(503), 'refused', true],
    ['the subscriber refuses', refused(486), 'refused'],
  ]
  for (const [what, progress, reason, mayTryNextTrunk = false] of cases) {
    const decision = outcomeOf('voice', { ...nothing, ...progress }, false)
    assert.deepEqual(decision, { succeeded: succeeded.has(reason), reason, mayTryNextTrunk }, what)
  }
})

test('only a refusal by the carrier itself moves the call to the next trunk', () => {
  const nextTrunk = new Set([401, 403, 407, 488, 500, 501, 502, 503, 504])
  for (let status = 300; status < 700; status += 1) {
    for (const mode of callModes) {
      const {
        succeeded: isSucceeded,
        reason,
        mayTryNextTrunk,
      } = outcomeOf(mode, { ...nothing, ...refused(status) }, false)
      assert.deepEqual(
        [isSucceeded, reason, mayTryNextTrunk],
        [false, 'refused', nextTrunk.has(status)],
        `${mode} ${status}`,
      )
    }
  }
})

test('for any progress: a call that succeeded, rang or was answered is never retried', () => {
  const moments = fc.option(fc.integer({ min: 0, max: 55_000 }), { nil: undefined })
  const progresses = fc.record({
    rangAtMs: moments,
    earlyMediaAtMs: moments,
    answeredAtMs: moments,
    spokenAtMs: moments,
    endedAtMs: fc.integer({ min: 0, max: 55_000 }),
    status: fc.option(fc.constantFrom(302, 401, 404, 408, 480, 486, 487, 503, 603), { nil: undefined }),
    endedBy: fc.constantFrom('us' as const, 'them' as const, 'nobody' as const),
  })
  fc.assert(
    fc.property(fc.constantFrom(...callModes), progresses, fc.boolean(), (mode, progress, countsEarlyMedia) => {
      const decision = outcomeOf(mode, progress, countsEarlyMedia)
      const wasHeard = progress.rangAtMs !== undefined || progress.answeredAtMs !== undefined
      assert(!(decision.mayTryNextTrunk && (wasHeard || (decision.succeeded && decision.reason !== 'spoken'))))
      assert.equal(decision.succeeded, succeeded.has(decision.reason))
      if (mode !== 'voice' && !countsEarlyMedia && progress.rangAtMs === undefined) assert(!decision.succeeded)
      if (mode === 'voice') assert.equal(decision.succeeded, progress.spokenAtMs !== undefined)
    }),
    { numRuns: 1_000 },
  )
})

function by(endedBy: CallProgress['endedBy']): Partial<CallProgress> {
  return { endedBy }
}
