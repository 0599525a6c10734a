// The first line of a Russian page: which English text it translates.

import { createHash } from 'node:crypto'

export function translationLine(english: string, text: string): string {
  return `<!-- Translation of ${english}, digest of its text: ${digestOf(text)} -->`
}

export function digestOf(text: string): string {
  return createHash('sha256').update(proseOf(text)).digest('hex').slice(0, 16)
}

// Code is compared literally, so it is not part of the digest.
export function proseOf(text: string): string {
  return text
    .replaceAll(/^```[^]*?^```$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
