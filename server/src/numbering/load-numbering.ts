// The numbering data in memory. A new version is loaded beside the current one and then one reference is swapped, so a
// response that takes the index once gets all its data from one version. Files that both versions share are not loaded
// again. The previous version stays in memory until the next one comes, so a rollback is immediate.
//
// Ported numbers are large, and the garbage collector is slow to free shared memory. So two buffers are used in turn: the next
// version is read into the buffer of the previous one. An index is therefore valid for one response and must not be kept.

import { join } from 'node:path'
import { emptyNumberingIndex, type NumberingIndex } from '../domain/numbers/numbering-index.ts'
import { type FileSeal, loadFile, loadInto } from './load-file.ts'
import { emptyPointer, filesOf, importedAtMs, type Pointer, readCurrent, versionOf } from './pointer.ts'
import { type PortedChanges, readChanges } from './ported-changes.ts'
import { type PortedTable, readPortedTable } from './ported-table.ts'
import { type RegistryTable, readRegistryTable } from './registry-table.ts'

export type LoadedNumbering = {
  readonly current: () => NumberingIndex
  // True if a new version is in use. Throws if it cannot be loaded; the old one stays.
  readonly reload: () => Promise<boolean>
  // The files of the current version.
  readonly pointer: () => Pointer
  readonly importedAtMs: () => number | undefined
  // Why the data could not be loaded at startup. The index is then empty, and the service still works.
  readonly loadFailure: Error | undefined
}

// Loads the index of a directory; for '' it is empty and stays empty.
export async function loadNumbering(dir: string): Promise<LoadedNumbering> {
  let state: Version = nothing
  let previous: Version | undefined
  let spare: SharedArrayBuffer | undefined
  const load = async (): Promise<boolean> => {
    if (dir === '') return false
    const known = (file: string) => state.parts.get(file) ?? previous?.parts.get(file)
    const pointer = await readCurrent(dir)
    if (versionOf(pointer) === state.index.version) return false
    const kept = new Map(filesOf(pointer).flatMap(({ file }) => asEntries(file, known(file))))
    const read = buffersOf([...state.parts.values(), ...kept.values()])
    spare = buffersOf(previous?.parts.values() ?? []).find((buffer) => !read.includes(buffer)) ?? spare
    previous = undefined
    let next: Version
    try {
      next = await loadVersion(dir, pointer, kept, spare)
    } catch (error) {
      // Its files may be gone because a newer version was published meanwhile.
      if (versionOf(await readCurrent(dir)) === versionOf(pointer)) throw error
      return load()
    }
    if (buffersOf(next.parts.values()).includes(spare)) spare = undefined
    previous = state
    state = next
    return true
  }
  const inTurn = serialised(load)
  const loadFailure = await inTurn().then(() => undefined, asError)
  return {
    current: () => state.index,
    reload: inTurn,
    pointer: () => state.pointer,
    importedAtMs: () => state.importedAtMs,
    loadFailure,
  }
}

// One file in memory: ranges of one kind, ported numbers, or the changes on top of them.
type Part =
  | { readonly kind: 'registry'; readonly table: RegistryTable }
  | { readonly kind: 'ported'; readonly table: PortedTable; readonly buffer: SharedArrayBuffer }
  | { readonly kind: 'changes'; readonly changes: PortedChanges }

type Version = {
  readonly pointer: Pointer
  readonly importedAtMs: number | undefined
  readonly parts: ReadonlyMap<string, Part>
  readonly index: NumberingIndex
}

const nothing: Version = {
  pointer: emptyPointer,
  importedAtMs: undefined,
  parts: new Map(),
  index: emptyNumberingIndex,
}

async function loadVersion(
  dir: string,
  pointer: Pointer,
  kept: ReadonlyMap<string, Part>,
  spare: SharedArrayBuffer | undefined,
): Promise<Version> {
  const parts = new Map(kept)
  for (const seal of filesOf(pointer)) {
    if (!parts.has(seal.file)) parts.set(seal.file, await loadPart(dir, pointer, seal, spare))
  }
  return { pointer, importedAtMs: await importedAtMs(dir), parts, index: numberingIndexOf(pointer, parts) }
}

async function loadPart(
  dir: string,
  { ported, changes }: Pointer,
  seal: FileSeal,
  spare: SharedArrayBuffer | undefined,
): Promise<Part> {
  const path = join(dir, seal.file)
  if (seal.file === ported?.file) {
    const isRoomy = spare !== undefined && spare.byteLength >= seal.bytes
    const buffer = isRoomy ? spare : new SharedArrayBuffer(Math.ceil(seal.bytes * headroom))
    await loadInto(buffer, path, seal)
    return { kind: 'ported', table: readPortedTable(buffer, seal.bytes), buffer }
  }
  const buffer = await loadFile(path, seal)
  if (seal.file === changes?.file) return { kind: 'changes', changes: readChanges(buffer) }
  return { kind: 'registry', table: readRegistryTable(buffer) }
}

// Room for the database to grow in the same buffer. Unwritten pages take no memory.
const headroom = 1.25

function buffersOf(parts: Iterable<Part>): readonly (SharedArrayBuffer | undefined)[] {
  return [...parts].flatMap((part) => (part.kind === 'ported' ? [part.buffer] : []))
}

function numberingIndexOf(pointer: Pointer, parts: ReadonlyMap<string, Part>): NumberingIndex {
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

// Serialises reloads: the second of two concurrent ones finds nothing new to load.
function serialised<T>(work: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const current = last.then(work, work)
    last = current
    return current
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
