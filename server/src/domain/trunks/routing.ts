// Which trunks may carry a call, and what number each would show. Trunks are tried in the operator's order; a trunk that
// owns no fitting number for the country is passed over, because nobody presents another carrier's number.
//
// Flash and mix show their code as the last digits of the number; voice shows any number of the trunk.

import type { CallMode } from '@ringproof/contract/methods.ts'
import { anyCountry } from '../money/tariff.ts'
import { anyNumber, type CallerRange, codesCovered, numberWithCode } from './caller-pool.ts'
import type { Trunk } from './trunk.ts'

export type TrunkRanges = { readonly trunks: readonly Trunk[]; readonly ranges: readonly CallerRange[] }

export type WantedCall = { readonly country: string; readonly mode: CallMode; readonly code: string }

export type Route = { readonly trunk: Trunk; readonly callerNumber: number }

// A refusal says whether another code could help: noCallerNumber may be met with another one, unavailable not.
export type Routing =
  | { readonly routes: readonly [Route, ...Route[]]; readonly refusal?: never }
  | { readonly routes?: never; readonly refusal: 'unavailable' | 'noCallerNumber' }

// Randomness is in [0, 1) and chooses among the numbers that fit.
export function routesFor(
  trunks: readonly Trunk[],
  ranges: readonly CallerRange[],
  { country, mode, code }: WantedCall,
  randomBytes: number,
): Routing {
  const serving = servingTrunks(trunks, country)
  const [first, ...rest] = serving.flatMap((trunk): Route[] => {
    const own = shownRanges(ranges, trunk, country)
    const callerNumber = mode === 'voice' ? anyNumber(own, randomBytes) : numberWithCode(own, code, randomBytes)
    return callerNumber === undefined ? [] : [{ trunk, callerNumber }]
  })
  if (first !== undefined) return { routes: [first, ...rest] }
  return { refusal: serving.length === 0 || mode === 'voice' ? 'unavailable' : 'noCallerNumber' }
}

// The codes that a call to this country can show. It looks at every number up to ten thousand a range: worth keeping
// between two changes of trunks or ranges.
export function codesFor(trunks: readonly Trunk[], ranges: readonly CallerRange[], country: string): readonly string[] {
  return codesCovered(servingTrunks(trunks, country).flatMap((trunk) => shownRanges(ranges, trunk, country)))
}

// Each as likely as the next; undefined when there is none.
export function pickCode(codes: readonly string[], randomBytes: number): string | undefined {
  return codes[Math.floor(randomBytes * codes.length)]
}

export function servingTrunks(trunks: readonly Trunk[], country: string): readonly Trunk[] {
  return trunks
    .filter(({ isOn, countries }) => isOn && (countries.includes(country) || countries.includes(anyCountry)))
    .toSorted((a, b) => a.priority - b.priority || (a.name < b.name ? -1 : 1))
}

function shownRanges(ranges: readonly CallerRange[], trunk: Trunk, country: string): readonly CallerRange[] {
  return ranges.filter(
    (range) => range.trunk === trunk.name && (range.country === country || range.country === anyCountry),
  )
}
