// Reads a registry file of any year since 2014. Older files are in CP1251, newer ones in UTF-8, with or without a byte order
// mark, a header line and zero padding. The taxpayer number was added around 2022 and "Территория ГАР" in 2024. Some files
// were saved again by a spreadsheet, which quotes cells that contain quotes. One malformed row refuses the whole file: the
// rest cannot be trusted either.

import { UsageError } from '../process/errors.ts'
import { readPlace } from './place.ts'
import { type KindDigit, kindDigits } from './pointer.ts'

export type RegistryRow = {
  readonly code: number
  readonly first: number
  readonly last: number
  readonly organisation: string
  readonly inn: string
  readonly region: string
  readonly city: string
}

export type Registry = { readonly kind: KindDigit; readonly rows: readonly RegistryRow[] }

export function readRegistry(name: string, bytes: Uint8Array): Registry {
  const lines = decode(bytes).split(/\r?\n/)
  const head = splitLine(lines[0] ?? '', undefined)
  const hasHead = !/^\d+$/.test(head[0] ?? '')
  const columns = hasHead ? columnsByName(name, head) : columnsByCount(name, head.length)
  const places = new Map<string, readonly [string, string]>()
  const placeOf = (territory: string) => {
    const known = places.get(territory)
    if (known) return known
    const place = readPlace(territory)
    places.set(territory, place)
    return place
  }
  const rows: RegistryRow[] = []
  for (const [index, line] of lines.entries()) {
    if (line === '' || (hasHead && index === 0)) continue
    const row = readRow(splitLine(line, columns.count), columns, placeOf)
    if (row === undefined) {
      throw new UsageError(
        `${name} is refused: line ${index + 1} is not a row of the registry. A file that was cut off ends so.`,
      )
    }
    rows.push(row)
  }
  return { kind: kindOf(name, rows), rows }
}

// The first four columns are the same in every year: code, from, to, count.
type Columns = {
  readonly count: number
  readonly organisation: number
  readonly region: number
  readonly territory: number | undefined
  readonly inn: number | undefined
}

function columnsByName(name: string, head: readonly string[]): Columns {
  const at = (word: string) => {
    const index = head.findIndex((text) => text.toLowerCase() === word)
    return index < 4 ? undefined : index
  }
  const [organisation, region] = [at('оператор'), at('регион')]
  if (organisation === undefined || region === undefined) {
    throw new UsageError(`${name} is not a registry file: its header line has no "Оператор" and "Регион".`)
  }
  return { count: head.length, organisation, region, territory: at('территория гар'), inn: at('инн') }
}

function columnsByCount(name: string, count: number): Columns {
  if (count < 6 || count > 8) {
    throw new UsageError(`${name} is not a registry file: its rows have ${count} columns instead of 6, 7 or 8.`)
  }
  const inn = count === 6 ? undefined : count - 1
  return { count, organisation: 4, region: 5, territory: count === 8 ? 6 : undefined, inn }
}

function readRow(
  cells: readonly string[],
  columns: Columns,
  placeOf: (territory: string) => readonly [string, string],
): RegistryRow | undefined {
  if (cells.length !== columns.count) return undefined
  const cell = (index: number | undefined) => (index === undefined ? '' : (cells[index] ?? ''))
  const [code, first, last, count] = [cell(0), cell(1), cell(2), cell(3)]
  if (!/^\d{3}$/.test(code) || ![first, last].every((text) => /^\d{1,7}$/.test(text))) return undefined
  if (Number(first) > Number(last) || Number(count) !== Number(last) - Number(first) + 1) return undefined
  const organisation = cell(columns.organisation)
  const inn = cell(columns.inn)
  if (organisation === '' || !/^(\d{10}|\d{12})?$/.test(inn)) return undefined
  const territory = cell(columns.territory)
  const [region, city] = placeOf(/^-?$/.test(territory) ? cell(columns.region) : territory)
  return { code: Number(code), first: Number(first), last: Number(last), organisation, inn, region, city }
}

function kindOf(name: string, rows: readonly RegistryRow[]): KindDigit {
  if (rows.length === 0) throw new UsageError(`${name} is refused: it has no rows.`)
  const digits = new Set(rows.map(({ code }) => Math.floor(code / 100)))
  const kind = kindDigits.find((digit) => digits.has(digit))
  if (kind === undefined || digits.size > 1) {
    throw new UsageError(
      `${name} is refused: a file has codes of one kind (3xx, 4xx, 8xx or 9xx), and this one has ` +
        `${[...digits].map((digit) => `${digit}xx`).join(', ')}.`,
    )
  }
  return kind
}

// A file that is not valid UTF-8 throughout is CP1251. A truncated last character does not count.
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1251').decode(bytes)
  }
}

// Quotes are part of the text, as in ООО "Ромашка", unless the whole cell is quoted with the inner quotes doubled. Only such a
// cell may contain a semicolon; the line then seems to have too many cells.
function splitLine(line: string, count: number | undefined): string[] {
  const plain = line.split(';')
  if (!line.includes('"')) return plain.map((cell) => cell.trim())
  const cells = count === undefined || plain.length === count ? plain : quotedCells(line)
  return cells.map((cell) => unquoted(cell.trim()))
}

function quotedCells(line: string): string[] {
  return [...line.matchAll(/(?:^|;)("(?:[^"]|"")*"(?=;|$)|[^;]*)/g)].map(([, cell = '']) => cell)
}

function unquoted(cell: string): string {
  return /^"(?:[^"]|"")*"$/.test(cell) ? cell.slice(1, -1).replaceAll('""', '"').trim() : cell
}
