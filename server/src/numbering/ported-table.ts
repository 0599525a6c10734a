// The ported numbers and their operators; the file and memory layouts are the same. Every code has one bit for each of its ten
// million numbers; each set bit has an owner byte, in the same order. To find that byte, the bits are stored in blocks of
// 480, each preceded by the count of set bits before it: count and bits are 64 bytes, one cache line. Sixty million numbers
// take less than three bytes each.
//
//   64 bytes                      header: magic, format, codes, numbers, bytes of strings
//   Uint8 × 128                   the position of each of the hundred codes, from 1; 0 for none
//   Uint32 × codes × blocks × 16  a count, and fifteen words of bits
//   Uint8 × numbers               the owners, from 1
//   strings                       JSON: [owner, mnc][]

import type { PortedNumber } from '../domain/numbers/numbering-index.ts'
import { UsageError } from '../process/errors.ts'

export type PortedTable = {
  readonly numbers: number
  readonly find: (national: number) => PortedNumber | undefined
  readonly each: (take: (national: number, number: PortedNumber) => void) => void
}

// Numbers in the order of arrival; the last entry for a number counts.
export type PortedLists = {
  readonly add: (national: number, owner: string, mnc: string) => void
  readonly remove: (national: number) => void
  // Empties the lists. `repeated` counts repeated numbers.
  readonly pack: () => { readonly buffer: SharedArrayBuffer; readonly repeated: number }
}

export const firstCode = 900
const codesMax = 100
const codeNumbers = 10_000_000
const wordsPerBlock = 16
const numbersPerBlock = (wordsPerBlock - 1) * 32
const blocksPerCode = Math.ceil(codeNumbers / numbersPerBlock)
const wordsPerCode = blocksPerCode * wordsPerBlock
const ownersMax = 255
const headerBytes = 64
const placesBytes = 128
const magic = 0x504d554e
const format = 1

export function createPortedLists(): PortedLists {
  const owners = createOwners()
  const lists = Array.from({ length: codesMax }, createList)
  let count = 0
  const put = (national: number, owner: number) => {
    const code = Math.floor(national / codeNumbers)
    const list = lists[code - firstCode]
    if (!list) throw new RangeError(`${national} is not a mobile number`)
    list.push((((national - code * codeNumbers) << 8) | owner) >>> 0)
    count += 1
  }
  return {
    add: (national, owner, mnc) => put(national, owners.idOf(owner, mnc)),
    remove: (national) => put(national, 0),
    pack: () => {
      const packed = packLists(lists, count, owners.all)
      count = 0
      return packed
    },
  }
}

// The buffer may be larger than the table.
export function readPortedTable(buffer: SharedArrayBuffer, bytes: number = buffer.byteLength): PortedTable {
  const { codes, numbers, stringsBytes } = readHeader(buffer, bytes)
  const { places, words, ownerIds } = partsOf(buffer, codes, numbers)
  const strings = Buffer.from(new Uint8Array(buffer, bytes - stringsBytes, stringsBytes)).toString()
  const owners = [
    undefined,
    ...(JSON.parse(strings) as [string, string][]).map(([owner, mnc]): PortedNumber => ({ owner, mnc })),
  ]
  // How many bits are set before this one, or -1 if it is not set.
  const rankOf = (place: number, rest: number): number => {
    const block = Math.floor(rest / numbersPerBlock)
    const bit = rest - block * numbersPerBlock
    const begin = place * wordsPerCode + block * wordsPerBlock
    const word = begin + 1 + (bit >>> 5)
    const bits = words[word] ?? 0
    if (((bits >>> (bit & 31)) & 1) === 0) return -1
    let rank = (words[begin] ?? 0) + bitCount(bits & ((1 << (bit & 31)) - 1))
    for (let at = begin + 1; at < word; at++) rank += bitCount(words[at] ?? 0)
    return rank
  }
  const find = (national: number): PortedNumber | undefined => {
    const code = Math.floor(national / codeNumbers)
    const place = places[code - firstCode] ?? 0
    if (place === 0) return undefined
    const rank = rankOf(place - 1, national - code * codeNumbers)
    return rank < 0 ? undefined : owners[ownerIds[rank] ?? 0]
  }
  const each: PortedTable['each'] = (take) => {
    let rank = 0
    for (let code = 0; code < codesMax; code++) {
      const place = places[code] ?? 0
      if (place === 0) continue
      const begin = (place - 1) * wordsPerCode
      for (let at = 0; at < wordsPerCode; at++) {
        // Skip the count at the start of a block.
        if (at % wordsPerBlock === 0) continue
        const first = Math.floor(at / wordsPerBlock) * numbersPerBlock + ((at % wordsPerBlock) - 1) * 32
        for (let bits = words[begin + at] ?? 0; bits !== 0; bits &= bits - 1) {
          const owner = owners[ownerIds[rank++] ?? 0]
          const rest = first + 31 - Math.clz32(bits & -bits)
          if (owner) take((firstCode + code) * codeNumbers + rest, owner)
        }
      }
    }
  }
  return { numbers, find, each }
}

type List = { readonly push: (packed: number) => void; readonly take: () => Uint32Array[] }

const pieceLength = 1 << 16

// Grows in pieces, so that growing never copies.
function createList(): List {
  let pieces: Uint32Array[] = []
  let last = new Uint32Array(0)
  let used = 0
  const push = (packed: number) => {
    if (used === last.length) {
      last = new Uint32Array(pieceLength)
      pieces.push(last)
      used = 0
    }
    last[used++] = packed
  }
  const take = () => {
    const filled = [...pieces.slice(0, -1), last.subarray(0, used)]
    pieces = []
    last = new Uint32Array(0)
    used = 0
    return filled
  }
  return { push, take }
}

function createOwners() {
  const ids = new Map<string, Map<string, number>>()
  const all: [string, string][] = []
  const make = (owner: string, mnc: string): number => {
    if (all.length === ownersMax) {
      throw new UsageError(`More than ${ownersMax} pairs of owner and network code are not supported.`)
    }
    all.push([owner, mnc])
    const byMnc = ids.get(owner) ?? new Map<string, number>()
    ids.set(owner, byMnc.set(mnc, all.length))
    return all.length
  }
  return { all, idOf: (owner: string, mnc: string) => ids.get(owner)?.get(mnc) ?? make(owner, mnc) }
}

// Each code is written to a scratch array of one byte per number, in the order of arrival, and read in number order: no
// sorting is needed.
function packLists(lists: readonly List[], count: number, owners: readonly [string, string][]) {
  const filled = lists.map((list, code) => ({ code, pieces: list.take() })).filter(({ pieces }) => hasAny(pieces))
  const strings = Buffer.from(JSON.stringify(owners))
  const whole = new SharedArrayBuffer(sizeOf(filled.length, count, strings.length))
  const { places, words, ownerIds } = partsOf(whole, filled.length, count)
  const scratch = { owners: new Uint8Array(blocksPerCode * numbersPerBlock), touched: new Uint8Array(blocksPerCode) }
  let numbers = 0
  let repeated = 0
  const readBlock = (place: number, block: number) => {
    const begin = block * numbersPerBlock
    const wordsBegin = place * wordsPerCode + block * wordsPerBlock + 1
    for (let bit = 0; bit < numbersPerBlock; bit++) {
      const owner = scratch.owners[begin + bit] ?? 0
      if (owner === 0) continue
      const word = wordsBegin + (bit >>> 5)
      words[word] = (words[word] ?? 0) | (1 << (bit & 31))
      ownerIds[numbers++] = owner
    }
    scratch.owners.fill(0, begin, begin + numbersPerBlock)
    scratch.touched[block] = 0
  }
  for (const [place, one] of filled.entries()) {
    for (const piece of one.pieces.splice(0)) repeated += scatter(piece, scratch)
    places[one.code] = place + 1
    for (let block = 0; block < blocksPerCode; block++) {
      words[place * wordsPerCode + block * wordsPerBlock] = numbers
      if (scratch.touched[block] === 1) readBlock(place, block)
    }
  }
  // Repeated numbers make it smaller than estimated.
  const size = sizeOf(filled.length, numbers, strings.length)
  const buffer = size === whole.byteLength ? whole : whole.slice(0, size)
  new Uint8Array(buffer).set(strings, size - strings.length)
  const view = new DataView(buffer)
  for (const [index, value] of [magic, format, filled.length, numbers, strings.length].entries()) {
    view.setUint32(index * 4, value, true)
  }
  return { buffer, repeated }
}

function hasAny(pieces: readonly Uint32Array[]): boolean {
  return pieces.some((piece) => piece.length > 0)
}

type Scratch = { readonly owners: Uint8Array; readonly touched: Uint8Array }

function scatter(piece: Uint32Array, { owners, touched }: Scratch): number {
  let repeated = 0
  for (let at = 0; at < piece.length; at++) {
    const packed = piece[at] ?? 0
    const rest = packed >>> 8
    if (owners[rest] !== 0) repeated += 1
    owners[rest] = packed & 255
    touched[Math.floor(rest / numbersPerBlock)] = 1
  }
  return repeated
}

function readHeader(buffer: SharedArrayBuffer, bytes: number) {
  if (bytes < headerBytes + placesBytes) throw new Error('portability file is too short')
  const view = new DataView(buffer)
  const word = (index: number) => view.getUint32(index * 4, true)
  if (word(0) !== magic) throw new Error('portability file has a wrong magic number')
  if (word(1) !== format) throw new Error(`portability file has format ${word(1)}, expected ${format}`)
  const [codes, numbers, stringsBytes] = [word(2), word(3), word(4)]
  if (bytes !== sizeOf(codes, numbers, stringsBytes)) throw new Error('portability file is truncated')
  return { codes, numbers, stringsBytes }
}

function sizeOf(codes: number, numbers: number, stringsBytes: number): number {
  return headerBytes + placesBytes + codes * wordsPerCode * 4 + numbers + stringsBytes
}

function partsOf(buffer: SharedArrayBuffer, codes: number, numbers: number) {
  const wordsAt = headerBytes + placesBytes
  return {
    places: new Uint8Array(buffer, headerBytes, codesMax),
    words: new Uint32Array(buffer, wordsAt, codes * wordsPerCode),
    ownerIds: new Uint8Array(buffer, wordsAt + codes * wordsPerCode * 4, numbers),
  }
}

function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
