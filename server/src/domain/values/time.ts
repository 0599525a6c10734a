// Lengths of time. web/src/time.ts is the same for the pages, which import nothing from the server.

export const minuteMs = 60_000

export const hourMs = 60 * minuteMs

export const dayMs = 24 * hourMs

export const weekMs = 7 * dayMs

export const hourSeconds = hourMs / 1_000

export const daySeconds = dayMs / 1_000

export function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}

const form = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(?:Z|([+-])(0\d|1[0-4]):([0-5]\d))?)?$/

// '2027-01-01', '2027-01-01T09:00', '2027-01-01T09:00:00+03:00'; UTC unless there is an offset. Undefined for anything else,
// including a day that does not exist: Date would read it as a day of the next month.
export function parseTimestamp(text: string): Date | undefined {
  const [, day = '', time = '00:00', sign = '+', hours = '00', minutes = '00'] = form.exec(text) ?? []
  const there = new Date(`${day}T${time}Z`)
  if (Number.isNaN(there.getTime()) || !there.toISOString().startsWith(day)) return undefined
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000
  return new Date(there.getTime() - (sign === '+' ? offsetMs : -offsetMs))
}
