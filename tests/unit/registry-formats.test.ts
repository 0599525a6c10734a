// Every format the registry files have had, with made-up rows.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readPlace } from '../../server/src/numbering/place.ts'
import { readRegistry } from '../../server/src/numbering/read-registry.ts'
import { currentForm, daisy, type Form, madeRow, reed, registryBytes } from '../support/numbering/registry-files.ts'

const rows = [
  madeRow(999, 0, 61_999),
  madeRow(999, 62_000, 62_999, { ...reed, region: 'г. Лесной|Лесная обл.', territory: 'г. Лесной|р-н|Лесная область' }),
]

const forms: readonly [string, Partial<Form>][] = [
  ['2014', { columns: 6, isPadded: false, encoding: 'cp1251', lineEnd: '\r\n' }],
  ['2014, with quotes', { columns: 6, isPadded: false, encoding: 'cp1251', isQuoted: true }],
  ['2020', { columns: 6, encoding: 'utf-8' }],
  ['2021', { columns: 6, encoding: 'utf-8', hasHead: false }],
  ['2023', { columns: 7 }],
  ['2023, saved by a spreadsheet', { columns: 7, isPadded: false, isQuoted: true, lineEnd: '\r\n' }],
  ['7 columns without a header', { columns: 7, hasHead: false }],
  ['2026', {}],
  ['2026 without a byte order mark and a header', { encoding: 'utf-8', hasHead: false }],
]

for (const [year, form] of forms) {
  test(`a file in the format of ${year} is read`, () => {
    const read = readRegistry('file', registryBytes(rows, { ...currentForm, ...form }))
    const hasInn = form.columns !== 6
    const region = form.columns === undefined ? 'Лесная область' : 'Лесная обл.'
    const ownerOf = ({ organisation, inn }: typeof daisy) => ({ organisation, inn: hasInn ? inn : '' })
    assert.deepEqual(read, {
      kind: 9,
      rows: [
        { code: 999, first: 0, last: 61_999, ...ownerOf(daisy), region, city: '' },
        { code: 999, first: 62_000, last: 62_999, ...ownerOf(reed), region, city: 'г. Лесной' },
      ],
    })
  })
}

test('quotes are text unless they enclose the whole cell; only an enclosed cell may contain a semicolon', () => {
  const organisationOf = (cell: string) =>
    readRegistry('file', Buffer.from(`999;0;9;10;${cell};Лесная обл.\n`)).rows[0]?.organisation
  assert.equal(organisationOf('"Ромашка" и "Камыш"'), '"Ромашка" и "Камыш"')
  assert.equal(organisationOf('"ООО ""Ромашка"""'), 'ООО "Ромашка"')
  const head = 'АВС/ DEF;От;До;Емкость;Оператор;Регион\n'
  const read = readRegistry('file', Buffer.from(`${head}999;0;9;10;"Ромашка; Камыш";Лесная обл.\n`))
  assert.equal(read.rows[0]?.organisation, 'Ромашка; Камыш')
})

test('the territory column takes precedence over the region, unless it is empty', () => {
  const regionOf = (region: string, territory: string) =>
    readRegistry('file', registryBytes([madeRow(999, 0, 9, { region, territory })])).rows[0]?.region
  assert.equal(regionOf('-', 'Лесная область'), 'Лесная область')
  assert.equal(regionOf('Лесная обл.', '-'), 'Лесная обл.')
  assert.equal(regionOf('Лесная обл.', ''), 'Лесная обл.')
})

test('place names are read from small to large', () => {
  const places: readonly [string, string, string][] = [
    ['Лесная область', 'Лесная область', ''],
    ['г. Лесной|р-н Лесной|Лесная область', 'Лесная область', 'г. Лесной'],
    ['Лес - Ной |Республика Лес', 'Республика Лес', 'Лес - Ной'],
    ['Город Луг, Луговая область', 'Город Луг, Луговая область', ''],
    ['Луговая область, Город Луг', 'Город Луг, Луговая область', ''],
    ['г. Луг * Луговая область', 'Луговая область, г. Луг', ''],
    ['Республика Лес (Бор, Роща)', 'Республика Лес (Бор, Роща)', ''],
    ['Российская Федерация', '', ''],
    ['Российская Федерация, кроме Республики Лес', '', ''],
    ['-', '', ''],
    ['', '', ''],
  ]
  for (const [territory, region, city] of places) assert.deepEqual(readPlace(territory), [region, city], territory)
})

test('the kind of a file follows from the area codes in it', () => {
  const kindOf = (...codes: number[]) =>
    readRegistry('DEF-9xx.csv', registryBytes(codes.map((code) => madeRow(code, 0, 9)))).kind
  assert.deepEqual([kindOf(399), kindOf(401, 499), kindOf(800), kindOf(900)], [3, 4, 8, 9])
  assert.throws(() => kindOf(399, 401), /codes of one kind .* this one has 3xx, 4xx/)
  assert.throws(() => kindOf(700), /this one has 7xx/)
})

test('one broken row refuses the whole file, and the error names it', () => {
  const good = '999;0;9;10;Ромашка;Лесная обл.'
  const broken = [
    '999;10;19;10;Ромашка',
    '999;10;19;10;Ромашка;Лесная обл.;',
    '999;10;19;11;Ромашка;Лесная обл.',
    '999;19;10;-8;Ромашка;Лесная обл.',
    '999;10;10000000;9999991;Ромашка;Лесная обл.',
    '99;10;19;10;Ромашка;Лесная обл.',
    '999;x;19;10;Ромашка;Лесная обл.',
    '999;10;19;10;;Лесная обл.',
    '<html>',
  ]
  for (const line of broken) {
    assert.throws(() => readRegistry('file', Buffer.from(`${good}\n${line}\n`)), /file is refused: line 2 is not/, line)
  }
  assert.throws(() => readRegistry('file', Buffer.from(`${good};123\n`)), /line 1 is not/)
  assert.throws(() => readRegistry('file', Buffer.from('a;b;c\n')), /not a registry file/)
  assert.throws(() => readRegistry('file', Buffer.from('1;2;3\n')), /have 3 columns/)
  assert.throws(() => readRegistry('file', registryBytes([])), /has no rows/)
})

test('a file truncated in the middle of a UTF-8 character is reported as truncated, not read as CP1251', () => {
  const whole = registryBytes(rows, { ...currentForm, columns: 6 })
  const letter = whole.lastIndexOf(Buffer.from('Л')) + 1
  assert.equal(readRegistry('file', whole.subarray(0, letter)).rows[0]?.organisation, daisy.organisation)
})

test('hostile bytes are either read or refused with a sentence', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: fc.constantFrom('9', ';', '"', '\n', 'Ы', '-', '|') }).map((text) => Buffer.from(text)),
  )
  fc.assert(
    fc.property(bytes, (file) => {
      try {
        for (const row of readRegistry('file', file).rows) assert(row.first <= row.last && row.last < 10_000_000)
      } catch (error) {
        assert.equal((error as Error).name, 'UsageError')
      }
    }),
  )
})
