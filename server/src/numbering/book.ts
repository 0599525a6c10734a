// The numbering data in force, in memory. A new version is loaded beside the old one while that one serves, and then one
// reference is swapped: an answer that has taken the book has all of it from one version. What both versions have in
// common is kept and not loaded again. The version before stays in memory until the next one comes, so that going back
// to it is immediate; it is let go before the next is loaded, so that there are never three.

import { join } from 'node:path'
import { emptyBook, type NumberBook } from '../domain/number-book.ts'
import { type FileSeal, loadFile } from './load-file.ts'
import { emptyPointer, filesOf, importedAtMs, type Pointer, readCurrent, versionOf } from './pointer.ts'
import { type PortedChanges, readChanges } from './ported-changes.ts'
import { openPorted, type PortedTable } from './ported-table.ts'
import { openTable, type RegistryTable } from './registry-table.ts'

export type OpenBook = {
  readonly current: () => NumberBook
  // True when something new is in force. When that cannot be loaded it throws, and the old stays.
  readonly reload: () => Promise<boolean>
  // What the current version is made of, and since when it is in force; undefined when nothing was imported.
  readonly pointer: () => Pointer
  readonly importedAtMs: () => number | undefined
  // Why the data could not be loaded at the start. The book is empty then, and the service works all the same.
  readonly openingFailure: Error | undefined
}

// Opens the book of a directory; one of '' has nothing and will have nothing.
export async function openBook(dir: string): Promise<OpenBook> {
  let state: Version = nothing
  let previous: Version | undefined
  const load = async (): Promise<boolean> => {
    if (dir === '') return false
    const known = (file: string) => state.parts.get(file) ?? previous?.parts.get(file)
    const pointer = await readCurrent(dir)
    if (versionOf(pointer) === state.book.version) return false
    const kept = new Map(filesOf(pointer).flatMap(({ file }) => asEntries(file, known(file))))
    previous = undefined
    let next: Version
    try {
      next = await loadVersion(dir, pointer, kept)
    } catch (error) {
      // Its files may be gone because a newer version has come meanwhile.
      if (versionOf(await readCurrent(dir)) === versionOf(pointer)) throw error
      return load()
    }
    previous = state
    state = next
    return true
  }
  const inTurn = oneAfterAnother(load)
  const openingFailure = await inTurn().then(() => undefined, asError)
  return {
    current: () => state.book,
    reload: inTurn,
    pointer: () => state.pointer,
    importedAtMs: () => state.importedAtMs,
    openingFailure,
  }
}

// One file in memory: ranges of one kind, ported numbers, or the changes on top of them.
type Part =
  | { readonly kind: 'registry'; readonly table: RegistryTable }
  | { readonly kind: 'ported'; readonly table: PortedTable }
  | { readonly kind: 'changes'; readonly changes: PortedChanges }

type Version = {
  readonly pointer: Pointer
  readonly importedAtMs: number | undefined
  readonly parts: ReadonlyMap<string, Part>
  readonly book: NumberBook
}

const nothing: Version = { pointer: emptyPointer, importedAtMs: undefined, parts: new Map(), book: emptyBook }

async function loadVersion(dir: string, pointer: Pointer, kept: Map<string, Part>): Promise<Version> {
  const parts = new Map(kept)
  for (const seal of filesOf(pointer)) {
    if (!parts.has(seal.file)) {
      parts.set(seal.file, openPart(pointer, seal, await loadFile(join(dir, seal.file), seal)))
    }
  }
  return { pointer, importedAtMs: await importedAtMs(dir), parts, book: bookOf(pointer, parts) }
}

function openPart({ ported, changes }: Pointer, { file }: FileSeal, buffer: SharedArrayBuffer): Part {
  if (file === ported?.file) return { kind: 'ported', table: openPorted(buffer) }
  if (file === changes?.file) return { kind: 'changes', changes: readChanges(buffer) }
  return { kind: 'registry', table: openTable(buffer) }
}

function bookOf(pointer: Pointer, parts: ReadonlyMap<string, Part>): NumberBook {
  const byDigit: (RegistryTable | undefined)[] = Array.from({ length: 10 }, () => undefined)
  let base: PortedTable | undefined
  let changes: PortedChanges | undefined
  for (const part of parts.values()) {
    if (part.kind === 'registry') byDigit[part.table.kind] = part.table
    else if (part.kind === 'ported') base = part.table
    else changes = part.changes
  }
  const tableOf = (national: number) => byDigit[Math.floor(national / 1_000_000_000)]
  return {
    version: versionOf(pointer),
    covers: (national) => tableOf(national) !== undefined,
    find: (national) => tableOf(national)?.find(national),
    ported: (national) => (changes?.has(national) ? changes.get(national) : base?.find(national)),
  }
}

function asEntries<T>(name: string, value: T | undefined): [string, T][] {
  return value === undefined ? [] : [[name, value]]
}

// Two that were told of the same news load it once, and never past each other.
function oneAfterAnother<T>(work: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const mine = last.then(work, work)
    last = mine
    return mine
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
