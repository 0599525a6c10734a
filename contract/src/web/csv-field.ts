// One field of a CSV file, as RFC 4180 has it. The server and the pages both write such files.

export type CsvValue = string | number | boolean | null

// A spreadsheet runs a cell such as =HYPERLINK(…) as a formula, and some texts are written by customers. Which character separates
// cells is a setting of the reader: in Russia a semicolon. So a cell may begin after any separator inside a text, with quotes and
// spaces before its sign. An apostrophe makes it a text.
const cellWithSign = /(^|[,;|\t\r\n])(?=["' \u00a0]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g
const needsQuotes = /[",;|\t\r\n]/

export function csvField(value: CsvValue): string {
  if (typeof value !== 'string') return String(value ?? '')
  const cells = value.replaceAll(cellWithSign, "$1'")
  const text = /^[\t\r]/.test(cells) ? `'${cells}` : cells
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
