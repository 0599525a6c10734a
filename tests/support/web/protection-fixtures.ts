// Protection: a quiet installation on its configuration, and one under attack. Numbers belong to nobody.

import { fraudRules } from '@ringproof/contract/lists/protection.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { dayMs, minuteMs } from '../../../server/src/domain/values/time.ts'

type Shown = WebOutput<'protection'>
type Answers = { readonly protection: Shown; readonly 'replay-fraud-rules': WebOutput<'replay-fraud-rules'> }

export function protectionAnswers(nowMs: number): Answers {
  return { protection: underAttack(nowMs), 'replay-fraud-rules': replayed(nowMs) }
}

export function quietProtection(): Shown {
  return {
    stop: null,
    level: null,
    isSet: false,
    limits: { 'prefix-cap': null, 'prefix-cap-all': 200, breaker: 20 },
    levels,
    rules: fraudRules.map((rule) => ({ rule, hitsDay: 0, hitsWeek: 0, lastAt: null })),
    blocked: [],
    allowed: [],
    hits: [],
    optOuts: 0,
    isMoreOptOuts: false,
  }
}

const levels: Shown['levels'] = [
  { level: 'basic', limits: { 'prefix-cap': 200, 'prefix-cap-all': 1_000, breaker: 40 } },
  { level: 'standard', limits: { 'prefix-cap': 50, 'prefix-cap-all': 200, breaker: 20 } },
  { level: 'max', limits: { 'prefix-cap': 20, 'prefix-cap-all': 60, breaker: 10 } },
]
function underAttack(nowMs: number): Shown {
  const hits: Partial<Record<(typeof fraudRules)[number], readonly [number, number]>> = {
    'prefix-cap': [312, 940],
    breaker: [41, 41],
    'opt-out': [6, 38],
    'service-cap': [0, 12],
  }
  return {
    ...quietProtection(),
    level: 'standard',
    isSet: true,
    limits: { 'prefix-cap': 50, 'prefix-cap-all': 200, breaker: 20 },
    rules: fraudRules.map((rule, n) => {
      const [hitsDay, hitsWeek] = hits[rule] ?? [0, 0]
      return { rule, hitsDay, hitsWeek, lastAt: hitsWeek === 0 ? null : nowMs - (n + 1) * 7 * minuteMs }
    }),
    blocked: [
      block(nowMs, { prefix: '7907123', serviceId: 1_024, since: nowMs - 12 * minuteMs }),
      block(nowMs, { scope: '991', prefix: '7907456', rule: 'breaker', since: nowMs - 31 * minuteMs, until: null }),
      block(nowMs, { scope: '992', prefix: '7907788', serviceId: 1_152, ownMax: 30, since: nowMs - 40 * minuteMs }),
      block(nowMs, { scope: '993', prefix: null, rule: 'breaker', since: nowMs - 2 * minuteMs }),
    ],
    allowed: [
      {
        scope: '771',
        prefix: '7907001',
        reason: 'Taxi Vega sends codes to its own drivers',
        since: nowMs - 9 * dayMs,
        until: null,
      },
      {
        scope: 'KZ',
        prefix: null,
        reason: 'carrier confirmed maintenance',
        since: nowMs - 20 * minuteMs,
        until: nowMs + 40 * minuteMs,
      },
    ],
    hits: [
      { at: nowMs - 2 * minuteMs, rule: 'prefix-cap', serviceId: 1_024, prefix: '7907123', hits: 18 },
      { at: nowMs - 3 * minuteMs, rule: 'breaker', serviceId: 1_152, prefix: '7907456', hits: 4 },
      { at: nowMs - 9 * minuteMs, rule: 'opt-out', serviceId: 1_024, prefix: '7907900', hits: 1 },
      { at: nowMs - 14 * minuteMs, rule: 'prefix-cap', serviceId: 1_024, prefix: null, hits: 61 },
    ],
    optOuts: 1_204,
  }
}

type Block = Shown['blocked'][number]

function block(nowMs: number, changes: Partial<Block>): Block {
  return {
    scope: '990',
    prefix: null,
    rule: 'prefix-cap',
    serviceId: null,
    ownMax: null,
    since: nowMs,
    until: nowMs + 26 * minuteMs,
    ...changes,
  }
}

function replayed(nowMs: number): Answers['replay-fraud-rules'] {
  const callParts = Array.from(
    { length: 56 },
    (_, part) => 900 + Math.round(500 * Math.sin((part / 8) * 2 * Math.PI) ** 2),
  )
  const parts = (most: number) => callParts.map((_, part) => (part > 28 && part < 33 ? Math.round(most / 4) : 0))
  const one = (callsMax: number, blocked: number, succeeded: number) => ({
    rule: 'prefix-cap' as const,
    callsMax,
    blocked,
    succeeded,
    services: 3,
    most: { serviceId: 1_024, blocked: blocked - 4 },
    blockedParts: parts(blocked),
  })
  return {
    from: nowMs - 7 * dayMs,
    until: nowMs,
    isWhole: true,
    calls: callParts.reduce((sum, count) => sum + count, 0),
    succeeded: 51_020,
    callParts,
    rules: [one(10, 1_140, 96), one(20, 312, 9), one(40, 204, 0)],
  }
}

// What a level would have blocked.
export function replayedLevel(nowMs: number): Answers['replay-fraud-rules'] {
  const shown = replayed(nowMs)
  const [first, second, third] = shown.rules
  if (!first || !second || !third) return shown
  return {
    ...shown,
    isWhole: false,
    rules: [
      { ...second, callsMax: 20 },
      { ...third, rule: 'prefix-cap-all', callsMax: 60 },
      { ...third, rule: 'breaker', callsMax: 10, blocked: 0, succeeded: 0, most: null },
    ],
  }
}
