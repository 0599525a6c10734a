import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { ServiceId, VerificationId } from '../../server/src/domain/core/slot.ts'
import { type MicroAmount, toDecimal } from '../../server/src/domain/money/money.ts'
import {
  type DescribedVerification,
  describeVerification,
  endings,
} from '../../server/src/domain/verifications/describe-verification.ts'
import { callScenarios } from '../support/sip/call-scenarios.ts'

const describe = (verification: DescribedVerification) =>
  describeVerification(verification, (amount) => `EUR ${toDecimal(amount)}`)
const source = new URL('../../server/src/', import.meta.url)
const dialledAt = new Date('2026-11-15T01:49:34.500Z')

// Accepted 2026-11-15T01:49:34Z, in slot 5.
const id = ((1_794_707_374 - 1_767_225_600) * 2 ** 23 + 5 * 2 ** 17 + 7) as VerificationId
const made: DescribedVerification = {
  id,
  serviceId: 126 as ServiceId,
  mode: 'flash',
  state: 'succeeded',
  isTest: false,
  phoneMask: '7900***0180',
  country: 'RU',
  chargesFailed: false,
  price: 800_000 as MicroAmount,
  attempt: 1,
  trunk: 'demo',
  callerNumber: 70_000_004_821,
  dialledAt,
  rangAt: new Date(dialledAt.getTime() + 2_130),
  reason: 'rang',
  sipStatus: null,
  postDialMs: null,
  ringMs: null,
}
const head = `Verification ${id} of service 126 to 7900***0180`
const dialled = 'accepted 2026-11-15T01:49:34Z, dialled over demo from 70000004821 (attempt 1)'

test('a finished verification is described in order, on one line', () => {
  assert.equal(describe(made), `${head} (flash, RU): ${dialled}, rang after 2.1 s, hung up by us, charged EUR 0.8.`)
  assert.equal(
    describe({ ...made, rangAt: null, postDialMs: 1_940, ringMs: 5_012 }),
    `${head} (flash, RU): ${dialled}, rang after 1.9 s for 5.0 s, hung up by us, charged EUR 0.8.`,
  )
  assert.equal(
    describe({ ...made, mode: 'voice', state: 'failed', rangAt: null, reason: 'refused', sipStatus: 404 }),
    `${head} (voice, RU): ${dialled}, refused with 404, nothing was charged.`,
  )
})

test('a verification in progress is described up to its latest event', () => {
  const open = { reason: null, rangAt: null }
  const waiting = describe({ ...made, ...open, state: 'accepted', attempt: 0, dialledAt: null })
  assert.equal(
    waiting,
    `${head} (flash, RU): accepted 2026-11-15T01:49:34Z, not dialled yet, EUR 0.8 is held.`,
    'the row names a trunk from the start, but nothing was dialled over it yet',
  )
  assert.match(describe({ ...made, ...open, state: 'dialling' }), /attempt 1\), in progress, EUR 0\.8 is held\.$/)
})

test('the charge is stated as an amount, or as nothing or a free test', () => {
  const charge = (verification: Partial<DescribedVerification>) =>
    describe({ ...made, ...verification }).split(', hung up by us, ')[1]
  assert.equal(charge({ price: 1_234_500 as MicroAmount }), 'charged EUR 1.2345.')
  assert.equal(charge({ price: 100_000_000 as MicroAmount }), 'charged EUR 100.')
  assert.equal(charge({ state: 'failed' }), 'nothing was charged.')
  assert.equal(charge({ isTest: true, price: 0 as MicroAmount }), 'test call, free.')
})

test('a SIP status is shown only where it says how the call ended', () => {
  const ending = (reason: string, sipStatus: number | null) =>
    describe({ ...made, reason, sipStatus })
      .split('rang after 2.1 s, ')[1]
      ?.split(', charged')[0]
  assert.equal(ending('rang', 486), 'ended by the other side with 486')
  assert.equal(ending('refused', null), 'refused')
  assert.equal(ending('rejected', 603), 'rejected by the subscriber')
  assert.equal(ending('made-up', 500), 'ended: made-up')
  assert.equal(ending('toString', null), 'ended: toString')
})

test('an inbound verification is described by who called and when', () => {
  const waiting = { ...made, mode: 'inbound', state: 'accepted', dialledAt: null, rangAt: null, reason: null } as const
  assert.match(
    describe(waiting),
    /^Verification \d+ of service \d+ from [^,]+ \(inbound, RU\): .*, waiting for a call to \d+ over [a-z]+, not called yet, /,
  )
  assert.match(describe({ ...waiting, state: 'failed', reason: 'not-called' }), /not called by .* in time, noth/)
})

test('every outcome reason and database reason has a distinct description', () => {
  const decisions = literals(
    /export type OutcomeReason =([^]*?)\n\n/.exec(read('domain/verifications/call-outcome.ts'))?.[1],
  )
  const overdue = literals(/'reason',\s*CASE([^]*?)END/.exec(read('db/functions/sweep.sql'))?.[1]).filter(
    (word) => word !== 'accepted' && word !== 'inbound',
  )
  const undone = ['actions', 'engine'].flatMap((station) =>
    globSync('**/*.ts', { cwd: new URL(`${station}/`, source) }).flatMap((file) =>
      [...read(`${station}/${file}`).matchAll(/reason: '([^']+)'/g)].map(([, reason = '']) => reason),
    ),
  )
  assert.equal(decisions.length, 11)
  assert.deepEqual(overdue.toSorted(), ['lost', 'lost-ringing', 'not-called', 'not-started'])
  assert(undone.includes('not-dispatched'))
  const waited = [...read('db/functions/match-inbound-calls.sql').matchAll(/'reason', '([^']+)'/g)].map(
    ([, reason = '']) => reason,
  )
  assert.deepEqual(waited, ['called'])
  const known = new Set([...decisions, ...overdue, ...undone, ...waited])
  assert.deepEqual(Object.keys(endings).toSorted(), [...known].toSorted())
  assert.deepEqual(
    callScenarios.filter(({ reason }) => !Object.hasOwn(endings, reason)),
    [],
  )
  const words = Object.values(endings).map((ending) => ending.words)
  assert.equal(new Set(words).size, words.length, 'two reasons have the same description')
})

function read(path: string): string {
  return readFileSync(new URL(path, source), 'utf8')
}

function literals(text: string | undefined): string[] {
  return [...(text ?? '').matchAll(/'([^']+)'/g)].map(([, word = '']) => word)
}
