import type { Language } from '@ringproof/contract/lists/people.ts'

const rules = { en: new Intl.PluralRules('en'), ru: new Intl.PluralRules('ru') }
const locales = { en: 'en-GB', ru: 'ru-RU' }

type Forms = { readonly one: string; readonly few?: string; readonly many?: string; readonly other?: string }

// A count with its word in the form that the count asks for: 3 звонка.
export function counted(language: Language, count: number, forms: Forms): string {
  return `${count.toLocaleString(locales[language])}\u00a0${plural(language, count, forms)}`
}

export function plural(language: Language, count: number, forms: Forms): string {
  const rule = rules[language].select(count)
  const form = rule === 'one' || rule === 'few' || rule === 'many' || rule === 'other' ? forms[rule] : undefined
  return form ?? forms.other ?? forms.many ?? forms.one
}
