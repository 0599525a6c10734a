// What a spreadsheet makes of our CSV files, whichever separator it is set to.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvLine } from '../../server/src/domain/values/text.ts'

const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠']
const separators = [',', ';', '\t', '|'] as const

// Like a spreadsheet: a cell that begins with a quote ends at the next single one; quotes elsewhere are characters.
function cellsOf(text: string, separator: string): readonly string[] {
  const cells: string[] = []
  for (let at = 0; at <= text.length; at++) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; at < text.length && (text[at] !== '"' || text[at + 1] === '"'); at++) {
        if (text[at] === '"') at++
        cell += text[at]
      }
      at++
    }
    for (; at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r'; at++) cell += text[at]
    cells.push(cell)
  }
  return cells
}

function assertNoFormula(value: string): void {
  const line = csvLine([64, value, '7907***0001'])
  for (const separator of separators) {
    for (const cell of cellsOf(line, separator)) {
      assert(
        !signs.includes(cell.trim()[0] ?? ''),
        `${JSON.stringify(value)} is ${cell} with ${JSON.stringify(separator)}`,
      )
    }
  }
}

test('no text becomes a formula, whichever separator the reader is set to', () => {
  for (const value of [
    '=1+1',
    "x;=cmd|' /C calc'!A0;y",
    'x;=HYPERLINK("http://evil.example")',
    'x; =1+1',
    'x;"=1+1"',
    "x;''=1+1",
    '＝1+1',
    'x\t＠SUM(1)',
    '\n=1+1',
    'a\r\n-1',
    ' =1+1',
    'a|=1+1',
    ';;=1',
  ]) {
    assertNoFormula(value)
  }
})

test('no text of separators, quotes, spaces and signs becomes a formula', () => {
  const pieces = fc.constantFrom(...signs, ...separators, '"', "'", ' ', '\n', '\r', 'a', '1')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => assertNoFormula(parts.join(''))),
    { numRuns: 20_000 },
  )
})

test('a reader of commas gets back every text that has no sign at the start of a cell', () => {
  for (const value of ['ООО "Ромашка", Лесной', 'a;b', 'a = b', "it's", 'a\nb', 'x@example.org', '2026-11-19', '']) {
    assert.deepEqual(cellsOf(csvLine([1, value]), ','), value === 'a\nb' ? ['1', 'a\nb'] : ['1', value])
  }
  assert.equal(csvLine([-1, true, null, 'plain']), '-1,true,,plain')
})
