// A trimmed single-line text. Undefined if too short, too long, or with control characters.
export function parseText(text: string, lengthMin: number, lengthMax: number): string | undefined {
  const trimmed = text.trim()
  const length = [...trimmed].length
  return length >= lengthMin && length <= lengthMax && !/\p{Cc}/u.test(text) ? trimmed : undefined
}
