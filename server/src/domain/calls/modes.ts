// Where each mode of initCall is offered. The geography of a service narrows it further.

import type { CallMode } from '@ringproof/contract/methods.ts'
import { anyCountry } from '../money/tariff.ts'

// contract/src/parameters.ts names the same countries to clients.
export const countriesByMode: Readonly<Record<CallMode, readonly string[]>> = {
  flash: [anyCountry],
  voice: ['RU', 'KZ'],
  mix: ['RU'],
}

export function isModeOffered(mode: CallMode, country: string): boolean {
  const countries = countriesByMode[mode]
  return countries.includes(anyCountry) || countries.includes(country)
}
