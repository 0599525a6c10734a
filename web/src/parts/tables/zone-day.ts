// Days and times of the account's time zone, as fields write them: 2026-11-17, 2026-11-17T09:30.

import { dayMs } from '../../time.ts'

export function dayOf(ms: number, timeZone: string): string {
  const { year, month, day } = partsOf(ms, timeZone)
  return `${year}-${month}-${day}`
}

export function startOfDay(day: string, timeZone: string): number {
  return momentOf(`${day}T00:00`, timeZone)
}

export function momentOf(time: string, timeZone: string): number {
  const asUtc = Date.parse(`${time}Z`)
  const guess = asUtc - offsetAt(asUtc, timeZone)
  // The clocks may have changed between the guess and the same time in UTC.
  return asUtc - offsetAt(guess, timeZone)
}

export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00Z`) + dayMs).toISOString().slice(0, 10)
}

function offsetAt(ms: number, timeZone: string): number {
  const { year, month, day, hour, minute } = partsOf(ms, timeZone)
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}Z`) - Math.floor(ms / 60_000) * 60_000
}

function partsOf(ms: number, timeZone: string) {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]))
  const { year = '', month = '', day = '', hour = '', minute = '' } = parts
  return { year, month, day, hour, minute }
}
