// Parses the region and city of a range from the registry's text. Its format has changed over the years: from small to large
// separated by bars ("г. Ейск|р-н Ейский|Краснодарский край"), or only the region; two regions separated by a comma or a
// star, in either order; or the whole country, with or without exceptions.

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

// Two regions are the same place in either order. A comma inside brackets is not a separator.
function oneOrder(region: string): string {
  const subjects = region.split(/\s*\*\s*|,\s+(?![^(]*\))/)
  return subjects.length === 1 ? region : subjects.toSorted((a, b) => (a < b ? -1 : 1)).join(', ')
}
