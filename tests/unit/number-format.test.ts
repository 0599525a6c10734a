import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { numberFormats, readNumber, writeNumber } from '../../server/src/domain/numbers/number-format.ts'
import type { PhoneNumber } from '../../server/src/domain/numbers/phone-number.ts'

const ours = '79070000001' as PhoneNumber
const abroad = '15550100123' as PhoneNumber

test('each habit spells a number in its own way', () => {
  assert.deepEqual(
    numberFormats.map((format) => [writeNumber(format, ours), writeNumber(format, abroad)]),
    [
      ['+79070000001', '+15550100123'],
      ['79070000001', '15550100123'],
      ['89070000001', '81015550100123'],
      ['9070000001', '15550100123'],
    ],
  )
})

test('what is written is read back', () => {
  for (const format of numberFormats) {
    for (const number of [ours, abroad]) assert.equal(readNumber(format, writeNumber(format, number)), number)
  }
})

test('what is spelled by another habit is nobody', () => {
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

// Any code units, halves of pairs too; the library's own text of this kind takes a second to be made.
const anyText = fc.array(fc.nat(0xffff), { maxLength: 256 }).map((units) => String.fromCharCode(...units))

test('hostile text is never a number, and nothing but digits comes out', () => {
  fc.assert(
    fc.property(fc.constantFrom(...numberFormats), anyText, (format, text) => {
      const number = readNumber(format, text)
      assert(number === undefined || /^[1-9]\d{6,14}$/.test(number))
    }),
  )
})
