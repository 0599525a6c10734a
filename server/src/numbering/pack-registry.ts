// Packs registry rows into a table: sorted, equal neighbours joined, no number twice.

import type { RegistryConflict } from '../domain/numbers/numbering-report.ts'
import { UsageError } from '../process/errors.ts'
import type { Registry, RegistryRow } from './read-registry.ts'
import { buildTable, type OwnerEntry, type PackedRange, type PlaceEntry, readRegistryTable } from './registry-table.ts'

type PackedRegistry = { readonly buffer: SharedArrayBuffer; readonly conflicts: readonly RegistryConflict[] }

export function packRegistry(name: string, { kind, rows }: Registry): PackedRegistry {
  const ordered = rows.toSorted((a, b) => a.code - b.code || a.first - b.first || a.last - b.last)
  const { whole, conflicts } = withoutOverlap(ordered)
  const owners = numbered<OwnerEntry>()
  const places = numbered<PlaceEntry>()
  const ranges: PackedRange[] = []
  for (const { code, first, last, organisation, inn, region, city } of whole) {
    const owner = owners.idOf([organisation, inn])
    const place = places.idOf([region, city])
    const before = ranges.at(-1)
    const isSame = before?.code === code && before.owner === owner && before.place === place
    if (before && isSame && before.last + 1 === first) ranges[ranges.length - 1] = { ...before, last }
    else ranges.push({ code, first, last, owner, place })
  }
  if (owners.all.length > idsMax || places.all.length > idsMax) {
    throw new UsageError(`${name} is refused: it names more than ${idsMax} organisations or places.`)
  }
  const buffer = buildTable(kind, rows.length, ranges, owners.all, places.all)
  assertFound(buffer, whole)
  return { buffer, conflicts }
}

const idsMax = 65_535
const samples = 20

function withoutOverlap(ordered: readonly RegistryRow[]) {
  const whole: RegistryRow[] = []
  const conflicts: RegistryConflict[] = []
  for (const row of ordered) {
    const before = whole.at(-1)
    if (before === undefined || before.code !== row.code || before.last < row.first) {
      whole.push(row)
      continue
    }
    const base = row.code * 10_000_000
    const keeper = whole.findLast(({ first }) => first <= row.first) ?? before
    conflicts.push({
      first: base + row.first,
      last: base + Math.min(row.last, before.last),
      kept: keeper.organisation,
      lost: row.organisation,
    })
    if (row.last > before.last) whole.push({ ...row, first: before.last + 1 })
  }
  return { whole, conflicts }
}

// The table must return the same as the file: a bug of ours must not reach production.
function assertFound(buffer: SharedArrayBuffer, rows: readonly RegistryRow[]): void {
  const table = readRegistryTable(buffer)
  for (let sample = 0; sample < samples; sample++) {
    const row = rows[Math.floor((sample * rows.length) / samples)]
    if (row === undefined) continue
    for (const rest of [row.first, row.last]) {
      const found = table.find(row.code * 10_000_000 + rest)
      if (found?.organisation !== row.organisation || found.region !== row.region || found.city !== row.city) {
        throw new Error('packed registry differs from its file')
      }
    }
  }
}

function numbered<T extends readonly string[]>() {
  const ids = new Map<string, number>()
  const all: T[] = []
  const idOf = (entry: T): number => {
    const key = entry.join('\n')
    const known = ids.get(key)
    if (known !== undefined) return known
    ids.set(key, all.length)
    all.push(entry)
    return all.length - 1
  }
  return { all, idOf }
}
