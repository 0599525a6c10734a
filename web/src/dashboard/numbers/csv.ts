import type { WebOutput } from '@ringproof/contract/web/api.ts'

type CheckedRow = WebOutput<'check-numbers'>['rows'][number]

const columns: readonly (readonly [string, (row: CheckedRow) => string | number | boolean])[] = [
  ['line', ({ place }) => place + 1],
  ['phone', ({ mask }) => mask],
  ['state', ({ state }) => state],
  ['mobile', ({ isMobile }) => isMobile],
  ['country', ({ country }) => country],
  ['provider', ({ provider }) => provider],
  ['organisation', ({ organisation }) => organisation],
  ['region', ({ region }) => region],
  ['city', ({ city }) => city],
  ['network_code', ({ networkCode }) => (networkCode === 0 ? '' : networkCode)],
  ['error', ({ error }) => error],
]

// Made from what the server returned, so it has masks and no number.
export function csvOf(rows: readonly CheckedRow[]): string {
  const lines = rows.map((row) => columns.map(([, valueOf]) => field(valueOf(row))).join(','))
  return `${[columns.map(([name]) => name).join(','), ...lines].join('\n')}\n`
}

// A spreadsheet would run a text such as =HYPERLINK(…) as a formula.
function field(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value)
  const text = /^[=+\-@\t\r]/u.test(value) ? `'${value}` : value
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
