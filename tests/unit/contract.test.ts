import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examples } from '@ringproof/contract/examples.ts'
import { methods } from '@ringproof/contract/methods.ts'
import { openApiDocument } from '@ringproof/contract/openapi.ts'
import { type MethodParameters, methodParameters } from '@ringproof/contract/parameters.ts'
import { responses } from '@ringproof/contract/responses.ts'
import { Compile } from 'typebox/compile'

const about = { publicUrl: 'https://ringproof.example', version: '1.2.3' }

test('every golden response matches its schema; with a field missing or added it does not', () => {
  for (const method of methods) {
    const shape = Compile(responses[method])
    const response = examples[method].response as Record<string, unknown>
    assert.equal(shape.Check(response), true, method)
    assert(!shape.Check({ ...response, undeclared: 1 }), method)
    const [first = ''] = Object.keys(response)
    const rest = Object.fromEntries(Object.entries(response).filter(([name]) => name !== first))
    assert(!shape.Check(rest), `${method} without ${first}`)
  }
})

test('every golden request is accepted, as JSON and as text', () => {
  for (const method of methods) {
    const { required, optional }: MethodParameters = methodParameters[method]
    const request = examples[method].request
    for (const name of Object.keys(required)) assert(name in request, `${method} lacks ${name}`)
    for (const [name, value] of Object.entries(request)) {
      const parameter = required[name] ?? optional[name]
      assert(parameter && Compile(parameter.json).Check(value), `${method} ${name}`)
      assert(Compile(parameter.text).Check(String(value)), `${method} ${name} as text`)
    }
  }
})

// Type, value, whether the schema accepts it.
test('the schemas accept and reject boundary values as the contract says', () => {
  const { phone, code, client, unique, voice } = {
    ...methodParameters.initCall.required,
    ...methodParameters.initCall.optional,
  }
  const { uid } = methodParameters.getInfo.required
  const cases = [
    [
      phone.json,
      [79000000001, '79000000001', '+79000000001', 1234567],
      [123456, '079000000001', '7 900', '٧٩٠٠٠٠٠٠٠٠١', 7.5, true, [], '79000000001\n'],
    ],
    [phone.text, ['79000000001', '+79000000001'], ['', '++79000000001', '1234567890123456', ['79000000001']]],
    [code.json, ['0042', 42, '9999', 1], ['0000', '123', 0, 10000, 1.5, '12 4', '１２３４', true]],
    [code.text, ['0042', '42', '7'], ['0', '0000', '12345', '', '-1']],
    [client.json, ['', 'ж'.repeat(64), '😀'.repeat(64), 17], ['x'.repeat(65), '😀'.repeat(65), true, []]],
    [unique.json, ['u', 'n'.repeat(64), 5], ['', 'u'.repeat(65), 'a\nb', 'a\u0000b', 'a\u0085b', {}]],
    [voice.json, [true, false, 1, 0, '1', '0', 'true', 'True', 'false', 'False'], ['yes', 2, -1, '', 'TRUE', [], {}]],
    [voice.text, ['1', 'True', 'false'], ['', 'yes', '2']],
    [uid.json, [1, 9007199254740991, '9007199254740991'], [0, -1, 1.5, '007', '1e3', '', true]],
    [uid.text, ['12'], ['0', '1.0', '12 ', 'abc', '99999999999999999']],
  ] as const
  for (const [schema, taken, refused] of cases) {
    const { Check } = { Check: (value: unknown) => Compile(schema).Check(value) }
    for (const value of taken) assert(Check(value), JSON.stringify(value))
    for (const value of refused) assert(!Check(value), JSON.stringify(value))
  }
})

test('the OpenAPI document has GET and POST for every method', () => {
  const document = openApiDocument(about) as { openapi: string; paths: Record<string, Record<string, unknown>> }
  assert.equal(document.openapi, '3.1.0')
  for (const method of methods) {
    assert.deepEqual(Object.keys(document.paths[`/v1.0/${method}`] ?? {}).toSorted(), ['get', 'post'])
  }
})
