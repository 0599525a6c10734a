import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTyped } from '../../web/src/shell/typed.ts'

test('up to four digits are the code of an error or nothing, a UUID is a request, anything longer is searched', () => {
  assert.deepEqual(readTyped('19', false), { kind: 'error', code: 19 })
  assert.deepEqual(readTyped(' 1002 ', true), { kind: 'error', code: 1002 })
  assert.equal(readTyped('9999', false), undefined)
  const id = '0198C0DE-0000-7000-8000-000000000001'
  assert.deepEqual(readTyped(id, false), { kind: 'request', id: id.toLowerCase() })
  for (const text of ['79000000001', '+7 900 000-00-01', 'order 15', '12345']) {
    assert.deepEqual(readTyped(text, false), { kind: 'calls' }, text)
  }
  for (const text of ['', '  ', 'ab']) assert.equal(readTyped(text, false), undefined, text)
})

test('where no calls are sold there is no code of missing money', () => {
  assert.equal(readTyped('1002', false), undefined)
  assert.deepEqual(readTyped('1001', false), { kind: 'error', code: 1001 })
})
