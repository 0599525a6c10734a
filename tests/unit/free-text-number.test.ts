import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readFreeText } from '../../server/src/domain/numbers/free-text-number.ts'

// Unassigned numbers: in area code 907, which no operator has, or reserved for films.
const meant: readonly [text: string, digits: string | undefined][] = [
  ['+79070000001', '79070000001'],
  ['8 (907) 000-00-01', '79070000001'],
  ['89070000001', '79070000001'],
  ['9070000001', '79070000001'],
  ['79070000001', '79070000001'],
  ['8 701 000 00 01', '77010000001'],
  ['701 000 00 01', '77010000001'],
  ['+77172000001', '77172000001'],
  ['8 800 000 00 01', '78000000001'],
  ['495 000-00-01', '74950000001'],
  ['(343) 000-00-01', '73430000001'],
  ['007 907 000 00 01', '79070000001'],
  ['8-10-1-202-555-0123', '12025550123'],
  ['00 44 20 7946 0123', '442079460123'],
  ['+44 (0)20 7946 0123', '442079460123'],
  ['+1 (202) 555-0123', '12025550123'],
  ['12025550123', '12025550123'],
  ['тел. 8 907 000 00 01 доб. 12', '79070000001'],
  ['8 907 000 00 01, вн. 5', '79070000001'],
  ['+7 907 000-00-01 ext. 12', '79070000001'],
  ['+7 907 000-00-01 x12', '79070000001'],
  ['+7 907 000-00-01#12', '79070000001'],
  ['ext: 8 907 000 00 01', '79070000001'],
  ['tel:+7-907-000-00-01', '79070000001'],
  ['＋７（９０７）０００－００－０１', '79070000001'],
  ['٨ ٩٠٧ ٠٠٠ ٠٠ ٠١', '79070000001'],
  ['८९०७०००००००१'.slice(0, 11), '79070000000'],
  ['𝟕𝟗𝟎𝟕𝟎𝟎𝟎𝟎𝟎𝟎𝟏', '79070000001'],
  ['\u200e+7\u00a0907\u2011000\u201300\u201401\u200f', '79070000001'],
  // Too short, too long, two numbers, or none.
  ['+7 907 000', undefined],
  ['12', undefined],
  ['hello', undefined],
  ['', undefined],
  ['+', undefined],
  ['+7907000000100000', undefined],
  ['+7 907 000 00 01 +7 907 000 00 02', undefined],
  ['8 907 000 00 01 or 8 907 000 00 02', undefined],
  ['+00 7 907 000 00 01', undefined],
]

test('numbers as people write them are read as the number they mean', () => {
  for (const [text, digits] of meant) assert.equal(readFreeText(text), digits, text)
})

const numbers = fc.constantFrom('79070000001', '74950000001', '77010000001', '12025550123', '442079460123')
const decoration = fc.constantFrom('', ' ', '-', '.', ' (', ') ', '\u00a0', '\u2011', '/', '\t')
const scripts = fc.constantFrom(0x30, 0x660, 0x6f0, 0x966, 0xe50, 0xff10, 0x1d7ce)

test('spaces, brackets, dashes and other decoration do not change the number', () => {
  fc.assert(
    fc.property(
      numbers,
      fc.constantFrom('+', '＋', '00', '810', 'tel: +', 'номер 00'),
      fc.array(decoration, { minLength: 15, maxLength: 15 }),
      scripts,
      fc.constantFrom('', ' доб. 12', ' ext 7', ' #3', ' звонить днём'),
      (digits, lead, gaps, zero, tail) => {
        const dressed = [...digits].map((digit, at) => String.fromCodePoint(zero + Number(digit)) + gaps[at]).join('')
        assert.equal(readFreeText(lead + dressed + tail), digits, lead + dressed + tail)
      },
    ),
    { numRuns: 1_000 },
  )
})

// Any code units, including lone surrogates. fast-check's own generator for this takes a second to construct.
const anyText = fc.array(fc.nat(0xffff), { maxLength: 256 }).map((units) => String.fromCharCode(...units))

test('hostile text throws nothing and yields only digits', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.string({ maxLength: 256 })), (text) => {
      const digits = readFreeText(text)
      assert(digits === undefined || /^[1-9]\d{5,15}$/.test(digits), digits)
    }),
    { numRuns: 300 },
  )
  // CPU time, because the machine may be busy. Backtracking from every position would take minutes.
  const before = process.cpuUsage()
  for (const unit of ['1x', '+', '1', 'доб', ' ', '٧', '1 ']) readFreeText(unit.repeat(100_000))
  const { user, system } = process.cpuUsage(before)
  assert(user + system < 5e6, 'a long text takes more than linear time')
})
