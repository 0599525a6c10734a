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
  const subjects = subjectsOf(region)
  return subjects.length === 1 ? region : subjects.toSorted((a, b) => (a < b ? -1 : 1)).join(', ')
}

// A bracket that is opened and not closed contains nothing, and one that is closed and not opened everything before it.
function subjectsOf(region: string): readonly string[] {
  const subjects: string[] = []
  let end = region.length
  let isInBrackets = false
  for (let at = region.length - 1; at >= 0; at--) {
    if (region[at] === ')') isInBrackets = true
    if (region[at] === '(') isInBrackets = false
    if (region[at] === '*' || (region[at] === ',' && region[at + 1] === ' ' && !isInBrackets)) {
      subjects.push(region.slice(at + 1, end).trim())
      end = at
    }
  }
  return [...subjects, region.slice(0, end).trim()].toReversed()
}
