import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { csvField } from '@ringproof/contract/web/csv-field.ts'

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
  const lines = rows.map((row) => columns.map(([, valueOf]) => csvField(valueOf(row))).join(','))
  return `${[columns.map(([name]) => name).join(','), ...lines].join('\n')}\n`
}
