// Reads the files of the national ported-numbers database in their published format: CSV with commas and a header line,
// `Kind_YYYYMMDDHHMM_seq.csv`. A full file has tens of millions of rows, so lines are parsed as bytes and only the owner
// becomes a string.

import { UsageError } from '../process/errors.ts'
import { firstCode } from './ported-table.ts'
import type { Source } from './source-files.ts'

// All ported numbers; numbers ported since; numbers returned since.
export type PortedKind = 'all' | 'ported' | 'returned'
export type TakeRow = (national: number, owner: string, mnc: string) => void

// The file's position among others of its kind; '' and 0 if its name does not show it.
type PortedStamp = { readonly asOf: string; readonly sequence: number }

export function stampOf(name: string): PortedStamp {
  const [, asOf = '', sequence = '0'] = /_(\d{12})(?:_(\d+))?\.csv$/i.exec(name) ?? []
  return { asOf, sequence: Number(sequence) }
}

// Returns the file's kind and row count. The first row states how many rows there must be.
export async function readPorted(source: Source, takerOf: (kind: PortedKind) => TakeRow): Promise<PortedRead> {
  let reader: Reader | undefined
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of source.chunks()) {
    let bytes = rest.length === 0 ? asBuffer(chunk) : Buffer.concat([rest, chunk])
    if (!reader) {
      const headEnd = bytes.indexOf(lineEnd)
      if (headEnd < 0 && bytes.length < headBytesMax) {
        rest = bytes
        continue
      }
      reader = createReader(source.name, bytes.toString('utf8', 0, Math.max(0, headEnd)), takerOf)
      bytes = bytes.subarray(headEnd + 1)
    }
    rest = bytes.subarray(reader.read(bytes))
    // What is left is copied with every chunk.
    if (rest.length > rowBytesMax)
      throw new UsageError(`${source.name} is refused: a row is longer than ${rowBytesMax} bytes.`)
  }
  if (!reader) throw new UsageError(`${source.name} is refused: it has no header line or no rows.`)
  if (rest.length > 0) reader.read(Buffer.concat([rest, Buffer.from('\n')]))
  return reader.finish()
}

type PortedRead = { readonly kind: PortedKind; readonly rows: number }
type Reader = { readonly read: (bytes: Buffer) => number; readonly finish: () => PortedRead }
type Columns = { number: number; owner: number; mnc: number; rowCount: number }

const lineEnd = 10
const comma = 44
const headBytesMax = 4096
const rowBytesMax = 65_536
const columnsMax = 32

function createReader(name: string, head: string, takerOf: (kind: PortedKind) => TakeRow): Reader {
  const { kind, columns } = readHead(name, head)
  const take = takerOf(kind)
  const ends = new Int32Array(columnsMax)
  // Only the first row has more columns that matter.
  const cellsNeeded = Math.max(columns.number, columns.owner, columns.mnc) + 1
  let rows = 0
  let rowsStated = 0
  const cell = (bytes: Buffer, begin: number, column: number) =>
    bytes.toString('latin1', column === 0 ? begin : (ends[column - 1] ?? 0) + 1, ends[column] ?? 0)
  const readLine = (bytes: Buffer, begin: number, end: number) => {
    const count = cutCells(bytes, begin, end, ends, rows === 0 ? ends.length : cellsNeeded)
    const numberAt = columns.number === 0 ? begin : (ends[columns.number - 1] ?? 0) + 1
    const national = columns.number < count ? readNational(bytes, numberAt, ends[columns.number] ?? 0) : undefined
    const owner = kind === 'returned' ? '' : cell(bytes, begin, columns.owner)
    const isWhole = kind === 'returned' || (columns.mnc < count && columns.owner < count && owner !== '')
    if (national === undefined || !isWhole) {
      throw new UsageError(`${name} is refused: row ${rows + 1} is malformed. The file may be truncated.`)
    }
    if (rows === 0 && columns.rowCount >= 0 && columns.rowCount < count) {
      rowsStated = Number(cell(bytes, begin, columns.rowCount))
    }
    rows += 1
    take(national, owner, kind === 'returned' ? '' : cell(bytes, begin, columns.mnc))
  }
  // Reads the complete lines and returns where the first incomplete one starts.
  const read = (bytes: Buffer): number => {
    let begin = 0
    for (let end = bytes.indexOf(lineEnd); end >= 0; end = bytes.indexOf(lineEnd, begin)) {
      const textEnd = end > begin && bytes[end - 1] === 13 ? end - 1 : end
      if (textEnd > begin) readLine(bytes, begin, textEnd)
      begin = end + 1
    }
    return begin
  }
  const finish = () => {
    if (rowsStated > 0 && rowsStated !== rows) {
      throw new UsageError(`${name} is refused: it has ${rows} rows but states ${rowsStated}.`)
    }
    return { kind, rows }
  }
  return { read, finish }
}

// The name gives the kind. If the file was renamed, the columns do, except for returns, whose columns are not known for sure.
function readHead(name: string, head: string): { kind: PortedKind; columns: Columns } {
  const names = head
    .replace(/^\uFEFF/, '')
    .trim()
    .split(',')
  const at = (column: string) => names.indexOf(column)
  const kind = kindOf(name, names)
  const columns = {
    number: at('Number'),
    owner: at(kind === 'all' ? 'OwnerId' : 'RecipientId'),
    mnc: at(kind === 'all' ? 'MNC' : 'NewMNC'),
    rowCount: at('RowCount'),
  }
  const isKnown = columns.number >= 0 && (kind === 'returned' || (columns.owner >= 0 && columns.mnc >= 0))
  if (kind === undefined || !isKnown || names.length > columnsMax) {
    throw new UsageError(
      `${name} is refused: it is neither Port_All, Port_All_Full, Port_Increment nor Return_Increment by its head line.`,
    )
  }
  return { kind, columns }
}

function kindOf(name: string, columns: readonly string[]): PortedKind | undefined {
  if (/^Return_Increment/i.test(name)) return 'returned'
  if (/^Port_Increment/i.test(name) || columns.includes('NewMNC')) return 'ported'
  return columns.includes('OwnerId') ? 'all' : undefined
}

// Stores where each of the first cells ends and returns their count.
function cutCells(bytes: Buffer, begin: number, end: number, ends: Int32Array, countMax: number): number {
  let count = 0
  for (let at = begin; at < end && count < countMax; at++) {
    if (bytes[at] === comma) ends[count++] = at
  }
  if (count < countMax) ends[count++] = end
  return count
}

function readNational(bytes: Buffer, begin: number, end: number): number | undefined {
  if (end - begin !== 10) return undefined
  let national = 0
  for (let at = begin; at < end; at++) {
    const digit = (bytes[at] ?? 0) - 48
    if (digit < 0 || digit > 9) return undefined
    national = national * 10 + digit
  }
  return national >= firstCode * 10_000_000 ? national : undefined
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}
