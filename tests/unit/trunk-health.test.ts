import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  evaluateTrunkHealth,
  type NodeReport,
  noSignals,
  type RecentCalls,
  type TrunkObservation,
  type TrunkSignals,
  trunkHealth,
} from '../../server/src/domain/trunks/trunk-health.ts'
import { summaryOf } from '../../server/src/engine/trunks/trunk-calls.ts'

type Ended = Parameters<typeof summaryOf>[0][number]

const idle = summaryOf([])
const sound = { fault: undefined, connection: undefined, signals: noSignals, calls: idle } as const

test('each thing that a node can see leads to one state and cause', () => {
  const table: readonly (readonly [Partial<TrunkObservation>, string])[] = [
    [{}, 'healthy fine'],
    [{ fault: 'lost', connection: 'port-closed' }, 'down no-asterisk'],
    [{ fault: 'unbound', connection: 'port-closed' }, 'down no-transport'],
    [{ fault: 'silent' }, 'down silent'],
    [{ fault: 'silent', connection: 'certificate' }, 'down certificate'],
    [{ fault: 'refused-object' }, 'down bad-settings'],
    [{ fault: 'lost' }, 'down no-asterisk'],
    [{ fault: 'refused-object', connection: 'host-unknown' }, 'down host-unknown'],
    [{ signals: seen({ silentMs: 2_999 }) }, 'healthy fine'],
    [{ signals: seen({ silentMs: 3_000 }) }, 'down silent'],
    [{ fault: 'unregistered' }, 'down registering'],
    // A challenge is the way to register.
    [{ fault: 'unregistered', signals: seen({ registerStatus: 401 }) }, 'down registering'],
    [{ fault: 'rejected', signals: refusedRegister(401) }, 'down wrong-password 401'],
    [{ fault: 'rejected', signals: refusedRegister(403) }, 'down wrong-password 403'],
    [{ fault: 'rejected', signals: seen({ registerStatus: 403 }) }, 'down registration-refused 403'],
    [{ fault: 'rejected', signals: refusedRegister(404) }, 'down registration-refused 404'],
    [{ fault: 'unregistered', signals: refusedRegister(503) }, 'down overloaded 503'],
    // Refused earlier, registered now.
    [{ signals: refusedRegister(403) }, 'healthy fine'],
    [{ signals: seen({ optionsStatus: 503 }) }, 'down overloaded 503'],
    [{ signals: seen({ optionsStatus: 404 }) }, 'healthy fine'],
    [{ signals: seen({ optionsStatus: 403 }) }, 'degraded address-refused 403'],
    [{ signals: seen({ optionsStatus: 403 }), calls: refused(403, 1) }, 'down address-refused 403'],
    [{ signals: seen({ optionsStatus: 403 }), calls: summaryOf([rang(500)]) }, 'healthy fine'],
    [{ calls: refused(403, 4) }, 'healthy fine'],
    [{ calls: refused(403, 5) }, 'down address-refused 403'],
    [{ calls: refused(407, 5) }, 'down wrong-password 407'],
    [{ calls: refused(503, 5) }, 'down overloaded 503'],
    [{ calls: refused(502, 5) }, 'down carrier-error 502'],
    [{ calls: refused(488, 5) }, 'down codec 488'],
    [{ calls: refused(484, 5) }, 'down number-format 484'],
    [{ calls: refused(404, 9) }, 'healthy fine'],
    [{ calls: refused(404, 10) }, 'down number-format 404'],
    // Busy and absent subscribers.
    [{ calls: refused(486, 20) }, 'healthy fine'],
    [{ calls: summaryOf([...calls(503, 5), rang(500)]) }, 'healthy fine'],
    [{ calls: summaryOf([rang(500), ...calls(503, 5)]) }, 'down overloaded 503'],
    [{ calls: summaryOf(Array.from({ length: 5 }, () => call({ talkMs: 100 }))) }, 'down answered-unseen'],
    [{ calls: summaryOf(Array.from({ length: 5 }, () => rang(8_000))) }, 'degraded late-ringing'],
    [{ calls: summaryOf(Array.from({ length: 5 }, () => rang(7_999))) }, 'healthy fine'],
  ]
  for (const [change, expected] of table) {
    const { state, cause, status } = evaluateTrunkHealth({ ...sound, ...change })
    assert.equal([state, cause, status].filter((part) => part !== null).join(' '), expected, JSON.stringify(change))
  }
})

const on = { isOn: true, isDraining: false, address: 'sip.example.org' }
const fine: NodeReport = { node: 'a', state: 'healthy', cause: 'fine', status: null, ageMs: 100, changedAgoMs: 5_000 }
const silent: NodeReport = { ...fine, node: 'b', state: 'down', cause: 'silent' }

test('the worst fresh view counts, an old one is not health, and what the operator set comes first', () => {
  const of = (reports: readonly NodeReport[], trunk = on, more = {}) => {
    const health = trunkHealth({ trunk, reports, isStopped: false, isCallerIdChanged: false, ...more })
    return [health.state, health.cause, health.node, health.reportAgeMs]
  }
  assert.deepEqual(of([fine]), ['healthy', 'fine', null, null])
  assert.deepEqual(of([silent]), ['down', 'silent', null, null])
  // Calls go over the other node.
  assert.deepEqual(of([fine, silent]), ['degraded', 'silent', 'b', null])
  assert.deepEqual(of([]), ['down', 'no-report', null, null])
  assert.deepEqual(of([{ ...fine, ageMs: 10_001 }]), ['down', 'no-report', null, 10_001])
  assert.deepEqual(of([{ ...silent, ageMs: 60_000 }, fine]), ['healthy', 'fine', null, null])
  assert.deepEqual(of([silent], { ...on, isDraining: true }), ['draining', 'draining', null, null])
  assert.deepEqual(of([silent], { ...on, isOn: false, isDraining: true }), ['disabled', 'disabled', null, null])
  assert.deepEqual(of([], { ...on, address: '' }), ['healthy', 'simulated', null, null])
  assert.deepEqual(of([fine], on, { isStopped: true }), ['down', 'stopped', null, null])
  assert.deepEqual(of([fine], on, { isCallerIdChanged: true }), ['degraded', 'caller-id-changed', null, null])
  assert.deepEqual(of([silent], on, { isCallerIdChanged: true, isStopped: true }), ['down', 'silent', null, null])
})

test('recent calls are counted by what they came to', () => {
  const mixed = [
    rang(100),
    rang(300),
    call({ sipStatus: 486 }),
    call({}),
    call({ talkMs: 50 }),
    call({ sipStatus: 503 }),
  ]
  assert.deepEqual(summaryOf(mixed), {
    dialled: 6,
    rang: 2,
    postDialMsP95: 300,
    answered: 1,
    refusals: { 486: 1, none: 1, 503: 1 },
    streak: { answered: 1, 503: 1 },
  })
  assert.equal(summaryOf(Array.from({ length: 100 }, (_, n) => rang(n + 1))).postDialMsP95, 95)
})

function seen(signals: Partial<TrunkSignals>): TrunkSignals {
  return { ...noSignals, ...signals }
}

function refusedRegister(status: number): TrunkSignals {
  return seen({ registerStatus: status, registerHadPassword: true })
}

function refused(status: number, count: number): RecentCalls {
  return summaryOf(calls(status, count))
}

function calls(sipStatus: number, count: number): readonly Ended[] {
  return Array.from({ length: count }, () => call({ sipStatus }))
}

function rang(postDialMs: number): Ended {
  return call({ postDialMs, outcome: 'succeeded' })
}

function call(facts: Partial<Ended>): Ended {
  return {
    trunk: 'first',
    mode: 'flash',
    outcome: 'failed',
    sipStatus: undefined,
    postDialMs: undefined,
    ringMs: undefined,
    talkMs: undefined,
    settleMs: 0,
    ...facts,
  }
}
