// What people call something, without the blanks around it. Undefined: too short, too long, or not for a line of text.
export function parseText(text: string, lengthMin: number, lengthMax: number): string | undefined {
  const words = text.trim()
  const length = [...words].length
  return length >= lengthMin && length <= lengthMax && !/\p{Cc}/u.test(text) ? words : undefined
}
