// Takes files of the registry in: reads each, holds it against the one of its kind that is in force, and puts all of them
// in force together, or none.

import { join } from 'node:path'
import type { ImportedRegistry, RegistryImport, ReportProgress } from '../domain/numbers/numbering-report.ts'
import { UsageError } from '../errors.ts'
import { compareRegistries } from './compare-registries.ts'
import { loadFile, sealOf } from './load-file.ts'
import { packRegistry } from './pack-registry.ts'
import {
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
import { createTable, type RegistryTable } from './registry-table.ts'
import { readSources, type Source } from './source-files.ts'

export async function importRegistry(
  dir: string,
  paths: readonly string[],
  allowLoss: boolean,
  report: ReportProgress,
): Promise<RegistryImport> {
  const before = await readCurrent(dir)
  const taken = new Map<KindDigit, Taken>()
  for (const path of paths) {
    for await (const source of readSources(path, report)) {
      const one = await takeIn(dir, before, source, allowLoss)
      const other = taken.get(one.entry.kind)
      if (other) {
        const names = `${other.entry.source} and ${source.name}`
        throw new UsageError(`${names} are both ${registryKinds[one.entry.kind]}: a kind has one file.`)
      }
      taken.set(one.entry.kind, one)
    }
  }
  const kept = before.registries.filter(({ kind }) => !taken.has(kind))
  const registries = [...kept, ...[...taken.values()].map(({ entry }) => entry)]
  const next: Pointer = { ...before, registries: registries.toSorted((a, b) => a.kind - b.kind) }
  const isNew = versionOf(next) !== versionOf(before)
  if (isNew) {
    for (const { entry, buffer } of taken.values()) await writeWhole(dir, entry.file, new Uint8Array(buffer))
    await publish(dir, before, next)
  }
  return { version: versionOf(next), isNew, registries: [...taken.values()].map(({ told }) => told) }
}

type Taken = { readonly entry: RegistryFile; readonly buffer: SharedArrayBuffer; readonly told: ImportedRegistry }

const lossMax = 0.02

async function takeIn(dir: string, before: Pointer, source: Source, allowLoss: boolean): Promise<Taken> {
  const pieces: Uint8Array[] = []
  for await (const piece of source.chunks()) pieces.push(piece)
  const registry = readRegistry(source.name, Buffer.concat(pieces))
  const { buffer, conflicts } = packRegistry(source.name, registry)
  const table = createTable(buffer)
  const old = before.registries.find(({ kind }) => kind === table.kind)
  if (old && !allowLoss) assertNoLoss(source.name, old, table)
  const kind = registryKinds[table.kind]
  const told = { kind, source: source.name, rows: table.rows, ranges: table.rangeCount, numbers: table.numbers }
  const entry = {
    ...told,
    ...sealOf(`registry-${kind}`, 'bin', new Uint8Array(buffer)),
    kind: table.kind,
    organisations: new Set(table.owners.map(([organisation, inn]) => inn || organisation)).size,
  }
  const diff = compareRegistries(old && (await loadOld(dir, old)), table)
  return { entry, buffer, told: { ...told, diff, conflicts } }
}

function assertNoLoss(name: string, old: RegistryFile, { rows, numbers }: RegistryTable): void {
  const losses = [
    { what: 'rows', was: old.rows, is: rows },
    { what: 'numbers', was: old.numbers, is: numbers },
  ].filter(({ was, is }) => is < was * (1 - lossMax))
  if (losses.length === 0) return
  const told = losses.map(({ what, was, is }) => `${is} ${what} instead of ${was}`).join(' and ')
  throw new UsageError(
    `${name} is refused: it has ${told}, a loss of more than ${lossMax * 100} %. ` +
      'Is it whole? If the loss is meant: --allow-loss',
  )
}

// A file that is in force and cannot be read is a reason to import anew, and no reason to refuse that.
async function loadOld(dir: string, old: RegistryFile): Promise<RegistryTable | undefined> {
  try {
    return createTable(await loadFile(join(dir, old.file), old))
  } catch {
    return undefined
  }
}
