// Numbers ported or returned since the portability file. The list is small and checked first; when it has grown, an import
// merges it into a new portability file.

import type { PortedNumber } from '../domain/numbers/numbering-index.ts'

// Undefined for a number that returned to the holder of its range.
export type PortedChanges = ReadonlyMap<number, PortedNumber | undefined>

type Written = { readonly owners: readonly PortedNumber[]; readonly changes: readonly (readonly [number, number])[] }

export function writeChanges(changes: PortedChanges): string {
  const owners: PortedNumber[] = []
  const ids = new Map<string, number>()
  const idOf = (number: PortedNumber | undefined): number => {
    if (number === undefined) return -1
    const key = `${number.owner}\n${number.mnc}`
    const known = ids.get(key)
    if (known !== undefined) return known
    ids.set(key, owners.length)
    return owners.push(number) - 1
  }
  const written: Written['changes'] = [...changes].map(([national, number]) => [national, idOf(number)])
  return JSON.stringify({ owners, changes: written } satisfies Written)
}

export function readChanges(buffer: SharedArrayBuffer): PortedChanges {
  const { owners, changes } = JSON.parse(Buffer.from(new Uint8Array(buffer)).toString()) as Written
  return new Map(changes.map(([national, id]) => [national, owners[id]]))
}
