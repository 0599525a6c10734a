export type CsvValue = string | number | boolean | null

// As RFC 4180 has it, with plain line ends.
export function csvLine(values: readonly CsvValue[]): string {
  return values.map(csvField).join(',')
}

// A spreadsheet would run a text such as =HYPERLINK(…) as a formula, and some texts are written by customers.
function csvField(value: CsvValue): string {
  if (typeof value !== 'string') return String(value ?? '')
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
