// Who asks for a verification in each minute. The world begins at a local midnight, and every minute is drawn apart from the others.

import { dayMs, hourMs, minuteMs } from '../../server/src/domain/values/time.ts'
import { type CustomerName, customerNames, customers, type ProviderName, type WorldMode } from './cast.ts'
import type { Fault } from './network.ts'
import { type Draw, pick, poisson } from './random.ts'

const minutesPerDay = 1_440
// The time of the customers and their accounts, Europe/Moscow.
const localAheadMs = 3 * hourMs

// The last midnight, so many days before a time.
export function beginningBefore(endMs: number, days: number): number {
  return Math.floor((endMs + localAheadMs) / dayMs) * dayMs - localAheadMs - days * dayMs
}

export type Visit = {
  readonly key: string
  readonly customer: CustomerName
  readonly mode: WorldMode
  readonly atMs: number
  // Among all visits, for as long as numbers do not repeat.
  readonly nth: number
  readonly provider?: ProviderName
  // A robot: it asks for many numbers of one range, again and again.
  readonly isPumped?: true
}

export const saleDay = 12
const saleHours = [18, 20] as const
const salePerMinute = 20
export const brokenSinceDay = 9
const newVisitsPerMinute = 17
const pumpedEveryDays = 3
const pumpedHours = [2, 5] as const
const pumpedPerMinute = 1.6

export function visitsIn(draw: Draw, beginMs: number, minute: number): readonly Visit[] {
  const clock = { draw, startMs: beginMs + minute * minuteMs, minute }
  const usual = customerNames.flatMap((name) => usualVisits(clock, name))
  return [...usual, ...saleVisits(clock), ...pumpedVisits(clock)]
}

// Where calls fail, all along and for a while. The trunk east never does well with one provider.
export function faultsOf(beginMs: number): readonly Fault[] {
  const bad = (hour: number) => beginMs + saleDay * dayMs + hour * hourMs
  return [
    { trunk: 'north', provider: 'Volga', fromMs: bad(18.5), untilMs: bad(19), share: 0.86, status: 503 },
    { trunk: 'east', provider: 'Cedar', fromMs: beginMs, untilMs: Number.POSITIVE_INFINITY, share: 0.55, status: 480 },
  ]
}

type Clock = { readonly draw: Draw; readonly startMs: number; readonly minute: number }

function usualVisits({ draw, startMs, minute }: Clock, name: CustomerName): readonly Visit[] {
  const { visitsPerDay, hours, modes, sinceDay } = customers[name]
  if (minute < sinceDay * minutesPerDay) return []
  const hour = Math.floor((minute % minutesPerDay) / 60)
  const weight = (hours[hour] ?? 0) / hours.reduce((sum, one) => sum + one, 0)
  const count = poisson((visitsPerDay * weight) / 60, draw(name, minute, 'count'))
  return Array.from({ length: Math.min(count, newVisitsPerMinute) }, (_, index) => {
    const key = `${name} ${minute} ${index}`
    const mode = pick(modes, draw(key, 'mode'))
    return { key, customer: name, mode, atMs: startMs + within(draw, key), nth: nthOf(minute, name, index) }
  })
}

// The shop advertises to the subscribers of one provider.
function saleVisits({ draw, startMs, minute }: Clock): readonly Visit[] {
  const ofDay = minute - saleDay * minutesPerDay
  if (ofDay < saleHours[0] * 60 || ofDay >= saleHours[1] * 60) return []
  const count = poisson(salePerMinute, draw('sale', minute, 'count'))
  return Array.from({ length: count }, (_, index) => {
    const key = `sale ${minute} ${index}`
    const nth = minute * 31 + index
    return { key, customer: 'shop', mode: 'flash', atMs: startMs + within(draw, key), nth, provider: 'Volga' }
  })
}

function pumpedVisits({ draw, startMs, minute }: Clock): readonly Visit[] {
  const ofDay = minute % minutesPerDay
  const isOn = Math.floor(minute / minutesPerDay) % pumpedEveryDays === pumpedEveryDays - 1
  if (!isOn || ofDay < pumpedHours[0] * 60 || ofDay >= pumpedHours[1] * 60) return []
  const count = poisson(pumpedPerMinute, draw('pumped', minute, 'count'))
  return Array.from({ length: count }, (_, index) => {
    const key = `pumped ${minute} ${index}`
    const nth = 660 + Math.floor(draw(key, 'line') * 10)
    return {
      key,
      customer: 'forum',
      mode: 'flash',
      atMs: startMs + within(draw, key),
      nth,
      provider: 'Cedar',
      isPumped: true,
    }
  })
}

function nthOf(minute: number, name: CustomerName, index: number): number {
  return minute * newVisitsPerMinute + customerNames.indexOf(name) * 3 + index
}

function within(draw: Draw, key: string): number {
  return Math.floor(draw(key, 'second') * minuteMs)
}
