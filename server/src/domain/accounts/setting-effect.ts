// What a setting that becomes narrower would have refused of the calls that were made.

import { dayMs } from '../values/time.ts'
import type { ServiceSettingName, SettingValue } from './service.ts'
import type { SettingValues } from './service-changes.ts'

export const effectDays = 30

export type PastCalls = {
  // Milliseconds of the start of each hour with calls.
  readonly hours: readonly { readonly hour: number; readonly calls: number; readonly charged: number }[]
  readonly countries: readonly { readonly country: string; readonly calls: number }[]
  readonly modes: readonly { readonly mode: string; readonly calls: number }[]
}

// Of a cap on money: the days on which it would have been reached. How many calls would have followed is not known.
export type SettingEffect = {
  readonly name: ServiceSettingName
  readonly unit: 'calls' | 'days'
  readonly count: number
}

type Effects = Readonly<
  Partial<Record<ServiceSettingName, (value: SettingValue, past: PastCalls) => Omit<SettingEffect, 'name'>>>
>

const effects: Effects = {
  geography: (value, { countries }) => callsOf(countries.filter(({ country }) => !isIn(value, country))),
  modes: (value, { modes }) => callsOf(modes.filter(({ mode }) => !isIn(value, mode))),
  'verifications-hour-max': (value, { hours }) => overCap(value, hours),
  'verifications-day-max': (value, { hours }) => overCap(value, daysOf(hours)),
  'spend-day-max': (value, { hours }) => ({
    unit: 'days',
    count: value === null ? 0 : daysOf(hours).filter(({ charged }) => charged >= Number(value)).length,
  }),
}

export const settingsWithEffect = new Set(Object.keys(effects) as readonly ServiceSettingName[])

export function effectsOf(values: SettingValues, past: PastCalls): readonly SettingEffect[] {
  return [...values].flatMap(([name, value]) => {
    const effect = effects[name]
    return effect ? [{ name, ...effect(value, past) }] : []
  })
}

function callsOf(groups: readonly { readonly calls: number }[]): Omit<SettingEffect, 'name'> {
  return { unit: 'calls', count: groups.reduce((sum, { calls }) => sum + calls, 0) }
}

function overCap(cap: SettingValue, groups: readonly { readonly calls: number }[]): Omit<SettingEffect, 'name'> {
  const max = cap === null ? Number.POSITIVE_INFINITY : Number(cap)
  return callsOf(groups.map(({ calls }) => ({ calls: Math.max(0, calls - max) })))
}

// Caps of a day count from midnight UTC.
function daysOf(hours: PastCalls['hours']): readonly { readonly calls: number; readonly charged: number }[] {
  const days = new Map<number, { calls: number; charged: number }>()
  for (const { hour, calls, charged } of hours) {
    const day = Math.floor(hour / dayMs)
    const before = days.get(day) ?? { calls: 0, charged: 0 }
    days.set(day, { calls: before.calls + calls, charged: before.charged + charged })
  }
  return [...days.values()]
}

function isIn(value: SettingValue, item: string): boolean {
  return Array.isArray(value) && (value as readonly unknown[]).includes(item)
}
