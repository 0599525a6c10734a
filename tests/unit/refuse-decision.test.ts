import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuseDecision } from '../../server/src/domain/verifications/refuse-decision.ts'
import { refusalSentence } from '../../server/src/process/errors.ts'

const apiClient = { calls10Minutes: 3, callsDay: 7 }

test('each decision of the database becomes its refusal, with the limit that was reached and when to retry', () => {
  const cases: readonly (readonly [decision: string, retryMs: number | null, refusal: string, says: RegExp])[] = [
    ['cap-hour', 60_000, 'capReached 60', /verifications an hour/],
    ['cap-day', 3_600_000, 'capReached 3600', /verifications a day/],
    ['cap-spend', 3_600_000, 'capReached 3600', /spend a day/],
    ['cap-prefix', 1_500, 'prefixCapReached 2', /./],
    ['opted-out', null, 'phoneOptedOut', /./],
    ['no-money', null, 'insufficientFunds', /./],
    ['too-soon', 14_001, 'numberCooldown 15', /./],
    ['used-up-all', 0, 'numberLimitReached 1', /\b30 a day/],
    ['used-up-10-minutes', 60_000, 'numberLimitReached 60', /\b3 in ten minutes/],
    ['used-up-day', 60_000, 'numberLimitReached 60', /\b7 a day/],
    ['inbound-limit', 60_000, 'numberLimitReached 60', /\b5 waits for one number/],
    ['inbound-limit-account', 60_000, 'numberLimitReached 60', /\b10 waits of one account/],
    ['tests-used-up', 9_000, 'unavailable 9', /./],
    ['no-number', null, 'unavailable 5', /./],
  ]
  for (const [decision, retryMs, expected, says] of cases) {
    const refusal = refuseDecision({ decision, retryMs }, apiClient)
    const { refusal: name, retryAfterSeconds } = refusal
    assert.equal(retryAfterSeconds === undefined ? name : `${name} ${retryAfterSeconds}`, expected, decision)
    assert.match(refusalSentence(refusal, 'en'), says)
    assert.doesNotThrow(() => refusalSentence(refusal, 'ru'))
  }
  assert.throws(() => refuseDecision({ decision: 'maybe', retryMs: null }, apiClient), /unknown decision/)
})
