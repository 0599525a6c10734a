import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitedRules, protectionLevels } from '@ringproof/contract/lists/protection.ts'
import type { ServiceId } from '../../server/src/domain/core/slot.ts'
import type { NumberPrefix } from '../../server/src/domain/numbers/number-prefix.ts'
import { levelOf, limitsInForce, limitsOfLevel } from '../../server/src/domain/protection/fraud-limits.ts'
import { createReplayReport } from '../../server/src/domain/protection/replay-report.ts'
import { createReplay, type PastCall } from '../../server/src/domain/protection/replay-rule.ts'
import { hourMs, minuteMs } from '../../server/src/domain/values/time.ts'

let nextId = 1

function past(atMs: number, changes: Partial<PastCall> = {}): PastCall {
  const id = nextId++
  return {
    id,
    serviceId: 64 as ServiceId,
    prefix: 1 as NumberPrefix,
    country: 'RU',
    phone: String(id),
    atMs,
    isSucceeded: true,
    isConclusive: true,
    ...changes,
  }
}

test('a cap counts by service or over all, by clock hour, and never what it has refused', () => {
  const other = { serviceId: 128 as ServiceId }
  const calls = [
    past(0),
    past(1),
    past(2, other),
    past(3),
    past(4, other),
    past(hourMs),
    past(hourMs - 1),
    past(hourMs + 1),
  ]
  const refused = (rule: 'prefix-cap' | 'prefix-cap-all', callsMax: number, allowed: readonly string[] = []) => {
    const refuses = createReplay({ rule, callsMax }, new Set(allowed))
    return calls.flatMap((call, n) => (refuses(call) ? [n] : []))
  }
  assert.deepEqual(refused('prefix-cap', 2), [3, 6])
  assert.deepEqual(refused('prefix-cap-all', 2), [2, 3, 4, 6])
  assert.deepEqual(refused('prefix-cap-all', 5), [6])
  assert.deepEqual(refused('prefix-cap', 1, ['1']), [])
})

test('a breaker refuses a range that stops ringing from the minute in which it would have opened', () => {
  const usual = Array.from({ length: 400 }, (_, n) => past(n * 3_000, { prefix: (2 + (n % 20)) as NumberPrefix }))
  const startMs = 20 * minuteMs
  const dead = Array.from({ length: 120 }, (_, n) => past(startMs + n * 5_000, { isSucceeded: false }))
  const refuses = createReplay({ rule: 'breaker', callsMax: 20 }, new Set())
  assert(usual.every((call) => !refuses(call)))
  const first = dead.findIndex((call) => refuses(call))
  // Twenty calls take 100 seconds; the minute of the last one is known a minute later.
  assert(first >= 20 && first <= 48, String(first))
  const never = createReplay({ rule: 'breaker', callsMax: 1_000 }, new Set())
  assert([...usual, ...dead].every((call) => !never(call)))
  const ours = createReplay({ rule: 'breaker', callsMax: 20 }, new Set())
  assert([...usual, ...dead].every((call) => !ours({ ...call, isConclusive: call.isSucceeded })))
})

test('a report adds up calls, those that succeeded, and who placed them', () => {
  const { add, report } = createReplayReport(
    [
      { rule: 'prefix-cap', callsMax: 1 },
      { rule: 'prefix-cap', callsMax: 2 },
    ],
    new Set(),
    { fromMs: 0, untilMs: 56 * minuteMs },
  )
  for (const call of [
    past(0),
    past(minuteMs),
    past(2 * minuteMs, { isSucceeded: false }),
    past(0, { serviceId: 128 as ServiceId }),
    past(3 * minuteMs, { serviceId: 128 as ServiceId }),
  ])
    add(call)
  const { calls, succeeded, callParts, rules } = report()
  assert.deepEqual([calls, succeeded, callParts.slice(0, 4)], [5, 4, [2, 1, 1, 1]])
  assert.deepEqual(
    rules.map(({ blocked, succeeded: rang, services, most, blockedParts }) => [
      blocked,
      rang,
      services,
      most,
      blockedParts.slice(0, 4),
    ]),
    [
      [3, 2, 2, { serviceId: 64, blocked: 2 }, [0, 1, 1, 1]],
      [1, 0, 1, { serviceId: 64, blocked: 1 }, [0, 0, 1, 0]],
    ],
  )
})

test('levels are ordered from lax to strict, and a level is recognized by its limits', () => {
  for (const rule of limitedRules) {
    const limits = protectionLevels.map((level) => limitsOfLevel[level][rule] ?? assert.fail(rule))
    assert.deepEqual(
      limits,
      limits.toSorted((a, b) => b - a),
      rule,
    )
  }
  for (const level of protectionLevels) assert.equal(levelOf(limitsInForce(limitsOfLevel[level], 7)), level)
  assert.deepEqual(limitsInForce({}, 200), { 'prefix-cap': null, 'prefix-cap-all': 200, breaker: 20 })
  assert.equal(levelOf(limitsInForce({}, 200)), undefined)
  assert.equal(limitsInForce({ 'prefix-cap-all': null }, 200)['prefix-cap-all'], null)
})
