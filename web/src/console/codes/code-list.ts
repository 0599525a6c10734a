import { useLanguage, useScreenWords } from '../../words/words.ts'

export type CodeRow = { readonly first: string; readonly last: string }

export function codesInGaps(rows: readonly CodeRow[]): number {
  return rows.reduce((sum, { first, last }) => sum + Number(last) - Number(first) + 1, 0)
}

export function rowText({ first, last }: CodeRow): string {
  // Word joiners: a line never breaks within it.
  return first === last ? first : `${first}\u2060–\u2060${last}`
}

export function useCountryName(): (country: string) => string {
  const { language } = useLanguage()
  const words = useScreenWords('caller-numbers')
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' })
  return (country) => (/^[A-Z]{2}$/.test(country) ? (names.of(country) ?? country) : words.anyCountry)
}
