import type { SettingName } from '@ringproof/contract/web/setting-names.ts'
import { useFormats } from '../../formats.ts'
import { useLanguage, useScreenWords, useWords } from '../../words/words.ts'
import { itemsOf } from './settings-data.ts'

export function useCountryName(): (code: string) => string {
  const { language } = useLanguage()
  const names = new Intl.DisplayNames([language], { type: 'region' })
  return (code) => names.of(code) ?? code
}

// A value as a person reads it.
export function useSettingValue(): (name: SettingName, text: string) => string {
  const words = useScreenWords('settings')
  const { mode } = useWords()
  const formats = useFormats()
  const countryName = useCountryName()
  return (name, text) => {
    if (name === 'geography') return listed(itemsOf(text).map(countryName), words.nothing)
    if (name === 'addresses') return listed(itemsOf(text), words.anyAddress)
    if (name === 'modes') {
      const names = itemsOf(text).map((one) => mode[one as keyof typeof mode])
      return listed(names, words.nothing)
    }
    if (name === 'language') return words.languages[text as keyof typeof words.languages] ?? text
    if (name === 'status-style') return words.styles[text as keyof typeof words.styles] ?? text
    return plainValue(text, words, formats, name === 'spend-day-max')
  }
}

function listed(items: readonly string[], none: string): string {
  return items.length === 0 ? none : items.join(', ')
}

type Words = { readonly on: string; readonly off: string; readonly noCap: string; readonly nothing: string }

function plainValue(text: string, words: Words, formats: ReturnType<typeof useFormats>, isMoney: boolean): string {
  if (text === 'on' || text === 'off') return words[text]
  if (text === 'none') return words.noCap
  if (text === '') return words.nothing
  const isNumber = /^\d+(\.\d+)?$/.test(text)
  return isNumber && isMoney ? formats.money(Number(text)) : /^\d+$/.test(text) ? formats.number(Number(text)) : text
}
