// Where each mode of initCall is offered. The geography and the modes of a service narrow it further.

import type { promptLanguages, verificationModes } from '@ringproof/contract/lists/calls.ts'
import type { CallMode } from '@ringproof/contract/methods.ts'
import { anyCountry } from '../money/tariff.ts'

export type ServiceMode = (typeof verificationModes)[number]

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

export type PromptLanguage = (typeof promptLanguages)[number]
