// The difference between two versions of the numbering data. One kind is in memory at a time, and only sums and the largest changes
// are kept of it. Ported numbers are only counted: there are tens of millions of them.

import { join } from 'node:path'
import type { PortedCount, VersionDiff } from '../domain/numbers/numbering-report.ts'
import { compareRegistries } from './compare-registries.ts'
import { type FileSeal, loadFile } from './load-file.ts'
import { kindDigits, type Pointer, readCurrent, readPrevious, registryKinds, versionOf } from './pointer.ts'
import { type RegistryTable, readRegistryTable } from './registry-table.ts'

export type VersionPair = { readonly before: Pointer; readonly after: Pointer }

// From the version that is kept to the one in use; undefined if none is kept.
export async function readVersionPair(dir: string): Promise<VersionPair | undefined> {
  const [after, before] = await Promise.all([readCurrent(dir), readPrevious(dir)])
  return before && { before, after }
}

export async function diffVersions(dir: string, { before, after }: VersionPair): Promise<VersionDiff> {
  const registries: VersionDiff['registries'][number][] = []
  for (const digit of kindDigits) {
    const [old, now] = [before, after].map(({ registries: files }) => files.find(({ kind }) => kind === digit))
    if (old?.sha256 === now?.sha256) continue
    const diff = compareRegistries(await loadTable(dir, old), await loadTable(dir, now))
    registries.push({ kind: registryKinds[digit], ...diff })
  }
  const isSamePorted =
    before.ported?.sha256 === after.ported?.sha256 && before.changes?.sha256 === after.changes?.sha256
  return {
    from: versionOf(before),
    to: versionOf(after),
    registries,
    ported: isSamePorted ? undefined : { before: portedCount(before), after: portedCount(after) },
  }
}

async function loadTable(dir: string, seal: FileSeal | undefined): Promise<RegistryTable | undefined> {
  return seal && readRegistryTable(await loadFile(join(dir, seal.file), seal))
}

function portedCount({ ported, changes }: Pointer): PortedCount {
  return { numbers: ported?.numbers ?? 0, changes: changes?.changes ?? 0 }
}
