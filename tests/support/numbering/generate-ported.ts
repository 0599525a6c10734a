// Generates a file of ported numbers in the Port_All format, for tests: numbers drawn from the imported
// registry, each assigned to an owner other than the holder of its range. The same seed gives the same file.

import assert from 'node:assert/strict'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { loadFile } from '../../../server/src/numbering/load-file.ts'
import { readCurrent } from '../../../server/src/numbering/pointer.ts'
import { type RegistryTable, readRegistryTable } from '../../../server/src/numbering/registry-table.ts'

export async function generatePorted(dir: string, count: number, seed: number, out: string): Promise<void> {
  const { registries } = await readCurrent(dir)
  const mobile = registries.find(({ kind }) => kind === 9)
  assert(mobile, 'a DEF-9xx registry to draw numbers from')
  const table = readRegistryTable(await loadFile(join(dir, mobile.file), mobile))
  await pipeline(Readable.from(portedText(table, count, seed)), createWriteStream(out, { flags: 'wx' }))
}

// Owners as the ported-numbers database spells them, with the taxpayer number of their ranges.
const owners = [
  { id: 'mMTS', mnc: '01', inn: '7740000076' },
  { id: 'mMEGAFON', mnc: '02', inn: '7812014560' },
  { id: 'mYOTA', mnc: '11', inn: '7701725181' },
  { id: 'mTELE2', mnc: '20', inn: '7743895280' },
  { id: 'mBEELINE', mnc: '99', inn: '7713076301' },
] as const

const head = 'Number,OwnerId,MNC,Route,RegionCode,PortDate,RowCount\n'
const pieceChars = 1 << 18

// The assigned numbers are split into `count` equal stretches and one number is drawn from each: none repeats, none has to be
// remembered, and every holder gets its share.
function* portedText(table: RegistryTable, count: number, seed: number): Generator<string> {
  const open = [...table.ranges()].filter((range) => !table.describe(range).isReserve)
  const total = open.reduce((sum, { first, last }) => sum + last - first + 1, 0)
  assert(count <= total, `only ${total} numbers are assigned`)
  const next = randomFrom(seed)
  const stretch = total / count
  let text = head
  let drawn = 0
  let passed = 0
  for (const range of open) {
    const { code, first, last, place } = range
    const others = owners.filter(({ inn }) => inn !== table.owners[range.owner]?.[1])
    const region = String((place % 99) + 1).padStart(2, '0')
    const end = passed + last - first + 1
    for (; drawn < count; drawn++) {
      const begin = Math.floor(drawn * stretch)
      if (begin >= end) break
      // A number drawn beyond the end of the range is clamped to its end.
      const at = Math.min(end - 1, begin + Math.floor(next() * (Math.floor((drawn + 1) * stretch) - begin)))
      const owner = others[Math.floor(next() * others.length)] ?? owners[0]
      const rows = drawn === 0 ? String(count) : ''
      const national = code * 10_000_000 + first + at - passed
      text += `${national},${owner.id},${owner.mnc},D${region}${owner.mnc},${region},${portedOn},${rows}\n`
      if (text.length < pieceChars) continue
      yield text
      text = ''
    }
    passed = end
  }
  yield text
}

const portedOn = '2026-01-15T00:00:00+03:00'

// Mulberry32: small, fast and the same on every platform. Not for secrets.
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
