// Registry files with made-up operators and places, in every format that the real registry has had.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'

export type MadeRow = {
  readonly code: number
  readonly first: number
  readonly last: number
  readonly organisation: string
  readonly inn: string
  readonly region: string
  readonly territory: string
}

export const daisy = { organisation: 'ООО "Ромашка Связь"', inn: '0000000001' }
export const daisyAgain = { organisation: 'ООО "РОМАШКА"', inn: '0000000001' }
export const reed = { organisation: 'АО "Камыш"', inn: '0000000002' }

export function madeRow(code: number, first: number, last: number, more: Partial<MadeRow> = {}): MadeRow {
  const place = { region: 'Лесная обл.', territory: 'Лесная область' }
  return { code, first, last, ...daisy, ...place, ...more }
}

const head = ['АВС/ DEF', 'От', 'До', 'Емкость', 'Оператор', 'Регион']

export type Form = {
  readonly columns: 6 | 7 | 8
  readonly hasHead: boolean
  readonly isPadded: boolean
  readonly isQuoted: boolean
  readonly encoding: 'cp1251' | 'utf-8' | 'utf-8 with a mark'
  readonly lineEnd: string
}

export const currentForm: Form = {
  columns: 8,
  hasHead: true,
  isPadded: true,
  isQuoted: false,
  encoding: 'utf-8 with a mark',
  lineEnd: '\n',
}

export function registryBytes(rows: readonly MadeRow[], form: Form = currentForm): Buffer {
  const heads = [...head, ...(form.columns === 8 ? ['Территория ГАР'] : []), ...(form.columns > 6 ? ['ИНН'] : [])]
  const lines = rows.map(({ code, first, last, organisation, inn, region, territory }) =>
    [
      String(code),
      form.isPadded ? String(first).padStart(7, '0') : String(first),
      form.isPadded ? String(last).padStart(7, '0') : String(last),
      String(last - first + 1),
      organisation,
      region,
      ...(form.columns === 8 ? [territory] : []),
      ...(form.columns > 6 ? [inn] : []),
    ]
      .map((cell) => (form.isQuoted && /["; ]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
      .join(';'),
  )
  const text = [...(form.hasHead ? [heads.join(';')] : []), ...lines].map((line) => line + form.lineEnd).join('')
  if (form.encoding === 'cp1251') return cp1251(text)
  return Buffer.from(form.encoding === 'utf-8' ? text : `\uFEFF${text}`)
}

export function putFile(dir: string, name: string, bytes: Uint8Array | string): string {
  const path = join(dir, name)
  writeFileSync(path, bytes)
  return path
}

// A zip archive; with `isWide` the sizes are in the 64-bit fields, as in archives above 4 GB.
export function zipBytes(files: Readonly<Record<string, Uint8Array | string>>, isWide = false): Buffer {
  const parts: Buffer[] = []
  const records: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const bytes = Buffer.from(text)
    const packed = deflateRawSync(bytes)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(Buffer.byteLength(name), 26)
    const extra = isWide ? wideExtra([bytes.length, packed.length, at]) : Buffer.alloc(0)
    const record = Buffer.alloc(46)
    record.writeUInt32LE(0x02014b50, 0)
    record.writeUInt16LE(8, 10)
    record.writeUInt32LE(crc32(bytes), 16)
    record.writeUInt32LE(isWide ? 0xffffffff : packed.length, 20)
    record.writeUInt32LE(isWide ? 0xffffffff : bytes.length, 24)
    record.writeUInt16LE(Buffer.byteLength(name), 28)
    record.writeUInt16LE(extra.length, 30)
    record.writeUInt32LE(isWide ? 0xffffffff : at, 42)
    parts.push(local, Buffer.from(name), packed)
    records.push(record, Buffer.from(name), extra)
    at += 30 + Buffer.byteLength(name) + packed.length
  }
  const directory = Buffer.concat(records)
  const count = Object.keys(files).length
  return Buffer.concat([...parts, directory, ...zipEnd(count, directory.length, at, isWide)])
}

function wideExtra(fields: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + fields.length * 8)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(fields.length * 8, 2)
  for (const [index, field] of fields.entries()) extra.writeBigUInt64LE(BigInt(field), 4 + index * 8)
  return extra
}

function zipEnd(count: number, bytes: number, at: number, isWide: boolean): Buffer[] {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(isWide ? 0xffff : count, 10)
  end.writeUInt32LE(isWide ? 0xffffffff : bytes, 12)
  end.writeUInt32LE(isWide ? 0xffffffff : at, 16)
  if (!isWide) return [end]
  const end64 = Buffer.alloc(56)
  end64.writeUInt32LE(0x06064b50, 0)
  for (const [offset, value] of [
    [32, count],
    [40, bytes],
    [48, at],
  ] as const) {
    end64.writeBigUInt64LE(BigInt(value), offset)
  }
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(at + bytes), 8)
  return [end64, locator, end]
}

function cp1251(text: string): Buffer {
  return Buffer.from(
    Array.from(text, (letter) => {
      const point = letter.codePointAt(0) ?? 0
      return point < 128 ? point : point - 0x410 + 0xc0
    }),
  )
}
