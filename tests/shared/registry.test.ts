// The real registry files of ../shared, which are third-party data and never committed. The expected values are computed
// from the text of the files in the simplest way. Tests with made-up files: tests/integration/registry.test.ts.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { lookupNumber } from '../../server/src/domain/numbers/number-info.ts'
import { loadNumbering } from '../../server/src/numbering/load-numbering.ts'
import { putFile } from '../support/numbering/registry-files.ts'
import { type Environment, ringproof, ringproofJson } from '../support/process/cli.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const data = join(import.meta.dirname, '../../../shared/data/registry')

type Sum = { ranges: number; numbers: number }
type ImportReport = {
  kind: string
  rows: number
  numbers: number
  conflicts: unknown[]
  diff: { added: Sum; removed: Sum; changed_owner: Sum }
}

test('the current mobile file has all rows and numbers, no overlaps, and the twenty golden numbers', async (t) => {
  const { take, environment } = place(t)
  const [mobile, ...others] = await take('2026-08/DEF-9xx.csv.xz', ...of2021('ABC-3xx', 'ABC-4xx', 'ABC-8xx'))
  assert.deepEqual([mobile?.rows, mobile?.numbers, mobile?.conflicts], [17_059, 706_567_081, []])
  assert.deepEqual(
    others.map(({ kind }) => kind),
    ['ABC-3xx', 'ABC-4xx', 'ABC-8xx'],
  )
  const { current } = await loadNumbering(environment['RINGPROOF_NUMBERING_DIR'] ?? '')
  const golden = [
    ...chosen(text('2026-08/DEF-9xx.csv.xz').split('\n').slice(1), 8, 6),
    ...of2021('ABC-3xx', 'ABC-4xx', 'ABC-8xx').flatMap((file) => chosen(text(file).trim().split('\n'), 4, 5)),
  ]
  assert.equal(golden.length, 20)
  assert.equal(new Set(golden.map(({ national }) => national)).size, 20)
  assert(golden.filter(({ city }) => city !== '').length >= 4)
  for (const { national, organisation, inn, region, city } of golden) {
    const range = current().find(national)
    assert.deepEqual(
      [range?.organisation, range?.inn, range?.region, range?.city],
      [organisation, inn, region, city],
      String(national),
    )
    const { provider, currentProvider } = lookupNumber(`7${national}`, 'RU', current())
    assert.deepEqual([provider, currentProvider], [knownAs(inn, organisation), knownAs(inn, organisation)])
  }
  // Some of the largest mobile operators, by their common names.
  const mobiles = text('2026-08/DEF-9xx.csv.xz').split('\n')
  for (const [inn, name] of Object.entries(wellKnown)) {
    const [code, first] = mobiles.find((row) => row.includes(inn))?.split(';') ?? []
    assert.equal(lookupNumber(`7${code}${first}`, 'RU', current()).provider, name)
  }
  const [one] = golden
  const looked = await ringproofJson<{ range: { organisation: string } }>(
    environment,
    'registry',
    'lookup',
    String(one?.national),
  )
  assert.equal(looked.range.organisation, one?.organisation)
  // Numbers that the numbering plans take for Russian mobiles, and that are unassigned.
  for (const national of [9_980_000_000, 9_400_000_000]) {
    assert.deepEqual([current().covers(national), current().find(national)], [true, undefined])
  }
})

const wellKnown = {
  7740000076: 'МТС',
  7812014560: 'МегаФон',
  7713076301: 'Билайн',
  7743895280: 't2',
  7736264044: 'СберМобайл',
  9308013351: 'Феникс',
}

// The text in the outer quotes, for organisations without a common name.
function knownAs(inn: string, organisation: string): string {
  const known = (wellKnown as Record<string, string>)[inn]
  const [first, last] = [organisation.indexOf('"'), organisation.lastIndexOf('"')]
  return known ?? (first < last ? organisation.slice(first + 1, last) : organisation).replaceAll('"', '').trim()
}

test('the whole set of 2021 is imported', async (t) => {
  const { take } = place(t)
  const report = await take(...of2021('ABC-3xx', 'ABC-4xx', 'ABC-8xx', 'DEF-9xx'))
  assert.equal(
    report.reduce((sum, { rows }) => sum + rows, 0),
    385_853,
  )
  assert.deepEqual(
    report.flatMap(({ conflicts }) => conflicts),
    [],
  )
})

test('every older format is imported', async (t) => {
  const { take } = place(t)
  const heads = [
    ['2014-11/Kody_ABC-3kh.head.csv', 2940],
    ['2014-11/Kody_DEF-9kh.head.csv', 3769],
    ['2020-08/DEF-9xx.head.csv', 2999],
    ['2023-02/DEF-9xx.head.csv', 2999],
  ] as const
  for (const [file, rows] of heads) {
    const [report] = await take('--allow-loss', file)
    assert.equal(report?.rows, rows, file)
  }
})

test('April to August 2026: the diff equals a comparison number by number', async (t) => {
  const { take } = place(t)
  await take('2026-04/DEF-9xx.csv.xz')
  const [report] = await take('2026-08/DEF-9xx.csv.xz')
  const sum = ({ ranges, numbers }: Sum = { ranges: 0, numbers: 0 }) => ({ ranges, numbers })
  const { diff } = report ?? {}
  assert.deepEqual(
    { added: sum(diff?.added), removed: sum(diff?.removed), changed: sum(diff?.changed_owner) },
    countChanges(text('2026-04/DEF-9xx.csv.xz'), text('2026-08/DEF-9xx.csv.xz')),
  )
})

test('a truncated file is refused, wherever it was cut', async (t) => {
  const { take, environment, dir } = place(t)
  await take('2026-08/DEF-9xx.csv.xz')
  const before = await ringproofJson(environment, 'registry', 'status')
  const packed = readFileSync(join(data, '2026-08/DEF-9xx.csv.xz'))
  const lines = text('2026-08/DEF-9xx.csv.xz').split('\n')
  const cuts = [
    [putFile(dir, 'a.xz', packed.subarray(0, packed.length - 100)), /a\.xz cannot be unpacked/],
    [putFile(dir, 'b.csv', lines.join('\n').slice(0, -500_007)), /b\.csv is refused: (line|it has)/],
    [putFile(dir, 'c.csv', lines.slice(0, 16_500).join('\n')), /c\.csv is refused: it has 16499 rows instead of 17059/],
  ] as const
  for (const [path, sentence] of cuts) {
    const { status, err } = await ringproof(environment, 'registry', 'import', path)
    assert.equal(status, 1)
    assert.match(err, sentence)
  }
  assert.deepEqual(await ringproofJson(environment, 'registry', 'status'), before)
})

function of2021(...kinds: string[]): string[] {
  return kinds.map((kind) => `2021-04/${kind}.csv.xz`)
}

function text(file: string): string {
  return execFileSync('xz', ['-dc', join(data, file)], { encoding: 'utf8', maxBuffer: 1 << 28 })
}

// The first number of some rows, some of them with a place below the region.
function chosen(lines: readonly string[], count: number, placeColumn: number) {
  const rows = lines.map((line) => line.split(';'))
  const withCity = rows.filter((row) => row[placeColumn]?.includes('|')).slice(0, 2)
  const rest = Array.from(
    { length: count - withCity.length },
    (_, at) => rows[Math.floor(((at + 1) * rows.length) / 9)],
  )
  return [...withCity, ...rest].map((row = []) => {
    const [code = '', first = '', , , organisation = ''] = row
    const parts = (row[placeColumn] ?? '').split('|').map((part) => part.trim())
    const region = (parts.at(-1) ?? '').split(/ \* |, /).toSorted()
    return {
      national: Number(code + first.padStart(7, '0')),
      organisation,
      inn: row[7] ?? '',
      region: parts[0]?.startsWith('Российская Федерация') ? '' : region.join(', '),
      city: parts.length > 1 ? parts[0] : '',
    }
  })
}

// Every number of every area code with its holder before and after. A range is a run of numbers with the same two.
function countChanges(before: string, after: string) {
  const sums = {
    added: { ranges: 0, numbers: 0 },
    removed: { ranges: 0, numbers: 0 },
    changed: { ranges: 0, numbers: 0 },
  }
  const ids = new Map<string, number>()
  const [olds, nows] = [before, after].map((file) => rowsByCode(file, ids))
  const [old, now] = [new Uint8Array(10_000_000), new Uint8Array(10_000_000)]
  let last = 0
  for (let code = 900; code <= 999; code++) {
    fill(old, olds?.get(code) ?? [])
    fill(now, nows?.get(code) ?? [])
    for (let at = 0; at < old.length; at++) {
      const was = old[at] ?? 0
      const is = now[at] ?? 0
      const scenario = was === is ? 0 : was * 256 + is
      if (scenario !== 0) {
        const sum = was === 0 ? sums.added : is === 0 ? sums.removed : sums.changed
        sum.numbers += 1
        if (scenario !== last) sum.ranges += 1
      }
      last = scenario
    }
  }
  assert(ids.size < 256)
  return sums
}

type Filled = readonly [first: number, last: number, id: number]

function rowsByCode(file: string, ids: Map<string, number>): Map<number, Filled[]> {
  const rows = new Map<number, Filled[]>()
  for (const line of file.split('\n').slice(1)) {
    const [code = '', first = '', last = '', , , , , inn = ''] = line.split(';')
    if (!ids.has(inn)) ids.set(inn, ids.size + 1)
    const ofCode = rows.get(Number(code)) ?? []
    ofCode.push([Number(first), Number(last), ids.get(inn) ?? 0])
    rows.set(Number(code), ofCode)
  }
  return rows
}

function fill(holders: Uint8Array, rows: readonly Filled[]): void {
  holders.fill(0)
  for (const [first, last, id] of rows) holders.fill(id, first, last + 1)
}

function place(t: Parameters<typeof temporaryDirectory>[0]) {
  const dir = temporaryDirectory(t)
  const environment: Environment = {
    RINGPROOF_DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    RINGPROOF_SECRETS_DIR: dir,
    RINGPROOF_NUMBERING_DIR: `${dir}/numbering`,
  }
  const take = async (...args: string[]): Promise<ImportReport[]> => {
    const paths = args.map((arg) => (arg.startsWith('--') ? arg : join(data, arg)))
    const { registries } = await ringproofJson<{ registries: ImportReport[] }>(
      environment,
      'registry',
      'import',
      ...paths,
    )
    return registries
  }
  return { dir, environment, take }
}
