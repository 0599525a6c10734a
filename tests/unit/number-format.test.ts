import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberFormats } from '@ringproof/contract/lists/trunks.ts'
import fc from 'fast-check'
import { readNumber, writeNumber } from '../../server/src/domain/numbers/number-format.ts'
import type { PhoneNumber } from '../../server/src/domain/numbers/phone-number.ts'

const ours = '79070000001' as PhoneNumber
const abroad = '15550100123' as PhoneNumber

test('each carrier format writes a number its own way', () => {
  assert.deepEqual(
    numberFormats.map((format) => [writeNumber(format, ours), writeNumber(format, abroad)]),
    [
      ['79070000001', '15550100123'],
      ['+79070000001', '+15550100123'],
      ['89070000001', '81015550100123'],
      ['9070000001', '15550100123'],
    ],
  )
})

test('a written number is read back unchanged', () => {
  for (const format of numberFormats) {
    for (const number of [ours, abroad]) assert.equal(readNumber(format, writeNumber(format, number)), number)
  }
})

test('a number in another format is not read', () => {
  const strangers: Readonly<Record<(typeof numberFormats)[number], readonly string[]>> = {
    e164: ['79070000001', '89070000001', '++79070000001', '+', '+0'],
    'e164-no-plus': ['+79070000001', '079070000001', '907', ''],
    'ru-8': ['79070000001', '+79070000001', '9070000001', '8907000000', '810', '8100'],
    'ru-10': ['+79070000001', '907000000', '0000000000000000'],
  }
  for (const format of numberFormats) {
    for (const text of strangers[format]) assert.equal(readNumber(format, text), undefined, `${format}: ${text}`)
  }
})

// Any code units, including lone surrogates. fast-check's own generator for this takes a second to construct.
const anyText = fc.array(fc.nat(0xffff), { maxLength: 256 }).map((units) => String.fromCharCode(...units))

test('hostile text is never read as a number, and yields only digits', () => {
  fc.assert(
    fc.property(fc.constantFrom(...numberFormats), anyText, (format, text) => {
      const number = readNumber(format, text)
      assert(number === undefined || /^[1-9]\d{6,14}$/.test(number))
    }),
  )
})
