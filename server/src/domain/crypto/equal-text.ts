import { timingSafeEqual } from 'node:crypto'

// In constant time. Texts of equal length may have different numbers of bytes, and timingSafeEqual would throw.
export function equalText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
