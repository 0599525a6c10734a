// The numbering data in memory: lookups, reload, and damaged files.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { emptyNumberingIndex } from '../../server/src/domain/numbers/numbering-index.ts'
import { importPorted } from '../../server/src/numbering/import-ported.ts'
import { importRegistry } from '../../server/src/numbering/import-registry.ts'
import { rollBack } from '../../server/src/numbering/inspect.ts'
import { loadNumbering } from '../../server/src/numbering/load-numbering.ts'
import { packRegistry } from '../../server/src/numbering/pack-registry.ts'
import type { RegistryRow } from '../../server/src/numbering/read-registry.ts'
import { readRegistryTable } from '../../server/src/numbering/registry-table.ts'
import { daisy, madeRow, putFile, reed, registryBytes } from '../support/numbering/registry-files.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const quiet = () => undefined

test('without a directory or an import the index is empty', async (t) => {
  for (const dir of ['', temporaryDirectory(t), join(temporaryDirectory(t), 'not', 'succeeded')]) {
    const index = await loadNumbering(dir)
    assert.equal(index.current(), emptyNumberingIndex)
    assert.equal(await index.reload(), false)
    assert.equal(index.loadFailure, undefined)
    assert.equal(index.importedAtMs(), undefined)
  }
})

test('a new version replaces the index; results taken from the old one do not change', async (t) => {
  const { dir, take } = place(t)
  await take(madeRow(999, 0, 9))
  const { current, reload, pointer, importedAtMs } = await loadNumbering(dir)
  const old = current()
  assert.deepEqual(old.find(9_990_000_009), { ...daisy, region: 'Лесная область', city: '', isReserve: false })
  assert.equal(old.find(9_990_000_010), undefined)
  assert.deepEqual([old.covers(9_000_000_000), old.covers(4_990_000_000)], [true, false])
  assert.equal(await reload(), false)

  await take(madeRow(999, 0, 9), madeRow(999, 10, 19, reed))
  assert.equal(await reload(), true)
  assert.equal(current().find(9_990_000_010)?.inn, reed.inn)
  assert.equal(old.find(9_990_000_010), undefined)
  assert.notEqual(current().version, old.version)
  assert.equal(pointer().registries[0]?.rows, 2)
  assert((importedAtMs() ?? 0) > 0)

  await rollBack(dir)
  assert.equal(await reload(), true)
  assert.equal(current().version, old.version)
})

test('a request during a reload is answered from one version', async (t) => {
  const { dir, take } = place(t)
  await take(madeRow(999, 0, 9), madeRow(999, 20, 29))
  const { current, reload } = await loadNumbering(dir)
  await take(madeRow(999, 0, 9, reed), madeRow(999, 20, 29, reed))
  const waiting = { isDone: false }
  const reloading = reload().finally(() => {
    waiting.isDone = true
  })
  const seen = new Set<string>()
  while (!waiting.isDone) {
    const index = current()
    const first = index.find(9_990_000_000)?.inn
    await new Promise((resolve) => setImmediate(resolve))
    seen.add(`${index.version} ${first} ${index.find(9_990_000_020)?.inn}`)
  }
  await reloading
  assert.equal(current().find(9_990_000_000)?.inn, reed.inn)
  for (const answers of seen) assert.match(answers, /^\S+ (\d+) \1$/)
})

test('files shared with the previous version are not read again', async (t) => {
  const { dir, take } = place(t)
  await take(madeRow(999, 0, 9))
  const { current, reload } = await loadNumbering(dir)
  // Reading it again would fail.
  for (const name of binaries(dir)) rmSync(join(dir, name))
  await importRegistry(dir, [putFile(dir, 'b.csv', registryBytes([madeRow(499, 0, 9)]))], false, quiet)
  assert.equal(await reload(), true)
  assert.deepEqual([current().covers(4_990_000_000), current().find(9_990_000_000)?.inn], [true, daisy.inn])
})

test('a damaged or missing file keeps the current version, and is logged', async (t) => {
  const { dir, take } = place(t)
  await take(madeRow(999, 0, 9))
  const { current, reload } = await loadNumbering(dir)
  const before = current()
  await take(madeRow(999, 0, 19))
  const path = join(dir, binaries(dir).find((name) => !name.includes(namedFirst(dir, 'previous.json'))) ?? '')
  const whole = readFileSync(path)
  const damages: readonly [RegExp, () => void][] = [
    [/its SHA-256 does not match/, () => writeFileSync(path, Uint8Array.from(whole).with(200, 255))],
    [/bytes instead of/, () => writeFileSync(path, whole.subarray(0, -1))],
    [/ENOENT/, () => rmSync(path)],
  ]
  for (const [sentence, damage] of damages) {
    damage()
    await assert.rejects(reload(), sentence)
    assert.equal(current(), before)
    const anew = await loadNumbering(dir)
    assert.equal(anew.current(), emptyNumberingIndex)
    assert.match(anew.loadFailure?.message ?? '', sentence)
  }
  writeFileSync(path, whole)
  assert.equal(await reload(), true)
  writeFileSync(join(dir, 'current.json'), '{"format":')
  await assert.rejects(reload(), /current\.json is damaged/)
  assert.equal(current().find(9_990_000_019)?.inn, daisy.inn)
})

test('a table whose rows are not sorted is refused', () => {
  const rows: RegistryRow[] = [0, 10].map((first) => ({
    code: 999,
    first,
    last: first + 4,
    ...daisy,
    region: '',
    city: '',
  }))
  const { buffer } = packRegistry('file', { kind: 9, rows })
  assert.doesNotThrow(() => readRegistryTable(buffer))
  const changed = (at: number, value: number) => {
    const copy = buffer.slice(0)
    new DataView(copy).setUint32(at, value, true)
    return copy
  }
  const firsts = 64 + 404
  for (const [at, value] of [
    [firsts, 11],
    [firsts + 4, 3],
    [firsts + 8, 10],
    [firsts + 16, 0x00070007],
    [64, 1],
    [0, 0],
    [4, 2],
    [12, 3],
  ] as const) {
    assert.throws(() => readRegistryTable(changed(at, value)), /registry file/, `${at} = ${value}`)
  }
})

test('a lookup finds the same row as a scan over all rows', () => {
  const row = fc.record({
    code: fc.constantFrom(900, 901, 950, 999),
    first: fc.integer({ min: 0, max: 200 }).map((n) => (n > 190 ? 9_999_799 + n : n)),
    length: fc.integer({ min: 1, max: 20 }),
    owner: fc.constantFrom(daisy, reed),
  })
  const probes = [0, 1, 5, 10, 50, 100, 150, 199, 220, 9_999_989, 9_999_995, 9_999_999]
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), (made) => {
      const rows: RegistryRow[] = []
      for (const { code, first, length, owner } of made) {
        const last = Math.min(first + length, 9_999_999)
        const isFree = !rows.some((other) => other.code === code && first <= other.last && other.first <= last)
        if (isFree) rows.push({ code, first, last, ...owner, region: `${first}`, city: `${length}` })
      }
      const table = readRegistryTable(packRegistry('file', { kind: 9, rows }).buffer)
      for (const code of [899, 900, 901, 902, 950, 999]) {
        for (const rest of probes) {
          const found = rows.find((one) => one.code === code && one.first <= rest && rest <= one.last)
          const response = table.find(code * 10_000_000 + rest)
          const [inn, region, city] = [response?.inn, response?.region, response?.city]
          assert.deepEqual([inn, region, city], [found?.inn, found?.region, found?.city])
        }
      }
    }),
  )
})

test('ported numbers are replaced together with the ranges', async (t) => {
  const { dir, take } = place(t)
  await take(madeRow(999, 0, 9))
  const { current, reload } = await loadNumbering(dir)
  const text = 'Number,OwnerId,MNC,Route,RegionCode,PortDate,RowCount\n9990000003,mREED,07,D0107,01,,1\n'
  await importPorted(dir, [putFile(dir, 'Port_All_202601010000_1.csv', text)], false, quiet)
  assert.equal(current().ported(9_990_000_003), undefined)
  assert.equal(await reload(), true)
  assert.deepEqual(current().ported(9_990_000_003), { owner: 'mREED', mnc: '07' })
  assert.equal(current().ported(9_990_000_002), undefined)
  assert.equal(current().ported(4_990_000_003), undefined)
  assert.equal(current().find(9_990_000_003)?.inn, daisy.inn)
})

function place(t: TestContext) {
  const dir = temporaryDirectory(t)
  const take = (...rows: Parameters<typeof registryBytes>[0]) =>
    importRegistry(dir, [putFile(dir, 'a.csv', registryBytes(rows))], false, quiet)
  return { dir, take }
}

function binaries(dir: string): string[] {
  return readdirSync(dir).filter((name) => name.endsWith('.bin'))
}

function namedFirst(dir: string, pointer: string): string {
  const { registries } = JSON.parse(readFileSync(join(dir, pointer), 'utf8')) as { registries: { file: string }[] }
  return registries[0]?.file ?? ''
}
