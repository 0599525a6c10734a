// Invariants 5 and 6: what the search for secrets found. It must have found its seeded values, or it does not work.

import type { Histories, ScanLine } from './histories.ts'

export function numbersAreHidden({ scan }: Histories): readonly string[] {
  return [
    ...found(scan, ['postgres', 'jetstream', 'bus'], ['number', 'key']),
    ...found(scan, ['jetstream', 'bus'], ['code']),
    ...blind(scan, ['postgres', 'jetstream']),
  ]
}

export function logsAreSilent({ scan }: Histories): readonly string[] {
  return [...found(scan, ['logs'], ['number', 'key', 'code']), ...blind(scan, ['logs'])]
}

function found(
  scan: readonly ScanLine[],
  places: readonly ScanLine['place'][],
  whats: readonly ScanLine['what'][],
): readonly string[] {
  return scan
    .filter(({ place, what }) => places.includes(place) && whats.includes(what))
    .map(({ place, what, where }) => `a ${what} is in ${where} of ${place}`)
}

function blind(scan: readonly ScanLine[], places: readonly ScanLine['place'][]): readonly string[] {
  return places
    .filter((wanted) => !scan.some(({ place, what }) => place === wanted && what === 'control'))
    .map((place) => `the search of ${place} did not find its seeded value`)
}
