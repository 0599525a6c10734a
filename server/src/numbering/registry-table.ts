// The ranges of one kind of number (ABC-3xx, ABC-4xx, ABC-8xx or DEF-9xx); the file and memory layouts are the same: twelve
// bytes per range. Ten digits do not fit into 32 bits, so three select a bucket and seven are stored.
//
//   64 bytes           header: magic, format, kind, ranges, rows of the source, bytes of strings, numbers (a double)
//   Uint32 × 101       where the ranges of each of the hundred codes start
//   Uint32 × ranges    the first number of each range, without its code
//   Uint32 × ranges    the last
//   Uint16 × ranges    the owner, and
//   Uint16 × ranges    the place, as indexes into the lists in
//   strings            JSON: { owners: [organisation, inn][], places: [region, city][] }

import type { RegistryRange } from '../domain/numbers/numbering-index.ts'
import type { KindDigit } from './pointer.ts'

export type OwnerEntry = readonly [organisation: string, inn: string]
export type PlaceEntry = readonly [region: string, city: string]

// One range with its code, ready for packing.
export type PackedRange = {
  readonly code: number
  readonly first: number
  readonly last: number
  readonly owner: number
  readonly place: number
}

export type RegistryTable = {
  readonly kind: KindDigit
  readonly rows: number
  readonly numbers: number
  readonly rangeCount: number
  readonly owners: readonly OwnerEntry[]
  readonly find: (national: number) => RegistryRange | undefined
  readonly ranges: () => Generator<PackedRange>
  readonly describe: (range: Pick<PackedRange, 'owner' | 'place'>) => RegistryRange
}

const magic = 0x524d554e
const format = 1
const headerBytes = 64
const codesPerKind = 100
const codeNumbers = 10_000_000

// The ministry that publishes the registry. Ranges in its own name are reserved.
const reserveInn = '7710474375'
const reserveName = /^минцифры\s+россии$/i

const noOwner = { organisation: '', inn: '', isReserve: false }
const noPlace = { region: '', city: '' }

export function buildTable(
  kind: KindDigit,
  rows: number,
  ranges: readonly PackedRange[],
  owners: readonly OwnerEntry[],
  places: readonly PlaceEntry[],
): SharedArrayBuffer {
  const strings = Buffer.from(JSON.stringify({ owners, places }))
  const count = ranges.length
  const buffer = new SharedArrayBuffer(sizeOf(count, strings.length))
  const view = new DataView(buffer)
  for (const [index, value] of [magic, format, kind, count, rows, strings.length].entries()) {
    view.setUint32(index * 4, value, true)
  }
  view.setFloat64(
    24,
    ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0),
    true,
  )
  const parts = partsOf(buffer, count, strings.length)
  for (const [index, { code, first, last, owner, place }] of ranges.entries()) {
    parts.firsts[index] = first
    parts.lasts[index] = last
    parts.ownerIds[index] = owner
    parts.placeIds[index] = place
    parts.offsets[code - kind * codesPerKind + 1] = index + 1
  }
  // A code without ranges ends where the previous one ends.
  for (let code = 1; code <= codesPerKind; code++) {
    parts.offsets[code] = Math.max(parts.offsets[code] ?? 0, parts.offsets[code - 1] ?? 0)
  }
  parts.strings.set(strings)
  return buffer
}

// Refuses a table on which a lookup could go wrong; the SHA-256 has been checked before.
export function readRegistryTable(buffer: SharedArrayBuffer): RegistryTable {
  const { kind, count, rows, numbers, stringsBytes } = readHeader(buffer)
  const parts = partsOf(buffer, count, stringsBytes)
  const { offsets, firsts, lasts, ownerIds, placeIds } = parts
  const { owners, places } = JSON.parse(Buffer.from(parts.strings).toString()) as {
    owners: OwnerEntry[]
    places: PlaceEntry[]
  }
  const reserves = owners.map(([organisation, inn]) => inn === reserveInn || reserveName.test(organisation))
  assertOrdered(parts, count, owners.length, places.length)

  // Prepared once: building the object at every lookup would cost more than the search.
  const holders = owners.map(([organisation, inn], at) => ({ organisation, inn, isReserve: reserves[at] ?? false }))
  const regions = places.map(([region, city]) => ({ region, city }))
  const describeIds = (ownerId: number, placeId: number): RegistryRange => {
    const holder = holders[ownerId] ?? noOwner
    const place = regions[placeId] ?? noPlace
    return {
      organisation: holder.organisation,
      inn: holder.inn,
      region: place.region,
      city: place.city,
      isReserve: holder.isReserve,
    }
  }
  const find = (national: number): RegistryRange | undefined => {
    const code = Math.floor(national / codeNumbers)
    const rest = national - code * codeNumbers
    const bucket = code - kind * codesPerKind
    let low = offsets[bucket] ?? 0
    const begin = low
    let high = offsets[bucket + 1] ?? 0
    // The last range that starts at or before the number.
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((firsts[middle] ?? 0) <= rest) low = middle + 1
      else high = middle
    }
    const at = low - 1
    if (at < begin || (lasts[at] ?? 0) < rest) return undefined
    return describeIds(ownerIds[at] ?? 0, placeIds[at] ?? 0)
  }
  function* ranges(): Generator<PackedRange> {
    for (let bucket = 0; bucket < codesPerKind; bucket++) {
      for (let at = offsets[bucket] ?? 0; at < (offsets[bucket + 1] ?? 0); at++) {
        yield {
          code: kind * codesPerKind + bucket,
          first: firsts[at] ?? 0,
          last: lasts[at] ?? 0,
          owner: ownerIds[at] ?? 0,
          place: placeIds[at] ?? 0,
        }
      }
    }
  }
  const describe: RegistryTable['describe'] = ({ owner, place }) => describeIds(owner, place)
  return { kind, rows, numbers, rangeCount: count, owners, find, ranges, describe }
}

function readHeader(buffer: SharedArrayBuffer) {
  if (buffer.byteLength < headerBytes) throw new Error('registry file is too short')
  const view = new DataView(buffer)
  const word = (index: number) => view.getUint32(index * 4, true)
  if (word(0) !== magic) throw new Error('registry file has a wrong magic number')
  if (word(1) !== format) throw new Error(`registry file has format ${word(1)}, expected ${format}`)
  const [kind, count, rows, stringsBytes] = [word(2) as KindDigit, word(3), word(4), word(5)]
  if (buffer.byteLength !== sizeOf(count, stringsBytes)) throw new Error('registry file is truncated')
  return { kind, count, rows, stringsBytes, numbers: view.getFloat64(24, true) }
}

function sizeOf(count: number, stringsBytes: number): number {
  return headerBytes + (codesPerKind + 1) * 4 + count * 12 + stringsBytes
}

type Parts = ReturnType<typeof partsOf>

function partsOf(buffer: SharedArrayBuffer, count: number, stringsBytes: number) {
  const firstsAt = headerBytes + (codesPerKind + 1) * 4
  return {
    offsets: new Uint32Array(buffer, headerBytes, codesPerKind + 1),
    firsts: new Uint32Array(buffer, firstsAt, count),
    lasts: new Uint32Array(buffer, firstsAt + count * 4, count),
    ownerIds: new Uint16Array(buffer, firstsAt + count * 8, count),
    placeIds: new Uint16Array(buffer, firstsAt + count * 10, count),
    strings: new Uint8Array(buffer, firstsAt + count * 12, stringsBytes),
  }
}

function assertOrdered(parts: Parts, count: number, ownerCount: number, placeCount: number): void {
  const { offsets, firsts, lasts, ownerIds, placeIds } = parts
  const isSound = (bucket: number) => {
    let reached = -1
    for (let at = offsets[bucket] ?? 0; at < (offsets[bucket + 1] ?? 0); at++) {
      const first = firsts[at] ?? 0
      const last = lasts[at] ?? 0
      if (first <= reached || last < first || last >= codeNumbers) return false
      if ((ownerIds[at] ?? 0) >= ownerCount || (placeIds[at] ?? 0) >= placeCount) return false
      reached = last
    }
    return (offsets[bucket] ?? 0) <= (offsets[bucket + 1] ?? 0)
  }
  const buckets = Array.from({ length: codesPerKind }, (_, bucket) => bucket)
  if (offsets[0] !== 0 || offsets[codesPerKind] !== count || !buckets.every(isSound)) {
    throw new Error('registry file is not sorted')
  }
}
