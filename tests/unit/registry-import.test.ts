// Importing registry files: what takes effect, what is reported and what is refused.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ChangeSum } from '../../server/src/domain/numbers/numbering-report.ts'
import { compareRegistries } from '../../server/src/numbering/compare-registries.ts'
import { importDemoRegistry } from '../../server/src/numbering/demo-registry.ts'
import { importRegistry } from '../../server/src/numbering/import-registry.ts'
import { lookUpNumber, numberingStatus, rollBack } from '../../server/src/numbering/inspect.ts'
import { packRegistry } from '../../server/src/numbering/pack-registry.ts'
import { emptyPointer, publish, readCurrent } from '../../server/src/numbering/pointer.ts'
import type { RegistryRow } from '../../server/src/numbering/read-registry.ts'
import { readRegistryTable } from '../../server/src/numbering/registry-table.ts'
import {
  currentForm,
  daisy,
  daisyAgain,
  madeRow,
  putFile,
  reed,
  registryBytes,
  zipBytes,
} from '../support/numbering/registry-files.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const quiet = () => undefined
const take = (dir: string, paths: readonly string[], allowLoss = false) => importRegistry(dir, paths, allowLoss, quiet)
const hundred = Array.from({ length: 100 }, (_, at) => madeRow(999, at * 100, at * 100 + 99, at % 2 ? reed : daisy))

test('files take effect together, and each replaces only its own kind', async (t) => {
  const dir = temporaryDirectory(t)
  const mobile = putFile(dir, 'mobile.csv', registryBytes(hundred))
  const fixed = putFile(dir, 'fixed.csv', registryBytes([madeRow(499, 0, 9, reed)]))
  const done = await take(dir, [mobile, fixed])
  assert.equal(done.isNew, true)
  assert.deepEqual(
    done.registries.map(({ kind, rows, ranges, numbers }) => [kind, rows, ranges, numbers]),
    [
      ['DEF-9xx', 100, 100, 10_000],
      ['ABC-4xx', 1, 1, 10],
    ],
  )
  assert.equal((await take(dir, [mobile])).isNew, false)

  const more = [...hundred, madeRow(999, 20_000, 20_099, daisyAgain)]
  await take(dir, [putFile(dir, 'mobile.csv', registryBytes(more))])
  const status = await numberingStatus(dir)
  assert.deepEqual(
    status.registries.map(({ kind, source, rows, organisations }) => [kind, source, rows, organisations]),
    [
      ['ABC-4xx', 'fixed.csv', 1, 1],
      ['DEF-9xx', 'mobile.csv', 101, 2],
    ],
  )
  assert.deepEqual((await lookUpNumber(dir, 9_990_020_050)).range, {
    ...daisyAgain,
    region: 'Лесная область',
    city: '',
    isReserve: false,
  })
  assert.equal((await lookUpNumber(dir, 9_990_020_100)).range, undefined)
  assert.equal((await lookUpNumber(dir, 3_990_000_000)).isCovered, false)
  await assert.rejects(take(dir, [mobile, mobile]), /are both DEF-9xx/)
})

test('ranges held by the ministry are in reserve', async (t) => {
  const dir = temporaryDirectory(t)
  const ministry = { organisation: 'МИНЦИФРЫ РОССИИ', inn: '7710474375' }
  await take(dir, [putFile(dir, 'a.csv', registryBytes([madeRow(999, 0, 9, ministry), madeRow(999, 10, 19)]))])
  assert.equal((await lookUpNumber(dir, 9_990_000_009)).range?.isReserve, true)
  assert.equal((await lookUpNumber(dir, 9_990_000_010)).range?.isReserve, false)
})

test('a file that lost more than 2 % is refused, unless the loss is confirmed', async (t) => {
  const dir = temporaryDirectory(t)
  await take(dir, [putFile(dir, 'a.csv', registryBytes(hundred))])
  const { version } = await numberingStatus(dir)
  const fewer = putFile(dir, 'a.csv', registryBytes(hundred.slice(3)))
  await assert.rejects(take(dir, [fewer]), /97 rows instead of 100 and 9700 numbers instead of 10000.*--allow-loss/)
  // As many rows, with fewer numbers.
  const thin = hundred.map((row) => ({ ...row, last: row.last - 3 }))
  await assert.rejects(take(dir, [putFile(dir, 'b.csv', registryBytes(thin))]), /it has 9700 numbers instead of 10000/)
  assert.equal((await numberingStatus(dir)).version, version)
  assert.equal((await take(dir, [putFile(dir, 'c.csv', registryBytes(hundred.slice(2)))])).isNew, true)
  assert.equal((await take(dir, [fewer], true)).isNew, true)
})

test('zip files are unpacked, and truncated ones are refused', async (t) => {
  const dir = temporaryDirectory(t)
  const mobile = registryBytes(hundred)
  const fixed = registryBytes([madeRow(399, 0, 9)])
  for (const isWide of [false, true]) {
    const archive = zipBytes({ 'in/': '', 'in/a.csv': mobile, 'in/b.csv': fixed, 'read.me': 'x' }, isWide)
    const done = await take(dir, [putFile(dir, 'all.zip', archive)])
    assert.deepEqual(
      done.registries.map(({ kind, source }) => [kind, source]),
      [
        ['DEF-9xx', 'a.csv'],
        ['ABC-3xx', 'b.csv'],
      ],
    )
    await assert.rejects(take(dir, [putFile(dir, 'cut.zip', archive.subarray(0, -30))]), /cut\.zip is damaged/)
    const changed = Buffer.from(archive)
    changed[100] = (changed[100] ?? 0) ^ 255
    await assert.rejects(take(dir, [putFile(dir, 'changed.zip', changed)]), /changed\.zip is damaged/)
  }
  await assert.rejects(take(dir, [putFile(dir, 'none.zip', zipBytes({ 'read.me': 'x' }))]), /no \.csv file inside/)
  await assert.rejects(take(dir, [putFile(dir, 'cut.csv', mobile.subarray(0, -20))]), /line 101 is not a row/)
  await assert.rejects(take(dir, [putFile(dir, 'empty.csv', '')]), /empty\.csv is empty/)
  await assert.rejects(take(dir, [join(dir, 'missing.csv')]), /missing\.csv cannot be read/)
  await assert.rejects(take(dir, [dir]), /is not a file/)
})

test('xz files are unpacked, and truncated ones are refused', async (t) => {
  const packed = spawnSync('xz', ['-c'], { input: registryBytes(hundred) }).stdout
  assert(packed, 'install xz-utils: npm run interpreters')
  const dir = temporaryDirectory(t)
  const shares: number[] = []
  const path = putFile(dir, 'DEF-9xx.csv.xz', packed)
  const done = await importRegistry(dir, [path], false, (_, share) => shares.push(share))
  assert.equal(done.registries[0]?.source, 'DEF-9xx.csv')
  assert.equal(shares.at(-1), 1)
  await assert.rejects(take(dir, [putFile(dir, 'cut.xz', packed.subarray(0, -8))]), /cut\.xz cannot be unpacked/)
})

test('overlapping rows are reported, and the one that starts first is kept', async (t) => {
  const dir = temporaryDirectory(t)
  const rows = [madeRow(999, 0, 99), madeRow(999, 50, 149, reed), madeRow(999, 60, 70, reed)]
  const done = await take(dir, [putFile(dir, 'a.csv', registryBytes(rows))])
  const [kept, lost] = [daisy.organisation, reed.organisation]
  assert.deepEqual(done.registries[0]?.conflicts, [
    { first: 9_990_000_050, last: 9_990_000_099, kept, lost },
    { first: 9_990_000_060, last: 9_990_000_070, kept, lost },
  ])
  const holders = await Promise.all([99, 100, 149].map((at) => lookUpNumber(dir, 9_990_000_000 + at)))
  assert.deepEqual(
    holders.map(({ range }) => range?.organisation),
    [kept, lost, lost],
  )
})

test('rollback and roll forward work, and unused versions are removed', async (t) => {
  const dir = temporaryDirectory(t)
  await assert.rejects(rollBack(dir), /no previous version to roll back to/)
  const versions: string[] = []
  for (const last of [9, 19, 29]) {
    versions.push((await take(dir, [putFile(dir, 'a.csv', registryBytes([madeRow(999, 0, last)]))])).version)
  }
  assert.equal(readdirSync(dir).filter((name) => name.endsWith('.bin')).length, 2)
  assert.equal(await rollBack(dir), versions[1])
  assert.equal((await lookUpNumber(dir, 9_990_000_025)).range, undefined)
  assert.equal(await rollBack(dir), versions[2])
  assert.equal((await lookUpNumber(dir, 9_990_000_025)).range?.inn, daisy.inn)
  assert.equal(existsSync(join(dir, 'current.json.tmp')), false)
})

test('of two concurrent imports the slower one is refused', async (t) => {
  const dir = temporaryDirectory(t)
  await take(dir, [putFile(dir, 'a.csv', registryBytes(hundred))])
  await assert.rejects(publish(dir, emptyPointer, await readCurrent(dir)), /Another import has finished meanwhile/)
})

test('in a file without taxpayer numbers the owner is identified by its spelling', async (t) => {
  const dir = temporaryDirectory(t)
  const rows = [madeRow(999, 0, 9), madeRow(999, 10, 19, reed)]
  await take(dir, [putFile(dir, 'old.csv', registryBytes(rows, { ...currentForm, columns: 6 }))])
  const shouted = [madeRow(999, 0, 9, { organisation: 'ООО «РОМАШКА  СВЯЗЬ»' }), madeRow(999, 10, 19, daisyAgain)]
  const { registries } = await take(dir, [putFile(dir, 'new.csv', registryBytes(shouted))])
  assert.deepEqual(sums(registries[0]?.diff.changedOwner), [1, 10])
})

// Each number on its own, the simplest way.
test('the diff equals a count over single numbers', () => {
  const cuts = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 12 })
  const registry = fc
    .tuple(cuts, fc.array(fc.constantFrom(daisy, daisyAgain, reed), { minLength: 6, maxLength: 6 }))
    .map(([points, owners]): RegistryRow[] =>
      points
        .toSorted((a, b) => a - b)
        .flatMap((first, at, all) => {
          const last = all[at + 1]
          return at % 2 || last === undefined
            ? []
            : [{ code: 999, first, last: last - 1, ...(owners[at / 2] ?? daisy), region: '', city: '' }]
        }),
    )
  fc.assert(
    fc.property(registry, registry, (before, after) => {
      const open = (rows: RegistryRow[]) => readRegistryTable(packRegistry('file', { kind: 9, rows }).buffer)
      const diff = compareRegistries(open(before), open(after))
      const innAt = (rows: RegistryRow[], at: number) => rows.find(({ first, last }) => first <= at && at <= last)?.inn
      const scenarios = Array.from({ length: 61 }, (_, at) => [innAt(before, at), innAt(after, at)] as const)
      const count = (is: (old: string | undefined, now: string | undefined) => boolean) => {
        const hits = scenarios.map(([old, now]) => (old !== now && is(old, now) ? `${old}→${now}` : ''))
        return [hits.filter((hit, at) => hit !== '' && hit !== hits[at - 1]).length, hits.filter(Boolean).length]
      }
      assert.deepEqual(
        sums(diff.added),
        count((old) => old === undefined),
      )
      assert.deepEqual(
        sums(diff.removed),
        count((_, now) => now === undefined),
      )
      assert.deepEqual(
        sums(diff.changedOwner),
        count((old, now) => old !== undefined && now !== undefined),
      )
    }),
  )
})

function sums(sum: ChangeSum | undefined): readonly (number | undefined)[] {
  return [sum?.ranges, sum?.numbers]
}

test('the demo registry describes every mobile number, and the first real file replaces it however small', async (t) => {
  const dir = temporaryDirectory(t)
  assert.equal(await importDemoRegistry(dir), true)
  assert.equal(await importDemoRegistry(dir), false)
  for (const national of [9_000_000_001, 9_070_000_180, 9_999_999_999]) {
    const { range } = await lookUpNumber(dir, national)
    assert(range, String(national))
    assert.deepEqual([range.organisation, range.region, range.city].includes(''), false, String(national))
  }
  const real = putFile(dir, 'mobile.csv', registryBytes(hundred))
  const { isNew, registries } = await take(dir, [real])
  assert.deepEqual([isNew, registries[0]?.numbers], [true, 10_000])
  assert.equal(await importDemoRegistry(dir), false)
  assert.equal((await lookUpNumber(dir, 9_000_000_001)).range, undefined)
})
