import type { Language } from '@ringproof/contract/lists/people.ts'

// English unless Russian is preferred.
export function languageOf(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined) return 'en'
  const weights = { en: 0, ru: 0 }
  for (const part of acceptLanguage.split(',')) {
    const [range = '', ...parameters] = part.trim().toLowerCase().split(';')
    const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean) ?? '1'
    const [tag = ''] = range.split('-')
    if (tag === 'en' || tag === 'ru') weights[tag] = Math.max(weights[tag], Number(quality) || 0)
  }
  return weights.ru > weights.en ? 'ru' : 'en'
}
