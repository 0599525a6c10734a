import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  type Explanation,
  explain,
  explanations,
  refusalExplanations,
} from '../../server/src/domain/verifications/call-explanation.ts'
import { endings } from '../../server/src/domain/verifications/describe-verification.ts'
import { callScenarios } from '../support/sip/call-scenarios.ts'

const page = readFileSync(new URL('../../docs/reference/calls.md', import.meta.url), 'utf8')

test('the reference page lists exactly the outcomes and refusals that the code has', () => {
  assert.deepEqual(rowsOf('Outcomes'), rowsFrom(explanations))
  assert.deepEqual(rowsOf('Refusals'), rowsFrom(refusalExplanations))
})

test('every outcome is explained in full sentences', () => {
  assert.deepEqual(Object.keys(explanations).toSorted(), Object.keys(endings).toSorted())
  for (const { cause, advice } of [...Object.values(explanations), ...Object.values(refusalExplanations)]) {
    assert.match(cause, /^[A-Z][^|]+\.$/)
    assert.match(advice, /^[A-Z][^|]+\.$/)
  }
})

test('every status that decides between the next trunk and giving up has its own explanation', () => {
  const statuses = callScenarios.filter(({ reason }) => reason === 'refused').map(({ scenario }) => Number(scenario))
  const decided = statuses.filter((status) => ![123, 202, 301, 777, 505, 599].includes(status))
  assert.deepEqual(
    decided.filter((status) => !refusalExplanations[status]),
    [],
  )
})

test('a refusal is explained by its SIP status, where that is known', () => {
  assert.equal(explain('refused', 404), refusalExplanations[404])
  assert.equal(explain('refused', 499), explanations.refused)
  assert.equal(explain('refused', null), explanations.refused)
  assert.equal(explain('rang', 486), explanations.rang)
  assert.equal(explain('made-up', null), undefined)
  assert.equal(explain('toString', null), undefined)
})

function rowsOf(section: string): string[] {
  const text = page.split(`## ${section}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = text.split('\n').filter((line) => line.startsWith('| '))
  return rows.slice(1)
}

function rowsFrom(table: Readonly<Record<string, Explanation>>): string[] {
  return Object.entries(table).map(
    ([name, { cause, atFault, advice }]) => `| ${name} | ${cause} | ${atFault} | ${advice} |`,
  )
}
