// --since and --until of lists: a duration back from now, or a date or time in UTC. IDs contain their time, so a range of time
// is a range of IDs.

import { firstIdOfSecond, type IdRange } from '../../domain/core/slot.ts'
import { daySeconds, hourSeconds } from '../../domain/values/time.ts'
import { wallMs } from '../../process/clock.ts'
import { UsageError } from '../../process/errors.ts'
import type { CliCommand } from './context.ts'

export type TimeOptions = { readonly since?: string; readonly until?: string }

// The default of --since is only described here; parseIdRange applies it.
export function withTimeRange(command: CliCommand, sinceDefault: string): CliCommand {
  return command
    .option(
      '--since <time>',
      `from this time on: a duration such as 30m, 24h or 7d, or a date or time in UTC; default: ${sinceDefault}`,
    )
    .option('--until <time>', 'up to this time, in the same forms; a date includes the whole day')
}

export function parseIdRange({ since, until }: TimeOptions, sinceDefault: string | undefined): IdRange {
  const { firstSecond, endSecond } = parseTimeRange({ since: since ?? sinceDefault, until })
  return { firstId: firstIdOfSecond(firstSecond), endId: firstIdOfSecond(endSecond) }
}

// Unix seconds; the end is not included.
export function parseTimeRange(options: { readonly since: string | undefined; readonly until: string | undefined }): {
  readonly firstSecond: number
  readonly endSecond: number
} {
  const firstSecond = options.since === undefined ? 0 : parseTime('--since', options.since).start
  const endSecond = options.until === undefined ? lastSecond : parseTime('--until', options.until).end
  if (firstSecond >= endSecond) throw new UsageError(`--since ${options.since} is not before --until ${options.until}.`)
  return { firstSecond, endSecond }
}

// A number of seconds, for ranges that end now.
export function parseDuration(option: string, text: string): number {
  const seconds = durationSeconds(text)
  if (seconds === undefined) throw new UsageError(`${option} takes a duration such as 30m, 24h or 7d, not "${text}".`)
  return seconds
}

// The last second that an ID can contain.
const lastSecond = 2_840_967_423
const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: hourSeconds, d: daySeconds }

// A date is a whole day, a time is one second.
function parseTime(option: string, text: string): { readonly start: number; readonly end: number } {
  const ago = durationSeconds(text)
  if (ago !== undefined) return instant(wallMs() / 1_000 - ago)
  const [, date, time] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)Z?)?$/.exec(text) ?? []
  const start = Date.parse(`${date}T${time ?? '00:00'}Z`) / 1_000
  if (date === undefined || Number.isNaN(start)) {
    throw new UsageError(
      `${option} takes a duration such as 24h, a date such as 2026-11-16 or a time such as 2026-11-16T10:30 (UTC), not "${text}".`,
    )
  }
  return time === undefined ? { start, end: start + daySeconds } : instant(start)
}

function instant(seconds: number): { readonly start: number; readonly end: number } {
  const second = Math.floor(seconds)
  return { start: second, end: second }
}

function durationSeconds(text: string): number | undefined {
  const [, count = '', unit = ''] = /^([1-9]\d{0,3})([mhd])$/.exec(text) ?? []
  return count === '' ? undefined : Number(count) * (unitSeconds[unit] ?? 0)
}
