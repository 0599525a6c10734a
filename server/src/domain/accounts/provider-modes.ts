// Rules of a service for providers at which flash calls do not ring: its flash calls to them are placed in another mode. The code
// stays the one that the client knows. A rule is written as provider=mode.

import type { CallMode } from '@ringproof/contract/methods.ts'
import type { MicroAmount } from '../money/money.ts'
import { type PriceList, priceOf } from '../money/tariff.ts'
import { isModeOffered } from './modes.ts'

export const modesInsteadOfFlash = ['mix', 'voice'] as const satisfies readonly CallMode[]
export type ModeInsteadOfFlash = (typeof modesInsteadOfFlash)[number]

type ProviderMode = { readonly provider: string; readonly mode: ModeInsteadOfFlash }

const shape = /^([^=,]{1,200})=(mix|voice)$/

export function parseProviderMode(text: string): ProviderMode | undefined {
  const [, provider, mode] = shape.exec(text) ?? []
  return provider === undefined ? undefined : { provider, mode: mode as ModeInsteadOfFlash }
}

function formatProviderMode({ provider, mode }: ProviderMode): string {
  return `${provider}=${mode}`
}

// The rules with one provider's replaced, or removed.
export function withProviderMode(
  rules: readonly string[],
  provider: string,
  mode: ModeInsteadOfFlash | undefined,
): readonly string[] {
  const others = rules.filter((rule) => parseProviderMode(rule)?.provider !== provider)
  return mode === undefined ? others : [...others, formatProviderMode({ provider, mode })]
}

type PricedMode = { readonly mode: CallMode; readonly price: MicroAmount }

// How a flash call to the provider is placed instead. Undefined if there is no rule, or if the mode is not offered or not sold
// in the country: then the call is placed as requested.
export function insteadOfFlash(
  rules: readonly string[],
  provider: string | undefined,
  { prices, tariff, country }: { readonly prices: PriceList; readonly tariff: string; readonly country: string },
): PricedMode | undefined {
  if (rules.length === 0 || provider === undefined) return undefined
  const mode = rules.map(parseProviderMode).find((rule) => rule?.provider === provider)?.mode
  if (mode === undefined || !isModeOffered(mode, country)) return undefined
  const price = priceOf(prices.pricesOf(tariff), { method: 'initCall', mode, country }, prices.readAt)
  return price === undefined ? undefined : { mode, price }
}
