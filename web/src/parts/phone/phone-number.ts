// 79000000001 is 7900 000 0001, and the lead of a caller number, 7000000, is 7 000 000.
export function spacedNumber(digits: string): string {
  if (digits.length === 11) return `${digits.slice(0, 4)} ${digits.slice(4, 7)} ${digits.slice(7)}`
  if (digits.length === 7) return `${digits.slice(0, 1)} ${digits.slice(1, 4)} ${digits.slice(4)}`
  return digits
}

// The last number in short, where only its last four digits differ.
export function spacedRange({ first, last }: { readonly first: number; readonly last: number }): string {
  const [from, to] = [spacedNumber(String(first)), spacedNumber(String(last))]
  if (first === last) return from
  return from.slice(0, -4) === to.slice(0, -4) ? `${from} – ${to.slice(-4)}` : `${from} – ${to}`
}
