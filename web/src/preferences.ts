// Theme and language live in cookies, because the server writes both into the page before its first paint.

import type { Language, themes } from '@ringproof/contract/lists/people.ts'

type Theme = (typeof themes)[number]

const yearSeconds = 31_536_000

export function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

export function setTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme === 'system' ? '' : theme
  setCookie('theme', theme)
}

export function currentLanguage(): Language {
  return document.documentElement.lang === 'ru' ? 'ru' : 'en'
}

export function setLanguage(language: Language): void {
  document.documentElement.lang = language
  setCookie('lang', language)
}

function setCookie(name: string, value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API is missing over plain HTTP
  document.cookie = `${name}=${value}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax${secure}`
}
