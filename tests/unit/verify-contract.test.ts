import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyExamples } from '@ringproof/contract/v2/examples.ts'
import { verifyDocument } from '@ringproof/contract/v2/openapi.ts'
import {
  exampleProblem,
  operationProblems,
  Problem,
  type ProblemName,
  problemCode,
} from '@ringproof/contract/v2/problems.ts'
import {
  CheckCode,
  NextCall,
  StartedVerification,
  StartVerification,
  Verification,
} from '@ringproof/contract/v2/verification.ts'
import { Compile } from 'typebox/compile'

const shapes = {
  start: StartVerification,
  started: StartedVerification,
  verification: Verification,
  check: CheckCode,
  approved: Verification,
  next: NextCall,
} as const

test('every example fits its schema; with a field missing or added it does not', () => {
  for (const [name, schema] of Object.entries(shapes)) {
    const shape = Compile(schema)
    const example: Readonly<Record<string, unknown>> = verifyExamples[name as keyof typeof shapes]
    assert(shape.Check(example), name)
    assert(!shape.Check({ ...example, undeclared: 1 }), name)
    const [required = ''] = (schema as { required?: readonly string[] }).required ?? []
    const rest = Object.fromEntries(Object.entries(example).filter(([field]) => field !== required))
    assert(!shape.Check(rest), `${name} without ${required}`)
  }
})

// Field, taken, refused.
test('a start takes what the contract says, and refuses what is misspelt', () => {
  const shape = Compile(StartVerification)
  const cases = [
    ['phone', ['+79000000001', '79000000001'], ['079000000001', '7 900', 79000000001, '+7900\n0000001']],
    ['channels', ['auto', ['flash'], ['flash', 'voice', 'mix', 'inbound']], [[], ['flash', 'flash'], ['sms']]],
    ['checks', [1, 5], [0, 6, '3', 1.5]],
    ['ttl_seconds', [60, 600], [59, 601]],
    ['silence_seconds', [null, 20, 300], [19, 301]],
    ['metadata', [{ plan: 'pro' }, {}], [{ Plan: 'pro' }, { plan: 1 }]],
    ['check', [], [3]],
  ] as const
  for (const [field, taken, refused] of cases) {
    const request = (value: unknown) => ({ phone: '+79000000001', [field]: value })
    for (const value of taken) assert(shape.Check(request(value)), `${field} ${JSON.stringify(value)}`)
    for (const value of refused) assert(!shape.Check(request(value)), `${field} ${JSON.stringify(value)}`)
  }
})

test('a code is a text of digits', () => {
  const shape = Compile(CheckCode)
  for (const code of ['0417', '0000']) assert(shape.Check({ code }), code)
  for (const code of [417, '417', '04 17', '٠٤١٧', '0417\n', null]) assert(!shape.Check({ code }), String(code))
})

test('every problem of every operation has an example in both languages', () => {
  const shape = Compile(Problem)
  const names = new Set<ProblemName>(Object.values(operationProblems).flat())
  assert(names.size > 28, `${names.size} problems`)
  for (const name of names) {
    for (const language of ['en', 'ru'] as const) {
      const problem = exampleProblem(name, 'https://ringproof.example', language)
      assert(shape.Check(problem), name)
      assert.equal(problem.code, problemCode(name))
      assert(problem.status >= 400, name)
      assert.doesNotMatch(`${problem.title} ${problem.detail}`, /[{}]/, name)
    }
  }
})

test('the OpenAPI document has every operation, and refers to its components', () => {
  const document = verifyDocument('https://ringproof.example')
  const ids = JSON.stringify(document).match(/(?<="operationId":")\w+/g) ?? []
  assert.deepEqual(ids.toSorted(), Object.keys(operationProblems).toSorted())
  const references = new Set(JSON.stringify(document).match(/#\/components\/schemas\/\w+/g))
  for (const name of ['Verification', 'Call', 'Channel', 'Money', 'Problem', 'StartVerification']) {
    assert(references.has(`#/components/schemas/${name}`), name)
  }
})
