// The setup checklist: what is done, what is done with a remark, and what is open.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setupSteps } from '@ringproof/contract/lists/installation.ts'
import { bad, type Finding, good, warning } from '../../server/src/domain/installation/finding.ts'
import { evaluateSetup, type SetupFacts, type SetupStep } from '../../server/src/domain/installation/setup.ts'

// One trunk and 10 000 numbers.
const facts: SetupFacts = { purpose: 'provider', trunks: ['alfa'], numbers: 10_000, tariffs: 1, hasRung: true }
const findings: readonly Finding[] = [
  good('trunks', 'alfa', 'It answers.'),
  good('codes', 'RU', 'All codes have a number.'),
  good('registry', '', 'It is new.'),
  good('proxy', '', 'TLS.'),
  good('mail', '', 'It accepts mail.'),
  good('backup', 'main', 'It is new.'),
]

const openIn = (changed: Partial<SetupFacts>, found = findings) =>
  evaluateSetup({ ...facts, ...changed }, found)
    .filter(({ state }) => state === 'open')
    .map(({ step }) => step)
const without = (check: string) => findings.filter((finding) => finding.check !== check)
const stateOf = (step: SetupStep, found: readonly Finding[]) =>
  evaluateSetup(facts, found).find((one) => one.step === step)?.state

test('one trunk with 10 000 numbers is all that is needed', () => {
  assert.deepEqual(
    evaluateSetup(facts, findings).map(({ step, state }) => [step, state]),
    setupSteps.map((step) => [step, 'done']),
  )
})

test('where no calls are sold, no price has to be set', () => {
  const own = evaluateSetup({ ...facts, purpose: 'own', tariffs: 0 }, findings)
  assert.deepEqual(
    own.map(({ step }) => step),
    setupSteps.filter((step) => step !== 'tariff'),
  )
})

test('what is missing is open, and nothing else', () => {
  assert.deepEqual(openIn({ trunks: [] }), ['trunk'])
  assert.deepEqual(openIn({ numbers: 0 }), ['numbers'])
  assert.deepEqual(openIn({ tariffs: 0 }), ['tariff'])
  assert.deepEqual(openIn({ hasRung: false }), ['call'])
  assert.deepEqual(openIn({ trunks: [], numbers: 0, tariffs: 0, hasRung: false }, []), setupSteps)
})

test('what could not be examined is open', () => {
  assert.deepEqual(openIn({}, without('registry')), ['registry'])
  assert.deepEqual(openIn({}, without('backup')), ['backup'])
})

test('a warning leaves a step open where it means that something is missing', () => {
  const warned = (check: 'codes' | 'mail' | 'registry' | 'proxy' | 'backup') => [
    ...without(check),
    warning(check, '', 'Something.', 'do it'),
  ]
  assert.equal(stateOf('registry', warned('registry')), 'open')
  assert.equal(stateOf('messages', warned('mail')), 'open')
  assert.equal(stateOf('backup', warned('backup')), 'open')
  assert.equal(stateOf('numbers', warned('codes')), 'attention')
  assert.equal(stateOf('tls', warned('proxy')), 'attention')
})

test('a carrier that does not answer opens the step, a trunk that is no carrier does not', () => {
  assert.equal(stateOf('trunk', [...findings, bad('trunks', 'alfa', 'Silent.', 'look')]), 'open')
  assert.equal(stateOf('trunk', [...findings, bad('trunks', 'other', 'Silent.', 'look')]), 'done')
  assert.equal(stateOf('trunk', [...findings, bad('trunks', '', 'All are stopped.', 'resume')]), 'open')
})
