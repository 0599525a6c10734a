// Imports registry files: reads each, compares it with the current one of its kind, and puts all of them into use together,
// or none.

import { join } from 'node:path'
import type { ImportedRegistry, RegistryImport, ReportProgress } from '../domain/numbers/numbering-report.ts'
import { UsageError } from '../process/errors.ts'
import { compareRegistries } from './compare-registries.ts'
import { loadFile, sealOf } from './load-file.ts'
import { packRegistry } from './pack-registry.ts'
import {
  demoSource,
  type KindDigit,
  type Pointer,
  publish,
  type RegistryFile,
  readCurrent,
  registryKinds,
  versionOf,
  writeWhole,
} from './pointer.ts'
import { readRegistry } from './read-registry.ts'
import { type RegistryTable, readRegistryTable } from './registry-table.ts'
import { readSources, type Source } from './source-files.ts'

export async function importRegistry(
  dir: string,
  paths: readonly string[],
  allowLoss: boolean,
  report: ReportProgress,
): Promise<RegistryImport> {
  async function* sources() {
    for (const path of paths) yield* readSources(path, report)
  }
  return importSources(dir, sources(), allowLoss)
}

// Each source is read before the next is requested.
export async function importSources(
  dir: string,
  sources: AsyncIterable<Source> | Iterable<Source>,
  allowLoss: boolean,
): Promise<RegistryImport> {
  const before = await readCurrent(dir)
  const imported = new Map<KindDigit, Imported>()
  for await (const source of sources) {
    const one = await importOne(dir, before, source, allowLoss)
    const other = imported.get(one.entry.kind)
    if (other) {
      const names = `${other.entry.source} and ${source.name}`
      throw new UsageError(`${names} are both ${registryKinds[one.entry.kind]}: a kind has one file.`)
    }
    imported.set(one.entry.kind, one)
  }
  const kept = before.registries.filter(({ kind }) => !imported.has(kind))
  const registries = [...kept, ...[...imported.values()].map(({ entry }) => entry)]
  const next: Pointer = { ...before, registries: registries.toSorted((a, b) => a.kind - b.kind) }
  const isNew = versionOf(next) !== versionOf(before)
  if (isNew) {
    for (const { entry, buffer } of imported.values()) await writeWhole(dir, entry.file, new Uint8Array(buffer))
    await publish(dir, before, next)
  }
  return { version: versionOf(next), isNew, registries: [...imported.values()].map(({ summary }) => summary) }
}

type Imported = { readonly entry: RegistryFile; readonly buffer: SharedArrayBuffer; readonly summary: ImportedRegistry }

const lossMax = 0.02

async function importOne(dir: string, before: Pointer, source: Source, allowLoss: boolean): Promise<Imported> {
  const pieces: Uint8Array[] = []
  for await (const piece of source.chunks()) pieces.push(piece)
  const registry = readRegistry(source.name, Buffer.concat(pieces))
  const { buffer, conflicts } = packRegistry(source.name, registry)
  const table = readRegistryTable(buffer)
  const old = before.registries.find(({ kind }) => kind === table.kind)
  if (old && old.source !== demoSource && !allowLoss) assertNoLoss(source.name, old, table)
  const kind = registryKinds[table.kind]
  const counts = { kind, source: source.name, rows: table.rows, ranges: table.rangeCount, numbers: table.numbers }
  const entry = {
    ...counts,
    ...sealOf(`registry-${kind}`, 'bin', new Uint8Array(buffer)),
    kind: table.kind,
    organisations: new Set(table.owners.map(([organisation, inn]) => inn || organisation)).size,
  }
  const diff = compareRegistries(old && (await loadOld(dir, old)), table)
  return { entry, buffer, summary: { ...counts, diff, conflicts } }
}

function assertNoLoss(name: string, old: RegistryFile, { rows, numbers }: RegistryTable): void {
  const losses = [
    { what: 'rows', was: old.rows, is: rows },
    { what: 'numbers', was: old.numbers, is: numbers },
  ].filter(({ was, is }) => is < was * (1 - lossMax))
  if (losses.length === 0) return
  const text = losses.map(({ what, was, is }) => `${is} ${what} instead of ${was}`).join(' and ')
  throw new UsageError(
    `${name} is refused: it has ${text}, a loss of more than ${lossMax * 100} %. ` +
      'Is it whole? If the loss is meant: --allow-loss',
  )
}

// If the current file cannot be read, importing a new one is the fix, so it must not be refused.
async function loadOld(dir: string, old: RegistryFile): Promise<RegistryTable | undefined> {
  try {
    return readRegistryTable(await loadFile(join(dir, old.file), old))
  } catch {
    return undefined
  }
}
