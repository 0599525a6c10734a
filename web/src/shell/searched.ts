// What was searched in this tab, by the name that the address has for it: in memory only. A number is shown masked.

const shownByName = new Map<string, string>()

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
