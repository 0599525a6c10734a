// Numbers that no carrier is asked for: which they are, which trunk carries them, and how a simulated call to one goes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  changedCallerNumber,
  isScenarioNumber,
  isTestNumber,
  testCallerNumber,
} from '../../server/src/domain/numbers/test-number.ts'
import {
  type PhoneFault,
  type PhoneState,
  simulateProgress,
  testNumberPhone,
} from '../../server/src/domain/phones/virtual-phone.ts'
import { carries, type Trunk, trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { outcomeOf } from '../../server/src/domain/verifications/call-outcome.ts'
import { inviteRequest } from '../../server/src/telephony/asterisk/invite.ts'

const carrier: Trunk = { ...trunkDefaults, name: 'one', channels: 10, callsPerSecond: 5 }
const phones: Trunk = { ...carrier, name: 'phones', isTest: true }

test('scenario numbers are 79000001000 to 79000009999 and nothing else', () => {
  for (const number of ['79000001000', '79000004821', '79000009999']) assert(isScenarioNumber(number), number)
  const others = ['79000000001', '79000000999', '79000010000', '7900000100', '790000010000', '+79000001000', '']
  for (const number of others) assert(!isScenarioNumber(number), number)
  assert(!isTestNumber('79000001000'))
})

test('no trunk but the test trunk is asked for a scenario number, and the test trunk for nothing else', () => {
  const invite = (trunk: Trunk, to: string) =>
    inviteRequest('node', trunk, { channelId: '1', trunk: trunk.name, to, from: '70000004821', originateTimeoutMs: 1 })
  assert.doesNotThrow(() => invite(phones, '79000004821'))
  assert.doesNotThrow(() => invite(carrier, '79070000180'))
  assert.throws(() => invite(carrier, '79000004821'), RangeError)
  assert.throws(() => invite(phones, '79070000180'), RangeError)
  fc.assert(
    fc.property(fc.integer({ min: 7_000_000, max: 99_999_999_999 }), (number) => {
      assert.equal(carries(phones, String(number)), !carries(carrier, String(number)))
    }),
  )
})

test('a caller ID of a test call ends with the code; a changed one never does', () => {
  assert.equal(testCallerNumber('0042'), 70000000042)
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999 }), (code) => {
      const changed = changedCallerNumber(testCallerNumber(String(code)))
      assert.notEqual(changed % 10_000, code)
      assert(String(changed).startsWith('7000000') && String(changed).length === 11)
    }),
  )
})

test('what a simulated phone does decides the outcome in each mode', () => {
  const outcome = (state: PhoneState, mode: 'flash' | 'voice' | 'mix', ...faults: readonly PhoneFault[]) => {
    const progress = simulateProgress({ state, faults: new Set(faults) }, mode, 5_000)
    const { succeeded, reason, mayTryNextTrunk } = outcomeOf(mode, progress, false)
    assert(!mayTryNextTrunk)
    return [succeeded, reason, progress.status ?? '', progress.rangAtMs ?? 'silent', progress.endedAtMs].join(' ')
  }
  assert.deepEqual(
    [outcome('rings', 'flash'), outcome('rings', 'voice'), outcome('rings', 'mix')],
    ['true rang  400 5400', 'false not-answered  400 25400', 'true rang  400 25400'],
  )
  assert.deepEqual(
    [outcome('answers', 'flash'), outcome('answers', 'voice'), outcome('answers', 'mix')],
    ['true rang  400 1900', 'true spoken  400 7900', 'true rang  400 7900'],
  )
  assert.deepEqual(
    [outcome('fails', 'flash'), outcome('busy', 'voice'), outcome('off', 'mix')],
    ['false refused 404 silent 400', 'false refused 486 silent 400', 'false refused 480 silent 400'],
  )
  assert.deepEqual(
    [outcome('rings', 'flash', 'late-ring'), outcome('rings', 'flash', 'no-ring'), outcome('off', 'flash', 'no-ring')],
    ['true rang  4000 9000', 'false no-ringing  silent 20000', 'false refused 480 silent 400'],
  )
})

test('of the test numbers one always succeeds and one always fails, in every mode', () => {
  for (const mode of ['flash', 'voice', 'mix'] as const) {
    const succeeds = (number: string) => {
      const phone = testNumberPhone(number, mode)
      assert(phone)
      return outcomeOf(mode, simulateProgress(phone, mode, 5_000), false).succeeded
    }
    assert.deepEqual([succeeds('79000000001'), succeeds('79000000002')], [true, false], mode)
  }
  assert.equal(testNumberPhone('79000001000', 'flash'), undefined)
})
