import { readFreeText } from './free-text-number.ts'
import type { PhoneNumber } from './phone-number.ts'

export type ListedNumber = {
  readonly text: string
  // Undefined if the text cannot be a number.
  readonly number: PhoneNumber | undefined
  // The same number stands earlier in the list, perhaps in another spelling.
  readonly isDuplicate: boolean
}

export function readNumberList(texts: readonly string[]): readonly ListedNumber[] {
  const seen = new Set<string>()
  return texts.map((text) => {
    const number = readFreeText(text) as PhoneNumber | undefined
    const isDuplicate = number !== undefined && seen.has(number)
    if (number !== undefined) seen.add(number)
    return { text, number, isDuplicate }
  })
}
