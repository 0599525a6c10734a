// Imports files of ported numbers: a full file replaces the data, increments are applied on top. All files of one import take
// effect together, or none.

import { join } from 'node:path'
import type { PortedNumber } from '../domain/numbers/numbering-index.ts'
import type { PortedImport, ReportProgress } from '../domain/numbers/numbering-report.ts'
import { UsageError } from '../process/errors.ts'
import { type FileSeal, loadFile, sealOf } from './load-file.ts'
import { type Pointer, publish, readCurrent, versionOf, writeWhole } from './pointer.ts'
import { type PortedChanges, readChanges, writeChanges } from './ported-changes.ts'
import { createPortedLists, type PortedLists, type PortedTable, readPortedTable } from './ported-table.ts'
import { type PortedKind, readPorted, stampOf, type TakeRow } from './read-ported.ts'
import { readSources, type Source } from './source-files.ts'

export async function importPorted(
  dir: string,
  paths: readonly string[],
  allowLoss: boolean,
  report: ReportProgress,
): Promise<PortedImport> {
  const before = await readCurrent(dir)
  const base = before.ported && (await loadBase(dir, before.ported))
  const oldChanges = before.changes && readChanges(await loadFile(join(dir, before.changes.file), before.changes))
  const work = createWork(base, new Map(oldChanges), before.changes?.asOf ?? before.ported?.asOf ?? '')
  for (const { path, name } of await inOrder(paths)) {
    for await (const source of readSources(path, report)) if (source.name === name) await work.take(source)
  }
  const numbersBefore = base ? countAfter(base, oldChanges) : (before.ported?.numbers ?? 0)
  const prepared = prepare(before, work, base)
  const { numbersAfter, repeatedRows } = prepared
  if (!allowLoss && work.lists() && numbersAfter < numbersBefore * (1 - lossMax)) {
    throw new UsageError(
      `The import is refused: ${numbersAfter} numbers would be ported instead of ${numbersBefore}, a loss of more than ` +
        `${lossMax * 100} %. Is the file whole? If the loss is meant: --allow-loss`,
    )
  }
  const version = versionOf(prepared.next)
  const isNew = version !== versionOf(before)
  if (isNew) {
    for (const [file, bytes] of prepared.files) await writeWhole(dir, file, bytes)
    await publish(dir, before, prepared.next)
  }
  return { version, isNew, ...work.counts(), repeatedRows, numbersBefore, numbersAfter }
}

const lossMax = 0.02

// Above this the changes cost a process more than loading a new file.
const changesMax = 100_000

// An unreadable file counts as missing: a Port_All replaces it, and an increment is refused.
async function loadBase(dir: string, seal: FileSeal): Promise<PortedTable | undefined> {
  try {
    return readPortedTable(await loadFile(join(dir, seal.file), seal))
  } catch {
    return undefined
  }
}

type Work = ReturnType<typeof createWork>

function createWork(base: PortedTable | undefined, changes: Map<number, PortedNumber | undefined>, since: string) {
  let lists: PortedLists | undefined
  let asOf = since
  let source = ''
  let portedRows = 0
  let returnedRows = 0
  const skipped: string[] = []
  const numbers = new Map<string, PortedNumber>()
  const numberOf = (owner: string, mnc: string): PortedNumber => {
    const key = `${owner}\n${mnc}`
    const number = numbers.get(key) ?? { owner, mnc }
    numbers.set(key, number)
    return number
  }
  const takerOf = (kind: PortedKind, name: string): TakeRow => {
    if (kind === 'all') {
      lists = createPortedLists()
      changes.clear()
      source = name
      return lists.add
    }
    if (!lists && !base) throw new UsageError(`${name} is refused: an increment needs a Port_All before it.`)
    if (kind === 'returned') return (national) => changes.set(national, undefined)
    return (national, owner, mnc) => changes.set(national, numberOf(owner, mnc))
  }
  const take = async (one: Source): Promise<void> => {
    const stamp = stampOf(one.name).asOf
    if (stamp !== '' && stamp < asOf) {
      skipped.push(one.name)
      return
    }
    const { kind, rows } = await readPorted(one, (found) => takerOf(found, one.name))
    if (kind === 'returned') returnedRows += rows
    else portedRows += rows
    asOf = stamp || asOf
  }
  return {
    take,
    changes,
    lists: () => lists,
    asOf: () => asOf,
    source: () => source,
    counts: () => ({ skipped, portedRows, returnedRows }),
  }
}

type Prepared = {
  readonly next: Pointer
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly numbersAfter: number
  readonly repeatedRows: number
}

function prepare(before: Pointer, work: Work, base: PortedTable | undefined): Prepared {
  const whole = work.lists()?.pack()
  const table = whole ? readPortedTable(whole.buffer) : base
  const isFolded = work.changes.size > changesMax
  const buffer = isFolded ? fold(table, work.changes) : whole?.buffer
  const { ported: oldPorted, changes: _, ...rest } = before
  const files = new Map<string, Uint8Array>()
  let ported = oldPorted
  if (buffer) {
    const bytes = new Uint8Array(buffer)
    const seal = sealOf('ported', 'bin', bytes)
    files.set(seal.file, bytes)
    const { numbers } = readPortedTable(buffer)
    ported = { ...seal, source: work.source() || (oldPorted?.source ?? ''), numbers, asOf: work.asOf() }
  }
  let next: Pointer = { ...rest, ...(ported ? { ported } : {}) }
  if (!isFolded && work.changes.size > 0) {
    const bytes = Buffer.from(writeChanges(work.changes))
    const seal = sealOf('changes', 'json', bytes)
    files.set(seal.file, bytes)
    next = { ...next, changes: { ...seal, changes: work.changes.size, asOf: work.asOf() } }
  }
  return { next, files, numbersAfter: countAfter(table, work.changes), repeatedRows: whole?.repeated ?? 0 }
}

function fold(table: PortedTable | undefined, changes: PortedChanges): SharedArrayBuffer {
  const lists = createPortedLists()
  table?.each((national, { owner, mnc }) => lists.add(national, owner, mnc))
  for (const [national, number] of changes) {
    if (number) lists.add(national, number.owner, number.mnc)
    else lists.remove(national)
  }
  return lists.pack().buffer
}

function countAfter(base: PortedTable | undefined, changes: PortedChanges | undefined): number {
  let count = base?.numbers ?? 0
  for (const [national, number] of changes ?? []) {
    count += (number ? 1 : 0) - (base?.find(national) ? 1 : 0)
  }
  return count
}

// Sorted by the time in their names, the full file before its increments; in the given order if a name has no time.
async function inOrder(paths: readonly string[]): Promise<readonly { path: string; name: string }[]> {
  const found: { path: string; name: string }[] = []
  for (const path of paths) {
    for await (const { name } of readSources(path, () => undefined)) found.push({ path, name })
  }
  const stamped = found.map((one) => ({ ...one, ...stampOf(one.name), isIncrement: /Increment/i.test(one.name) }))
  if (stamped.some(({ asOf }) => asOf === '')) return found
  return stamped.toSorted(
    (a, b) => a.asOf.localeCompare(b.asOf) || Number(a.isIncrement) - Number(b.isIncrement) || a.sequence - b.sequence,
  )
}
