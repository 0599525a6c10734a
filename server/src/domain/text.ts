// A trimmed single-line text. Undefined if too short, too long, or with control characters.
export function parseText(text: string, lengthMin: number, lengthMax: number): string | undefined {
  const words = text.trim()
  const length = [...words].length
  return length >= lengthMin && length <= lengthMax && !/\p{Cc}/u.test(text) ? words : undefined
}
