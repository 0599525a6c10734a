// Ported numbers: full files, increments, and the table built from them.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { importPorted } from '../../server/src/numbering/import-ported.ts'
import { importRegistry } from '../../server/src/numbering/import-registry.ts'
import { loadNumbering } from '../../server/src/numbering/load-numbering.ts'
import { createPortedLists, readPortedTable } from '../../server/src/numbering/ported-table.ts'
import { generatePorted } from '../support/numbering/generate-ported.ts'
import { madeRow, putFile, registryBytes, zipBytes } from '../support/numbering/registry-files.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const quiet = () => undefined
const reed = { owner: 'mREED', mnc: '07' }
const fern = { owner: 'mFERN', mnc: '08' }

test('a full file, its long form, increments and returns are imported', async (t) => {
  const { take, ported } = place(t)
  await take({ 'Port_All_202601010000_1.csv': wholeText([1, 2, 3]) })
  assert.deepEqual(await ported(1, 2, 3, 4), [reed, reed, reed, undefined])

  // Passed in the wrong order; the file names give the right one.
  const done = await take({
    'Return_Increment_202601020000_2.csv': 'NPId,Number\n1,9990000004\n2,9990000001\n',
    'Port_Increment_202601020000_1.csv': portedText([2, 4], 'mFERN', '08'),
  })
  assert.deepEqual([done.portedRows, done.returnedRows, done.numbersBefore, done.numbersAfter], [2, 2, 3, 2])
  assert.deepEqual(await ported(1, 2, 3, 4), [undefined, fern, reed, undefined])

  const older = await take({ 'Port_Increment_202512310000_1.csv': portedText([3], 'mFERN', '08') })
  assert.deepEqual([older.skipped, older.isNew], [['Port_Increment_202512310000_1.csv'], false])

  const full = `${wholeHead},NPId,DonorId,RangeHolderId,OldRoute,OldMNC,ProcessType\r\n`
  const row = '9990000009,mREED,07,D0107,01,2026-01-01T00:00:00+03:00,2,1,a,b,c,08,ShortTimePort\r\n'
  const fullText = full + row + row.replace('0000009', '0000008').replace(',2,', ',0,')
  const replaced = await take({ 'Port_All_Full_202601030000_1.csv': fullText }, true)
  assert.deepEqual([replaced.numbersBefore, replaced.numbersAfter], [2, 2])
  assert.deepEqual(await ported(2, 3, 8, 9), [undefined, undefined, reed, reed])
})

test('archives are read, and a repeated number is reported', async (t) => {
  const { dir, take, ported } = place(t)
  const text = wholeText([1, 2, 1])
  const archive = zipBytes({ 'Port_All_202601010000_1.csv': text }, true)
  const done = await importPorted(dir, [putFile(dir, 'any-name.zip', archive)], false, quiet)
  assert.deepEqual([done.portedRows, done.repeatedRows, done.numbersAfter], [3, 1, 2])
  assert.deepEqual(await ported(1, 2), [reed, reed])
  assert.equal((await take({ 'Port_All_202601010000_1.csv': text })).isNew, false)
})

test('a truncated, broken or unknown file is refused and changes nothing', async (t) => {
  const { take, ported } = place(t)
  const increment = { 'Port_Increment_202601020000_1.csv': portedText([1], 'mFERN', '08') }
  await assert.rejects(take(increment), /an increment needs a Port_All before it/)
  await take({ 'Port_All_202601010000_1.csv': wholeText([1, 2, 3]) })
  const refused: readonly [string, string, RegExp][] = [
    ['Port_All_1.csv', wholeText([1, 2, 3]).replace(/.*\n$/, ''), /has 2 rows but states 3/],
    ['Port_All_1.csv', `${wholeHead}\n999000000`, /row 1 is malformed/],
    ['Port_All_1.csv', `${wholeHead}\n9990000001,mREED`, /row 1 is malformed/],
    ['Port_All_1.csv', `${wholeHead}\n4990000001,mREED,07,,,,\n`, /row 1 is malformed/],
    ['Port_All_1.csv', `${wholeHead}\n9990000001,,07,,,,\n`, /row 1 is malformed/],
    ['Port_All_1.csv', wholeHead, /no header line or no rows/],
    ['Numbering_Plan_1.csv', 'NumberFrom,NumberTo,OwnerId,RegionCode\n', /neither Port_All/],
    ['Port_Increment_1.csv', 'NPId,Number\n1,9990000001\n', /neither Port_All/],
    ['whatever.csv', 'NPId,Number\n1,9990000001\n', /neither Port_All/],
    ['Port_All_1.csv', wholeText([1, 2]), /2 numbers would be ported instead of 3.*--allow-loss/s],
  ]
  for (const [name, text, sentence] of refused) await assert.rejects(take({ [name]: text }), sentence, text)
  assert.deepEqual(await ported(1, 2, 3), [reed, reed, reed])
})

test('a damaged table can be replaced only by a full file', async (t) => {
  const { dir, take, ported } = place(t)
  await take({ 'Port_All_202601010000_1.csv': wholeText([1, 2, 3]) })
  for (const name of readdirSync(dir)) if (name.startsWith('ported-')) truncateSync(join(dir, name), 100)
  const increment = { 'Port_Increment_202601020000_1.csv': portedText([1], 'mFERN', '08') }
  await assert.rejects(take(increment), /needs a Port_All before it/)
  const fewer = { 'Port_All_202601020000_1.csv': wholeText([1, 2]) }
  await assert.rejects(take(fewer), /instead of 3/)
  assert.equal((await take({ 'Port_All_202601020000_1.csv': wholeText([1, 2, 3, 4]) })).numbersBefore, 3)
  assert.deepEqual(await ported(4), [reed])
})

test('the table finds what a map finds', () => {
  const places = fc.integer({ min: 0, max: 2000 }).map((n) => (n > 1990 ? 9_999_999 - (2000 - n) : n))
  const national = fc.tuple(fc.constantFrom(900, 999), places).map(([code, rest]) => code * 10_000_000 + rest)
  const steps = fc.array(fc.tuple(national, fc.constantFrom(reed, fern, undefined)), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(steps, (taken) => {
      const lists = createPortedLists()
      const map = new Map<number, typeof reed>()
      for (const [number, owner] of taken) {
        if (owner) lists.add(number, owner.owner, owner.mnc)
        else lists.remove(number)
        map.delete(number)
        if (owner) map.set(number, owner)
      }
      const table = readPortedTable(lists.pack().buffer)
      assert.equal(table.numbers, map.size)
      for (const [number] of taken) assert.deepEqual(table.find(number), map.get(number))
      for (const number of [9_000_000_000, 9_990_000_511, 9_990_000_512, 9_500_000_000, 8_990_000_000]) {
        assert.deepEqual(table.find(number), map.get(number))
      }
      const each = new Map<number, typeof reed>()
      table.each((number, owner) => each.set(number, owner))
      assert.deepEqual(each, new Map([...map].toSorted(([a], [b]) => a - b)))
    }),
    { numRuns: 12 },
  )
})

test('more owners than fit a byte are refused', () => {
  const lists = createPortedLists()
  for (let at = 0; at < 255; at++) lists.add(9_990_000_000 + at, `m${at}`, '01')
  assert.throws(() => lists.add(9_990_000_255, 'm255', '01'), /More than 255 pairs/)
})

test('generated ported numbers are assigned, unique, never at their holder, and the same for a seed', async (t) => {
  const { dir, ported } = place(t)
  const rows = [madeRow(999, 0, 999, { inn: '7740000076' }), madeRow(999, 5000, 8999), reserve(999, 9000, 9999)]
  await importRegistry(dir, [putFile(dir, 'a.csv', registryBytes(rows))], false, quiet)
  const made = async (numbers: number, seed: number, name: string) => {
    await generatePorted(dir, numbers, seed, join(dir, name))
    return readFileSync(join(dir, name), 'utf8')
  }
  const text = await made(2000, 7, 'one.csv')
  assert.equal(await made(2000, 7, 'two.csv'), text)
  assert.notEqual(await made(2000, 8, 'three.csv'), text)
  const lines = text.trim().split('\n').slice(1)
  const numbers = lines.map((line) => Number(line.slice(0, 10)))
  assert.equal(new Set(numbers).size, 2000)
  assert(numbers.every((number) => rows.slice(0, 2).some(({ first, last }) => isIn(number, first, last))))
  const ofHolder = lines.filter((line, at) => isIn(numbers[at] ?? 0, 0, 999) && line.includes('mMTS'))
  assert.deepEqual(ofHolder, [])
  assert.match(lines[0] ?? '', /^999\d{7},m[A-Z0-9]+,(\d\d),D(\d\d)\1,\2,2026-\S+,2000$/)

  // Every last one of them; one more does not exist.
  const all = await made(5000, 1, 'all.csv')
  assert.equal(new Set(all.match(/^\d{10}/gm)).size, 5000)
  await assert.rejects(made(5001, 1, 'more.csv'), /only 5000 numbers are assigned/)
  await assert.rejects(made(1, 1, 'one.csv'), /EEXIST/)
  const done = await importPorted(dir, [join(dir, 'one.csv')], false, quiet)
  assert.deepEqual([done.numbersAfter, done.repeatedRows], [2000, 0])
  assert.equal((await ported((numbers[0] ?? 0) - 9_990_000_000))[0]?.owner, lines[0]?.split(',')[1])
})

function place(t: TestContext) {
  const dir = temporaryDirectory(t)
  const take = (files: Readonly<Record<string, string>>, allowLoss = false) =>
    importPorted(
      dir,
      Object.entries(files).map(([name, text]) => putFile(dir, name, text)),
      allowLoss,
      quiet,
    )
  const ported = async (...rests: number[]) => {
    const { current, loadFailure } = await loadNumbering(dir)
    assert.equal(loadFailure, undefined)
    return rests.map((rest) => current().ported(9_990_000_000 + rest))
  }
  return { dir, take, ported }
}

const wholeHead = 'Number,OwnerId,MNC,Route,RegionCode,PortDate,RowCount'

function wholeText(rests: readonly number[]): string {
  const rows = rests.map(
    (rest, at) => `${9_990_000_000 + rest},mREED,07,D0107,01,2026-01-01T00:00:00+03:00,${at === 0 ? rests.length : ''}`,
  )
  return `${[wholeHead, ...rows].join('\n')}\n`
}

function portedText(rests: readonly number[], owner: string, mnc: string): string {
  const head =
    'NPId,Number,RecipientId,DonorId,RangeHolderId,OldRoute,NewRoute,OldMNC,NewMNC,RegionCode,PortDate,RowCount'
  const rows = rests.map((rest, at) => `${at},${9_990_000_000 + rest},${owner},mREED,mX,,,07,${mnc},01,,`)
  return `${[head, ...rows].join('\n')}\n`
}

function reserve(code: number, first: number, last: number) {
  return madeRow(code, first, last, { organisation: 'МИНЦИФРЫ РОССИИ', inn: '7710474375' })
}

function isIn(number: number, first: number, last: number): boolean {
  return number >= 9_990_000_000 + first && number <= 9_990_000_000 + last
}
