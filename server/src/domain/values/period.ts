// A period as it is said: 72 hours is not 3 days.

import { dayMs, hourMs, minuteMs } from './time.ts'

type Unit = 'second' | 'minute' | 'hour' | 'day'
export type Period = { readonly count: number; readonly unit: Unit }

export const seconds = (count: number): Period => ({ count, unit: 'second' })
export const minutes = (count: number): Period => ({ count, unit: 'minute' })
export const hours = (count: number): Period => ({ count, unit: 'hour' })
export const days = (count: number): Period => ({ count, unit: 'day' })

const unitMs: Readonly<Record<Unit, number>> = { second: 1_000, minute: minuteMs, hour: hourMs, day: dayMs }

// In the largest unit that fits, up to hours.
export function ofMs(ms: number): Period {
  if (ms % hourMs === 0) return hours(ms / hourMs)
  return ms % minuteMs === 0 ? minutes(ms / minuteMs) : seconds(ms / 1_000)
}

export function msOf({ count, unit }: Period): number {
  return count * unitMs[unit]
}

export function secondsOf(period: Period): number {
  return msOf(period) / 1_000
}

type RussianCase = 'accusative' | 'genitive'
type RussianForms = { readonly one: string; readonly few: string; readonly many: string }

const russian: Readonly<Record<RussianCase, Readonly<Record<Unit, RussianForms>>>> = {
  accusative: {
    second: { one: 'секунду', few: 'секунды', many: 'секунд' },
    minute: { one: 'минуту', few: 'минуты', many: 'минут' },
    hour: { one: 'час', few: 'часа', many: 'часов' },
    day: { one: 'день', few: 'дня', many: 'дней' },
  },
  genitive: {
    second: { one: 'секунды', few: 'секунд', many: 'секунд' },
    minute: { one: 'минуты', few: 'минут', many: 'минут' },
    hour: { one: 'часа', few: 'часов', many: 'часов' },
    day: { one: 'дня', few: 'дней', many: 'дней' },
  },
}
const russianRules = new Intl.PluralRules('ru')

// "7 days", "an hour".
export function inEnglish({ count, unit }: Period): string {
  if (count !== 1) return `${count} ${unit}s`
  return unit === 'hour' ? 'an hour' : `a ${unit}`
}

// «7 дней», «час»; in the genitive after "within" and "at most": «в течение 2 часов».
export function inRussian({ count, unit }: Period, inCase: RussianCase = 'accusative'): string {
  const forms = russian[inCase][unit]
  if (count === 1) return forms.one
  const rule = russianRules.select(count)
  return `${count} ${rule === 'one' || rule === 'few' ? forms[rule] : forms.many}`
}
