// The refusal of a path that no method has: it names the method that the path resembles most.

import { methodList, methods, nearestMethod } from '@ringproof/contract/methods.ts'
import { Refusal } from '../process/errors.ts'

// A longer name resembles none.
const nameLengthMax = 40

export function unknownMethod(path: string): Refusal {
  const name = path.slice(path.lastIndexOf('/') + 1).slice(0, nameLengthMax + 1)
  const [nearest] = methods
    .map((method) => ({ method, distance: distanceBetween(name.toLowerCase(), method.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance)
  const isNear = nearest && nearest.distance <= nearest.method.length / 2
  return new Refusal('methodUnknown', { hint: isNear ? nearestMethod(nearest.method) : methodList })
}

// How many characters must be inserted, removed or replaced to get from one to the other.
function distanceBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [at, character] of [...from].entries()) {
    const next = [at + 1]
    for (const [other, wanted] of [...to].entries()) {
      const replaced = (row[other] ?? 0) + (character === wanted ? 0 : 1)
      next.push(Math.min(replaced, (next[other] ?? 0) + 1, (row[other + 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
