// Which trunks can carry a call, and which caller ID each of them shows. Trunks are tried by priority. A trunk without a
// suitable number for the country is skipped: a trunk never shows a number of another carrier.
//
// In flash and mix the code is the last digits of the caller ID. Voice shows any number of the trunk.

import type { CallMode } from '@ringproof/contract/methods.ts'
import { anyCountry } from '../money/tariff.ts'
import { anyNumber, type CallerRange, codesCovered, numberWithCode } from './caller-pool.ts'
import type { Trunk } from './trunk.ts'

export type TrunkRanges = { readonly trunks: readonly Trunk[]; readonly ranges: readonly CallerRange[] }

export type WantedCall = { readonly country: string; readonly mode: CallMode; readonly code: string }

export type Route = { readonly trunk: Trunk; readonly callerNumber: number }

// noCallerNumber: another code may work. The others are causes of code 5: no code will.
export type NoRoute = 'noCallerNumber' | 'no_caller_number' | 'no_trunk' | 'trunks_off'

type Routing =
  | { readonly routes: readonly [Route, ...Route[]]; readonly refusal?: never }
  | { readonly routes?: never; readonly refusal: NoRoute }

// All trunks that can carry the call, or as many as are enough. The random fraction is in [0, 1) and chooses among the suitable
// numbers.
export function routesFor(
  trunks: readonly Trunk[],
  ranges: readonly CallerRange[],
  { country, mode, code }: WantedCall,
  random: number,
  isEnough: (routes: readonly Route[]) => boolean = () => false,
): Routing {
  const inOrder = servingTrunks(trunks, country)
  const found: Route[] = []
  for (const trunk of inOrder) {
    const own = shownRanges(ranges, trunk, country)
    const callerNumber = mode === 'voice' ? anyNumber(own, random) : numberWithCode(own, code, random)
    if (callerNumber !== undefined) found.push({ trunk, callerNumber })
    if (isEnough(found)) break
  }
  const [first, ...rest] = found
  if (first !== undefined) return { routes: [first, ...rest] }
  const hasNumber = inOrder.some((trunk) => shownRanges(ranges, trunk, country).length > 0)
  return { refusal: hasNumber && mode !== 'voice' ? 'noCallerNumber' : missingRoute(trunks, country) }
}

// What an operator has to add or switch on before the country can be called.
export function missingRoute(
  trunks: readonly Trunk[],
  country: string,
): Extract<NoRoute, 'no_caller_number' | 'no_trunk' | 'trunks_off'> {
  if (servingTrunks(trunks, country).length > 0) return 'no_caller_number'
  return trunks.some((trunk) => serves(trunk, country)) ? 'trunks_off' : 'no_trunk'
}

// The codes that a call to this country can show. Expensive: up to 10 000 numbers per range. Cache it while trunks and ranges
// stay the same.
export function codesFor(trunks: readonly Trunk[], ranges: readonly CallerRange[], country: string): readonly string[] {
  return codesCovered(servingRanges(trunks, ranges, country))
}

// Of the trunks that are on and serve the country.
export function servingRanges(
  trunks: readonly Trunk[],
  ranges: readonly CallerRange[],
  country: string,
): readonly CallerRange[] {
  return servingTrunks(trunks, country).flatMap((trunk) => shownRanges(ranges, trunk, country))
}

// Uniform. Undefined when there are no codes.
export function pickCode(codes: readonly string[], random: number): string | undefined {
  return codes[Math.floor(random * codes.length)]
}

export const servingTrunks = rememberParts((trunks: readonly Trunk[], country: string) =>
  trunks
    .filter((trunk) => trunk.isOn && !trunk.isDraining && serves(trunk, country))
    .toSorted((a, b) => a.priority - b.priority || (a.name < b.name ? -1 : 1)),
)

// The test trunk leads to no country.
function serves({ countries, isTest }: Trunk, country: string): boolean {
  if (isTest) return false
  return countries.includes(country) || countries.includes(anyCountry)
}

// All countries that show the same numbers share one array, and so what is derived from it.
const rangesOf = rememberParts((ranges: readonly CallerRange[], trunk: string, country: string) => {
  const own = rangesOfTrunk(ranges, trunk)
  const shown = own.filter((range) => range.country === country || range.country === anyCountry)
  return shown.length === own.length ? own : shown
})

// By trunk, so that a table with many trunks and many numbers is not searched once for each trunk.
const groups = new WeakMap<readonly CallerRange[], ReadonlyMap<string, readonly CallerRange[]>>()

function rangesOfTrunk(ranges: readonly CallerRange[], trunk: string): readonly CallerRange[] {
  const known = groups.get(ranges) ?? Map.groupBy(ranges, (range) => range.trunk)
  groups.set(ranges, known)
  return known.get(trunk) ?? []
}

export function shownRanges(ranges: readonly CallerRange[], trunk: Trunk, country: string): readonly CallerRange[] {
  return rangesOf(ranges, trunk.name, country)
}

// The same part of the same array is found once. An array that is read again is a new one.
function rememberParts<Row, Keys extends readonly string[]>(
  find: (rows: readonly Row[], ...keys: Keys) => readonly Row[],
): (rows: readonly Row[], ...keys: Keys) => readonly Row[] {
  const found = new WeakMap<readonly Row[], Map<string, readonly Row[]>>()
  return (rows, ...keys) => {
    const known = found.get(rows) ?? new Map<string, readonly Row[]>()
    found.set(rows, known)
    const key = keys.join(' ')
    const part = known.get(key) ?? find(rows, ...keys)
    known.set(key, part)
    return part
  }
}
