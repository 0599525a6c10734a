import { type CsvValue, csvField } from '@ringproof/contract/web/csv-field.ts'

export type { CsvValue }

export function csvLine(values: readonly CsvValue[]): string {
  return values.map(csvField).join(',')
}
