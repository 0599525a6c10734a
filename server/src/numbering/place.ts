// Where a range was given out, from the words of the registry. They have changed over the years: from small to large with
// bars between ("г. Ейск|р-н Ейский|Краснодарский край"), or the subject of the Federation alone; two subjects with a
// comma or a star between them, in either order; or the whole country, with or without exceptions.

import type { PlaceEntry } from './registry-table.ts'

export function readPlace(territory: string): PlaceEntry {
  if (/^(-|Российская Федерация.*)?$/i.test(territory)) return ['', '']
  const parts = territory
    .split('|')
    .map((part) => part.replaceAll(/\s+/g, ' ').trim())
    .filter((part) => part !== '')
  const region = parts.at(-1) ?? ''
  return [oneOrder(region), parts.length > 1 ? (parts[0] ?? '') : '']
}

// The same two subjects are the same place whichever stands first. A comma inside of brackets separates nothing.
function oneOrder(region: string): string {
  const subjects = region.split(/\s*\*\s*|,\s+(?![^(]*\))/)
  return subjects.length === 1 ? region : subjects.toSorted((a, b) => (a < b ? -1 : 1)).join(', ')
}
