import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskTyped, noteSearched, searchedText } from '../../web/src/shell/searched.ts'

test('a searched number is shown masked, however it was typed; another text as it is', () => {
  assert.equal(maskTyped('+7 (900) 000-05-99'), '+7900***0599')
  assert.equal(maskTyped('79000000599'), '+7900***0599')
  assert.equal(maskTyped('order-1042'), 'order-1042')
})

test('what was searched is known by its name in the address, and nothing else is', () => {
  noteSearched('a-name', '+7900***0599')
  assert.equal(searchedText('a-name'), '+7900***0599')
  assert.equal(searchedText('another-name'), undefined)
})
