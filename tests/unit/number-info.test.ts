import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { countryName } from '../../server/src/domain/numbers/country.ts'
import { lookupNumber, nationalFormat, partsOf } from '../../server/src/domain/numbers/number-info.ts'
import { describeNumber } from '../../server/src/domain/numbers/number-plan.ts'
import {
  emptyNumberingIndex,
  type NumberingIndex,
  type RegistryRange,
} from '../../server/src/domain/numbers/numbering-index.ts'

const range: RegistryRange = {
  organisation: 'ООО "Связь ""Север"""',
  inn: '0000000000',
  region: 'Край Пример',
  city: 'Город Пример',
  isReserve: false,
}

// Numbers that end in 0 to 4 are assigned, 5 is in reserve, the rest is unassigned. 1 was ported to a known network, 2
// to an unknown one.
const index: NumberingIndex = {
  version: 'test',
  covers: (national) => String(national).startsWith('9') || String(national).startsWith('8'),
  find: (national) => {
    if (national % 10 > 5) return undefined
    return national % 10 === 5
      ? { ...range, isReserve: true }
      : { ...range, inn: national % 10 === 3 ? '7740000076' : '' }
  },
  ported: (national) => [undefined, { owner: 'mMEGAFON', mnc: '02' }, { owner: 'mSOMEONE', mnc: '01' }][national % 10],
}

test('an imported registry decides on Russian numbers', () => {
  const info = (digits: string) => {
    const { country, isValid, kind, isCallable } = describeNumber(digits, index)
    return `${country} ${isValid ? kind : 'invalid'}${isCallable ? ' called' : ''}`
  }
  assert.equal(info('79070000000'), 'RU mobile called')
  assert.equal(info('79070000005'), 'RU invalid')
  assert.equal(info('79070000009'), 'RU invalid')
  assert.equal(info('79540000000'), 'RU other')
  assert.equal(info('79710000000'), 'RU other')
  assert.equal(info('78120000000'), 'RU fixed called')
  assert.equal(info('78000000000'), 'RU other')
  assert.equal(info('78000800009'), 'KZ other')
  assert.equal(info('79400000000'), 'GE mobile')
  assert.equal(info('78500000000'), 'GE fixed')
  // For a file kind that was not imported, the numbering plans decide.
  assert.equal(info('74950000009'), 'RU fixed called')
  assert.equal(info('77010000009'), 'KZ mobile called')
})

test('operator, region and city of a Russian number', () => {
  assert.deepEqual(lookupNumber('79070000000', 'RU', index), {
    provider: 'Связь Север',
    currentProvider: 'Связь Север',
    isPorted: false,
    mnc: undefined,
    organisation: 'ООО "Связь ""Север"""',
    region: 'Край Пример',
    city: 'Город Пример',
  })
  const of = (digits: string) => {
    const { provider, currentProvider, isPorted, mnc } = lookupNumber(digits, 'RU', index)
    return [provider, currentProvider, isPorted, mnc]
  }
  assert.deepEqual(of('79070000001'), ['Связь Север', 'МегаФон', true, 2])
  assert.deepEqual(of('79070000002'), ['Связь Север', 'SOMEONE', true, 1])
  assert.deepEqual(of('79070000003'), ['МТС', 'МТС', false, 1])
  for (const digits of ['79070000005', '79070000009'])
    assert.equal(lookupNumber(digits, 'RU', index).provider, undefined)
})

test('without a registry Russian numbers have no operator; Kazakh ones have it by prefix', () => {
  assert.equal(lookupNumber('79070000000', 'RU', emptyNumberingIndex).provider, undefined)
  const { provider, mnc, region, isPorted } = lookupNumber('77010000001', 'KZ', emptyNumberingIndex)
  assert.deepEqual([provider, mnc, region, isPorted], ['Kcell', 2, undefined, false])
  assert.equal(lookupNumber('77172000001', 'KZ', emptyNumberingIndex).provider, undefined)
  assert.equal(lookupNumber('442079460123', 'GB', index).provider, undefined)
})

test('a number is split into its parts and formatted nationally', () => {
  assert.deepEqual(partsOf('79070000001'), { countryCode: 7, national: 9070000001 })
  assert.deepEqual(partsOf('442079460123'), { countryCode: 44, national: 2079460123 })
  assert.equal(nationalFormat('79070000001'), '8 (907) 000-00-01')
  assert.equal(nationalFormat('442079460123'), '020 7946 0123')
  for (let code = 900; code <= 999; code++) {
    const plans = parsePhoneNumberFromString(`+7${code}0000001`)?.formatNational()
    assert.equal(nationalFormat(`7${code}0000001`), plans)
  }
})

test('country names', () => {
  assert.deepEqual(
    ['RU', 'KZ', 'GB'].map((code) => [countryName(code, 'en'), countryName(code, 'ru'), countryName(code, 'ru')]),
    [
      ['Russia', 'Россия', 'Россия'],
      ['Kazakhstan', 'Казахстан', 'Казахстан'],
      ['United Kingdom', 'Великобритания', 'Великобритания'],
    ],
  )
})
