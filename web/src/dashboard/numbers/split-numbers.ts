import { textMax } from '@ringproof/contract/web/number-limits.ts'

// The numbers of a pasted text, each as it was written: one a line, between commas, semicolons or tabs, before a plus,
// or as plain digits between spaces. Other spaces belong to a number.
export function splitNumbers(text: string): readonly string[] {
  return text
    .split(/[\n\r,;\t]+|(?<!\s)\s+(?=\+)/u)
    .map((entry) => entry.trim())
    .flatMap((entry) => (/^\d{7,15}(\s+\d{7,15})+$/u.test(entry) ? entry.split(/\s+/u) : [entry]))
    .filter((entry) => entry !== '')
    .map((entry) => (entry.length > textMax ? noNumber : entry))
}

// Stands for a text that is too long to be a number: cut, it could be read as another one.
const noNumber = '?'
