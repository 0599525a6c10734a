import { type CsvValue, csvField } from '@ringproof/contract/web/csv-field.ts'

// A trimmed single-line text. Undefined if too short, too long, or with control characters.
export function parseText(text: string, lengthMin: number, lengthMax: number): string | undefined {
  const trimmed = text.trim()
  const length = [...trimmed].length
  return length >= lengthMin && length <= lengthMax && !/\p{Cc}/u.test(text) ? trimmed : undefined
}

export type { CsvValue }

export type CsvColumns<Row> = readonly (readonly [name: string, value: (row: Row) => CsvValue])[]

export function csvLine(values: readonly CsvValue[]): string {
  return values.map(csvField).join(',')
}
