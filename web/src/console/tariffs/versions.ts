// Prices and costs are dated: of each only one is in force, later ones are planned, earlier ones are history.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { momentOf } from '../../parts/tables/zone-day.ts'

export type TariffsPage = WebOutput<'tariffs'>

type Versions<One> = { readonly now: One | undefined; readonly later: readonly One[]; readonly earlier: number }

export function versionsOf<One extends { readonly validFrom: number }>(
  all: readonly One[],
  keyOf: (one: One) => string,
  nowMs: number,
): readonly (readonly [string, Versions<One>])[] {
  return [...Map.groupBy(all, keyOf)].map(([key, some]) => {
    const past = some.filter(({ validFrom }) => validFrom <= nowMs).toSorted((a, b) => a.validFrom - b.validFrom)
    const later = some.filter(({ validFrom }) => validFrom > nowMs).toSorted((a, b) => a.validFrom - b.validFrom)
    return [key, { now: past.at(-1), later, earlier: Math.max(0, past.length - 1) }]
  })
}

// '0,55' → '0.55'; undefined if it is no amount.
export function parseAmount(typed: string): string | undefined {
  const text = typed.replaceAll(/\s/g, '').replace(',', '.')
  return /^\d{1,10}(\.\d{1,4})?$/.test(text) ? text : undefined
}

// A date and time in UTC as the browser's field writes it; null: from now on.
// In the time zone in which the list shows it.
export function parseTime(typed: string, timeZone: string): number | null {
  return typed === '' ? null : momentOf(typed, timeZone)
}

export function isCountry(text: string): boolean {
  return /^([A-Z]{2}|\*)$/.test(text)
}
