// Hours in which a service places no calls, in the subscriber's local time. From and until are minutes of the local day; if
// until is not after from, they span midnight. If a number may be in one of several zones, quiet hours in any of them count.

import { dayMs, minuteMs } from '../values/time.ts'

export type QuietHours = { readonly fromMinute: number; readonly untilMinute: number }

const dayMinutes = 1_440
const form = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/

// '22:00-08:00'. Undefined for anything else, and for an empty range.
export function parseQuietHours(text: string): QuietHours | undefined {
  const [, fromHour = '', fromMinute = '', untilHour = '', untilMinute = ''] = form.exec(text) ?? []
  const quiet = {
    fromMinute: Number(fromHour) * 60 + Number(fromMinute),
    untilMinute: Number(untilHour) * 60 + Number(untilMinute),
  }
  return fromHour === '' || quiet.fromMinute === quiet.untilMinute ? undefined : quiet
}

export function isTimeZone(text: string): boolean {
  try {
    formatOf(text)
    return /^[A-Z][A-Za-z_]+\/[A-Za-z_/+-]+$|^UTC$/.test(text)
  } catch {
    return false
  }
}

// Milliseconds until the quiet hours end; undefined if the number may be called.
export function quietForMs(quiet: QuietHours, zones: readonly string[], nowMs: number): number | undefined {
  const left = zones.flatMap((zone) => leftInZone(quiet, zone, nowMs) ?? [])
  return left.length === 0 ? undefined : Math.max(...left)
}

// Daylight saving may change before the quiet hours end; local time decides, so the difference is added.
function leftInZone({ fromMinute, untilMinute }: QuietHours, zone: string, nowMs: number): number | undefined {
  const offsetMs = offsetAt(zone, nowMs)
  const localMs = modulo(nowMs + offsetMs, dayMs)
  const isQuiet =
    modulo(localMs - fromMinute * minuteMs, dayMs) < modulo(untilMinute - fromMinute, dayMinutes) * minuteMs
  if (!isQuiet) return undefined
  const leftMs = modulo(untilMinute * minuteMs - localMs, dayMs)
  return Math.max(minuteMs, leftMs + offsetMs - offsetAt(zone, nowMs + leftMs))
}

// Local time minus UTC.
function offsetAt(zone: string, atMs: number): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1_000) * 1_000
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}

// Cached: creating a format takes a hundred times as long as using it, and there are only a few hundred zones.
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const kept = formats.get(timeZone)
  if (kept) return kept
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timeZone, format)
  return format
}
