// Speed and memory of number lookups, compared with alternatives: `npm run bench -- numbers FILE…` with registry files, or
// without any for a generated registry of the same size. `--ported 1000000` uses fewer ported numbers than sixty million.
// Prints one JSON line for each measure. All structures look up the same numbers, and a different result aborts the run.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { NumberingIndex } from '../server/src/domain/numbers/numbering-index.ts'
import { importRegistry } from '../server/src/numbering/import-registry.ts'
import { loadFile, sealOf } from '../server/src/numbering/load-file.ts'
import { loadNumbering } from '../server/src/numbering/load-numbering.ts'
import { publish, readCurrent, writeWhole } from '../server/src/numbering/pointer.ts'
import { createPortedLists } from '../server/src/numbering/ported-table.ts'
import { type RegistryTable, readRegistryTable } from '../server/src/numbering/registry-table.ts'

const { values, positionals } = parseArgs({
  options: { ported: { type: 'string', default: '60000000' } },
  allowPositionals: true,
})
const owners = ['mREED', 'mFERN', 'mMOSS', 'mOAK', 'mPINE']
const randomness = randomFrom(1)
const dir = mkdtempSync(join(tmpdir(), 'ringproof-bench-'))
try {
  const files = positionals.length > 0 ? positionals : [generateRegistry()]
  const startedMs = performance.now()
  await importRegistry(dir, files, false, () => undefined)
  say('registry import', { seconds: (performance.now() - startedMs) / 1000, files: files.length })
  await measureRegistry()
  await measurePorted(Number(values.ported))
} finally {
  rmSync(dir, { recursive: true, force: true })
}

async function measureRegistry(): Promise<void> {
  const { registries } = await readCurrent(dir)
  const loads: number[] = []
  let index: NumberingIndex | undefined
  for (let run = 0; run < 7; run++) {
    const startedMs = performance.now()
    const opened = await loadNumbering(dir)
    loads.push(performance.now() - startedMs)
    assert.equal(opened.loadFailure, undefined)
    index = opened.current()
  }
  assert(index)
  const bytes = registries.reduce((sum, one) => sum + one.bytes, 0)
  const ranges = registries.reduce((sum, one) => sum + one.ranges, 0)
  say('registry load', {
    ms: median(loads),
    firstMs: loads[0],
    ranges,
    bytes,
    bytesPerRange: bytes / ranges,
    goalMs: 100,
  })

  const tables: RegistryTable[] = []
  for (const one of registries) tables.push(readRegistryTable(await loadFile(join(dir, one.file), one)))
  const rows = tables.flatMap(rowsOf).toSorted((a, b) => a.first - b.first)
  // Half of them are assigned, weighted by range size; half are random after the same first digit.
  const digits = registries.map(({ kind }) => kind)
  const given = drawGiven(rows)
  const probes = Float64Array.from({ length: 1_000_000 }, (_, at) =>
    at % 2 ? given() : pick(digits) * 1e9 + Math.floor(randomness() * 1e9),
  )
  const { find } = index
  const ours = look('registry lookup: ours', probes, (national) => find(national)?.organisation, { goalMicros: 0.3 })
  const plain = look('registry lookup: sorted array of objects', probes, (national) => findIn(rows, national), {})
  assert.deepEqual(plain, ours)
  const sqlite = createSqliteRanges(rows)
  const few = probes.subarray(0, 100_000)
  assert.deepEqual(
    look('registry lookup: node:sqlite', few, sqlite.find, { bytes: sqlite.bytes() }),
    ours.slice(0, 100_000),
  )
  sqlite.close()
  look('lookup: libphonenumber-js alone (no organisation, no city)', probes.subarray(0, 50_000), (national) => {
    const number = parsePhoneNumberFromString(`+7${national}`, { extract: false })
    return number?.isValid() ? number.getType() : undefined
  })
}

async function measurePorted(count: number): Promise<void> {
  const mobile = (await readCurrent(dir)).registries.find(({ kind }) => kind === 9)
  assert(mobile, 'the bench needs a DEF-9xx file')
  const rows = rowsOf(readRegistryTable(await loadFile(join(dir, mobile.file), mobile)))
  const numbers = drawSorted(rows, count)
  const ownerOf = (at: number) => (at * 7) % owners.length
  const startedMs = performance.now()
  const lists = createPortedLists()
  for (let at = 0; at < count; at++) lists.add(numbers[at] ?? 0, owners[ownerOf(at)] ?? '', '01')
  const { buffer, repeated } = lists.pack()
  assert.equal(repeated, 0)
  say('ported build', { seconds: (performance.now() - startedMs) / 1000, numbers: count })
  const bytes = new Uint8Array(buffer)
  const seal = sealOf('ported', 'bin', bytes)
  await writeWhole(dir, seal.file, bytes)
  const before = await readCurrent(dir)
  await publish(dir, before, { ...before, ported: { ...seal, source: 'bench', numbers: count, asOf: '' } })
  const { ported } = await measureReload()

  const drawn = Float64Array.from({ length: 1_000_000 }, () => Math.floor(randomness() * count))
  const given = drawGiven(rows)
  // Every second number is ported.
  const probes = drawn.map((at, index) => (index % 2 ? (numbers[at] ?? 0) : given()))
  const goal = { numbers: count, bytesPerNumber: seal.bytes / count, goalMicros: 0.5, goalBytes: 3 }
  const ours = look('ported lookup: ours', probes, (national) => ported(national)?.owner, goal)
  const sorted = (national: number) => {
    const at = lastNotAbove(numbers, national)
    return at >= 0 && numbers[at] === national ? owners[ownerOf(at)] : undefined
  }
  const plain = look('ported lookup: sorted array', probes, sorted, { numbers: count, bytesPerNumber: 9 })
  assert.deepEqual(plain, ours)
  measureSqlitePorted(numbers, probes, ours, ownerOf)
}

// Loads the current data while a monitor measures event loop delay.
async function measureReload(): Promise<NumberingIndex> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const startedMs = performance.now()
  const { current, loadFailure } = await loadNumbering(dir)
  const ms = performance.now() - startedMs
  delay.disable()
  assert.equal(loadFailure, undefined)
  say('load of registry and ported', { ms, eventLoopDelayMaxMs: delay.max / 1e6, rssBytes: process.memoryUsage.rss() })
  return current()
}

// A tenth of the numbers: inserting takes long, and the B-tree would grow by less than one level.
function measureSqlitePorted(
  numbers: Float64Array,
  probes: Float64Array,
  ours: readonly (string | undefined)[],
  ownerOf: (at: number) => number,
): void {
  const path = join(dir, 'ported.sqlite')
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = off; CREATE TABLE ported (number INTEGER PRIMARY KEY, owner INTEGER); BEGIN')
  const insert = database.prepare('INSERT INTO ported VALUES (?, ?)')
  const count = Math.floor(numbers.length / 10)
  for (let at = 0; at < count; at++) insert.run(numbers[at] ?? 0, ownerOf(at))
  database.exec('COMMIT')
  const select = database.prepare('SELECT owner FROM ported WHERE number = ?')
  const limit = numbers[count] ?? Infinity
  const asked = probes.map((national, at) => (national < limit ? at : -1)).filter((at) => at >= 0)
  const within = asked.map((at) => probes[at] ?? 0)
  const find = (national: number) => {
    const row = select.get(national)
    return row && owners[Number(row['owner'])]
  }
  const more = { numbers: count, bytesPerNumber: statSync(path).size / count }
  const found = look('ported lookup: node:sqlite', within, find, more)
  assert.deepEqual(
    found,
    Array.from(asked, (at) => ours[at]),
  )
  database.close()
}

type Row = { readonly first: number; readonly last: number; readonly organisation: string; readonly place: string }

function rowsOf(table: RegistryTable): Row[] {
  return [...table.ranges()].map((range) => {
    const { organisation, region, city } = table.describe(range)
    const base = range.code * 10_000_000
    return { first: base + range.first, last: base + range.last, organisation, place: `${city}|${region}` }
  })
}

function findIn(rows: readonly Row[], national: number): string | undefined {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rows[middle]?.first ?? 0) <= national) low = middle + 1
    else high = middle
  }
  const row = rows[low - 1]
  return row && national <= row.last ? row.organisation : undefined
}

function createSqliteRanges(rows: readonly Row[]) {
  const path = join(dir, 'ranges.sqlite')
  const database = new DatabaseSync(path)
  database.exec(
    `PRAGMA journal_mode = off;
     CREATE TABLE ranges (first INTEGER PRIMARY KEY, last INTEGER, organisation TEXT, place TEXT); BEGIN`,
  )
  const insert = database.prepare('INSERT INTO ranges VALUES (?, ?, ?, ?)')
  for (const { first, last, organisation, place } of rows) insert.run(first, last, organisation, place)
  database.exec('COMMIT')
  const select = database.prepare('SELECT last, organisation FROM ranges WHERE first <= ? ORDER BY first DESC LIMIT 1')
  const find = (national: number) => {
    const row = select.get(national)
    return row && Number(row['last']) >= national ? String(row['organisation']) : undefined
  }
  return { find, bytes: () => statSync(path).size, close: () => database.close() }
}

// Reports the median of five runs over the same probes after a warm-up, and returns what was found.
function look(
  measure: string,
  probes: Float64Array,
  find: (national: number) => string | undefined,
  more: Readonly<Record<string, number>> = {},
): readonly (string | undefined)[] {
  const found = Array.from(probes, (national) => find(national))
  const runs = Array.from({ length: 5 }, () => {
    const startedMs = performance.now()
    let hits = 0
    for (let at = 0; at < probes.length; at++) if (find(probes[at] ?? 0) !== undefined) hits += 1
    assert(hits > 0)
    return ((performance.now() - startedMs) * 1000) / probes.length
  })
  say(measure, { micros: median(runs), probes: probes.length, ...more })
  return found
}

function drawGiven(rows: readonly Row[]): () => number {
  const ends = new Float64Array(rows.length)
  let total = 0
  for (const [at, { first, last }] of rows.entries()) {
    ends[at] = total
    total += last - first + 1
  }
  return () => {
    const drawn = Math.floor(randomness() * total)
    const at = lastNotAbove(ends, drawn)
    return (rows[at]?.first ?? 0) + drawn - (ends[at] ?? 0)
  }
}

// Distinct and sorted: one from each of `count` equal intervals.
function drawSorted(rows: readonly Row[], count: number): Float64Array {
  const total = rows.reduce((sum, { first, last }) => sum + last - first + 1, 0)
  const numbers = new Float64Array(count)
  let [row, passed] = [0, 0]
  for (let at = 0; at < count; at++) {
    const begin = Math.floor((at * total) / count)
    const drawn = begin + Math.floor(randomness() * (Math.floor(((at + 1) * total) / count) - begin))
    for (let range = rows[row]; range && drawn >= passed + range.last - range.first + 1; range = rows[row]) {
      passed += range.last - range.first + 1
      row += 1
    }
    numbers[at] = (rows[row]?.first ?? 0) + drawn - passed
  }
  return numbers
}

function lastNotAbove(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

function generateRegistry(): string {
  const lines: string[] = []
  for (let code = 900; code < 983; code++) {
    for (let first = 0; first < 9_900_000; first += 2200) {
      const organisation = `ООО "Связь ${Math.floor(randomness() * 1900)}"`
      const place = `г. Город ${Math.floor(randomness() * 40)}|Область ${Math.floor(randomness() * 80)}`
      lines.push([code, first, first + 1999, 2000, organisation, place].join(';'))
    }
  }
  const path = join(dir, 'generated.csv')
  writeFileSync(path, lines.join('\n'))
  return path
}

function pick<T>(items: readonly T[]): T {
  const item = items[Math.floor(randomness() * items.length)]
  assert(item !== undefined)
  return item
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN
}

function say(measure: string, figures: Readonly<Record<string, number | undefined>>): void {
  const rounded = Object.entries(figures).map(([name, figure]) => [name, Number(figure?.toPrecision(4))] as const)
  process.stdout.write(`${JSON.stringify({ measure, ...Object.fromEntries(rounded) })}\n`)
}

// A linear congruential generator is random enough for a benchmark.
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}
