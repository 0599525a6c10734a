// The difference between two versions of the numbering data, in the process and in a thread.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { diffVersions, readVersionPair } from '../../server/src/numbering/diff-versions.ts'
import { importRegistry } from '../../server/src/numbering/import-registry.ts'
import { rollBack } from '../../server/src/numbering/inspect.ts'
import { sealOf } from '../../server/src/numbering/load-file.ts'
import { emptyPointer, type Pointer, publish, versionOf, writeWhole } from '../../server/src/numbering/pointer.ts'
import { buildTable, type OwnerEntry, type PackedRange } from '../../server/src/numbering/registry-table.ts'
import { createDiff } from '../../server/src/numbering/threads.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { daisy, madeRow, putFile, reed, registryBytes } from '../support/numbering/registry-files.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const report = () => undefined

test('ranges that were added, removed and moved are counted by kind, with the largest as examples', async (t) => {
  const dir = temporaryDirectory(t)
  const first = putFile(dir, 'a.csv', registryBytes([madeRow(907, 0, 999), madeRow(907, 2_000, 2_999)]))
  const land = putFile(dir, 'land.csv', registryBytes([madeRow(499, 0, 99)]))
  const moved = madeRow(907, 0, 999, reed)
  const second = putFile(dir, 'b.csv', registryBytes([moved, madeRow(907, 5_000, 5_009)]))
  await importRegistry(dir, [first, land], false, report)
  await importRegistry(dir, [second], true, report)
  const diff = await diffOf(dir)
  // The file of landlines is the same.
  assert.deepEqual(diff?.registries, [
    {
      kind: 'DEF-9xx',
      added: sum(9_070_005_000, 9_070_005_009, '', daisy.organisation),
      removed: sum(9_070_002_000, 9_070_002_999, daisy.organisation, ''),
      changedOwner: sum(9_070_000_000, 9_070_000_999, daisy.organisation, reed.organisation),
    },
  ])
  assert.equal(diff.ported, undefined)
  await rollBack(dir)
  const back = await diffOf(dir)
  assert.deepEqual([back?.from, back?.to], [diff.to, diff.from])
  assert.deepEqual(back?.registries[0]?.added, sum(9_070_002_000, 9_070_002_999, '', daisy.organisation))
})

test('the first import adds everything, and its rollback removes it', async (t) => {
  const dir = temporaryDirectory(t)
  assert.equal(await diffOf(dir), undefined)
  const path = putFile(dir, 'a.csv', registryBytes([madeRow(907, 0, 999)]))
  await importRegistry(dir, [path], false, report)
  const first = await diffOf(dir)
  assert.deepEqual([first?.from, first?.registries[0]?.added.numbers], ['', 1_000])
  await rollBack(dir)
  const back = await diffOf(dir)
  assert.deepEqual([back?.to, back?.registries[0]?.removed.numbers], ['', 1_000])
})

test('400 000 ranges are compared in a thread with a bounded heap, once', async (t) => {
  const dir = temporaryDirectory(t)
  await publishLarge(dir, emptyPointer, 0)
  await publishLarge(dir, await current(dir), 1)
  const read = createDiff(dir, createClock(1))
  const [one, two] = await Promise.all([read(), read()])
  assert.equal(one, two)
  const [mobile] = one?.registries ?? []
  assert.deepEqual([mobile?.changedOwner.ranges, mobile?.changedOwner.largest.length], [rangeCount, 5])
})

test('a damaged file fails the comparison, and the next one tries again', async (t) => {
  const dir = temporaryDirectory(t)
  for (const last of [999, 1_999]) {
    await importRegistry(dir, [putFile(dir, 'a.csv', registryBytes([madeRow(907, 0, last)]))], false, report)
  }
  const pair = (await readVersionPair(dir)) ?? assert.fail()
  const [file] = pair.before.registries
  const read = createDiff(dir, createClock(1))
  const damaged = file?.file ?? assert.fail()
  const bytes = readFileSync(`${dir}/${damaged}`)
  writeFileSync(`${dir}/${damaged}`, bytes.subarray(1))
  await assert.rejects(read(), /bytes instead of/)
  writeFileSync(`${dir}/${damaged}`, bytes)
  assert.equal((await read())?.registries[0]?.added.numbers, 1_000)
})

async function diffOf(dir: string) {
  const pair = await readVersionPair(dir)
  return pair && diffVersions(dir, pair)
}

async function current(dir: string): Promise<Pointer> {
  return (await readVersionPair(dir))?.after ?? emptyPointer
}

function sum(first: number, last: number, before: string, after: string) {
  return { ranges: 1, numbers: last - first + 1, largest: [{ first, last, before, after }] }
}

const rangeCount = 400_000

// Every range has another owner in the next version.
async function publishLarge(dir: string, before: Pointer, shift: number): Promise<void> {
  const owners = Array.from({ length: 1_000 }, (_, at): OwnerEntry => [`Связь ${at}`, String(at).padStart(10, '0')])
  const perCode = rangeCount / 100
  const ranges = Array.from({ length: rangeCount }, (_, at): PackedRange => {
    const first = (at % perCode) * 2_000
    return { code: 900 + Math.floor(at / perCode), first, last: first + 999, owner: (at + shift) % 1_000, place: 0 }
  })
  const bytes = new Uint8Array(buildTable(9, rangeCount, ranges, owners, [['', '']]))
  const seal = sealOf('registry-DEF-9xx', 'bin', bytes)
  const counts = { source: 'a.csv', rows: rangeCount, ranges: rangeCount, numbers: rangeCount * 1_000 }
  const next: Pointer = { format: 1, registries: [{ ...seal, ...counts, kind: 9, organisations: owners.length }] }
  assert.notEqual(versionOf(next), versionOf(before))
  await writeWhole(dir, seal.file, bytes)
  await publish(dir, before, next)
}
