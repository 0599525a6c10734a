// What was searched in this tab, by the name that the address has for it: in memory only. A number is shown masked.

import type { WebOutput } from '@ringproof/contract/web/api.ts'

const shownByName = new Map<string, string>()

// What the server found, as filters of the list.
export function noteFound(
  typed: string,
  { number, client, ids }: WebOutput<'find-verifications'>,
): Readonly<Record<string, string>> {
  if (number !== null) noteSearched(number, maskTyped(typed))
  if (client !== null) noteSearched(client, typed.trim())
  return { ...(number !== null && { number }), ...(client !== null && { client }), ...(ids !== null && { ids }) }
}

export function noteSearched(name: string, text: string): void {
  shownByName.set(name, text)
}

export function searchedText(name: string): string | undefined {
  return shownByName.get(name)
}

// +7 900 000-05-99 → +7900***0599
export function maskTyped(text: string): string {
  const digits = text.replaceAll(/\D/g, '')
  return digits.length < 9 ? text : `+${digits.slice(0, 4)}***${digits.slice(-4)}`
}
