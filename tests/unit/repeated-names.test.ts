import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { repeatedNames } from '../../server/src/http/repeated-names.ts'

test('a repeated field name is reported, however it is spelled', () => {
  for (const [text, names] of [
    ['{}', []],
    ['{"phone":1,"code":2}', []],
    ['{"phone":1,"phone":2}', ['phone']],
    ['{"phone":1,"\\u0070hone":null,"phone":3}', ['phone']],
    ['{ "a" : "b\\":\\"a" , "c" : {"a":1,"a":2}, "d": ["a", {"a":[]}] }', []],
    ['{"":1,"":2}', ['']],
    ['{"a" :1,"a"\n:2}', ['a']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['{"a":{"x":1},"b":"}","a":[1]}', ['a']],
  ] as const) {
    assert.deepEqual(repeatedNames(text, JSON.parse(text) as object), names, text)
  }
})

test('a repeated name that V8 stores under another key is reported too', () => {
  JSON.parse('{"\\"":1,"\\\\":2}')
  const text = '{"\\"":1,"\\"":2}'
  assert.deepEqual(repeatedNames(text, JSON.parse(text) as object), ['"'])
})

test('for any object: exactly the repeated names are reported', () => {
  const name = fc.oneof(fc.constantFrom('phone', 'key', '"', '\\', ':', '{', 'é'), fc.string({ maxLength: 3 }))
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.jsonValue())), (members) => {
      const text = `{${members.map(([key, value]) => `${JSON.stringify(key)} : ${JSON.stringify(value)}`).join(' ,\n')}}`
      const names = members.map(([key]) => key)
      const twice = new Set(names.filter((key, at) => names.indexOf(key) !== at))
      assert.deepEqual(new Set(repeatedNames(text, JSON.parse(text) as object)), twice, text)
    }),
    { numRuns: 500 },
  )
})
