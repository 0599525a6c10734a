// The words of the pages. A language is a set of modules of which only those that are read are loaded: the shell's at once, a
// screen's with the screen. English is the type; another language that lacks a word does not compile.

import type { Language } from '@ringproof/contract/lists/people.ts'
import { createContext, use } from 'react'
import type { words as en } from './en.ts'

export type ShellWords = typeof en

const screens = {
  audit: { en: () => import('../console/audit/words.en.ts'), ru: () => import('../console/audit/words.ru.ts') },
  deliveries: {
    en: () => import('../console/deliveries/words.en.ts'),
    ru: () => import('../console/deliveries/words.ru.ts'),
  },
  deliverability: {
    en: () => import('../console/deliverability/words.en.ts'),
    ru: () => import('../console/deliverability/words.ru.ts'),
  },
  calls: { en: () => import('../console/calls/words.en.ts'), ru: () => import('../console/calls/words.ru.ts') },
  account: {
    en: () => import('../dashboard/account/words.en.ts'),
    ru: () => import('../dashboard/account/words.ru.ts'),
  },
  log: { en: () => import('../dashboard/log/words.en.ts'), ru: () => import('../dashboard/log/words.ru.ts') },
  notices: {
    en: () => import('../dashboard/notices/words.en.ts'),
    ru: () => import('../dashboard/notices/words.ru.ts'),
  },
  numbers: {
    en: () => import('../dashboard/numbers/words.en.ts'),
    ru: () => import('../dashboard/numbers/words.ru.ts'),
  },
  phones: { en: () => import('../dashboard/phones/words.en.ts'), ru: () => import('../dashboard/phones/words.ru.ts') },
  balance: {
    en: () => import('../dashboard/balance/words.en.ts'),
    ru: () => import('../dashboard/balance/words.ru.ts'),
  },
  services: {
    en: () => import('../dashboard/services/words.en.ts'),
    ru: () => import('../dashboard/services/words.ru.ts'),
  },
  settings: {
    en: () => import('../dashboard/settings/words.en.ts'),
    ru: () => import('../dashboard/settings/words.ru.ts'),
  },
  sign: { en: () => import('../sign/words.en.ts'), ru: () => import('../sign/words.ru.ts') },
  statistics: {
    en: () => import('../dashboard/statistics/words.en.ts'),
    ru: () => import('../dashboard/statistics/words.ru.ts'),
  },
  start: { en: () => import('../dashboard/start/words.en.ts'), ru: () => import('../dashboard/start/words.ru.ts') },
  verifications: {
    en: () => import('../dashboard/verifications/words.en.ts'),
    ru: () => import('../dashboard/verifications/words.ru.ts'),
  },
  verification: {
    en: () => import('../dashboard/verifications/verification-words.en.ts'),
    ru: () => import('../dashboard/verifications/verification-words.ru.ts'),
  },
  webhooks: {
    en: () => import('../dashboard/webhooks/words.en.ts'),
    ru: () => import('../dashboard/webhooks/words.ru.ts'),
  },
  announcements: {
    en: () => import('../console/announcements/words.en.ts'),
    ru: () => import('../console/announcements/words.ru.ts'),
  },
  tariffs: { en: () => import('../console/tariffs/words.en.ts'), ru: () => import('../console/tariffs/words.ru.ts') },
  trunks: { en: () => import('../console/trunks/words.en.ts'), ru: () => import('../console/trunks/words.ru.ts') },
  'caller-numbers': {
    en: () => import('../console/codes/words.en.ts'),
    ru: () => import('../console/codes/words.ru.ts'),
  },
  customers: {
    en: () => import('../console/customers/words.en.ts'),
    ru: () => import('../console/customers/words.ru.ts'),
  },
  inbound: { en: () => import('../console/inbound/words.en.ts'), ru: () => import('../console/inbound/words.ru.ts') },
  wallboard: {
    en: () => import('../console/wallboard/words.en.ts'),
    ru: () => import('../console/wallboard/words.ru.ts'),
  },
  'switch-overs': {
    en: () => import('../parts/tables/switch-over-words.en.ts'),
    ru: () => import('../parts/tables/switch-over-words.ru.ts'),
  },
  registries: {
    en: () => import('../console/registries/words.en.ts'),
    ru: () => import('../console/registries/words.ru.ts'),
  },
  routing: { en: () => import('../console/routing/words.en.ts'), ru: () => import('../console/routing/words.ru.ts') },
  protection: {
    en: () => import('../console/protection/words.en.ts'),
    ru: () => import('../console/protection/words.ru.ts'),
  },
  system: { en: () => import('../console/system/words.en.ts'), ru: () => import('../console/system/words.ru.ts') },
}

type ScreenName = keyof typeof screens
type ScreenWords<Name extends ScreenName> = Awaited<ReturnType<(typeof screens)[Name]['en']>>['words']

export const WordsContext = createContext<{
  language: Language
  words: ShellWords
  choose: (language: Language) => Promise<void>
} | null>(null)

export function useLanguage() {
  const context = use(WordsContext)
  if (context === null) throw new Error('Words are read inside WordsContext.')
  return context
}

export function useWords(): ShellWords {
  return useLanguage().words
}

// Suspends the screen for the moment in which its words load. React needs the promise in every render: without it, a render
// that is repeated after suspending fails.
export function useScreenWords<Name extends ScreenName>(name: Name): ScreenWords<Name> {
  const { language } = useLanguage()
  return use(loadScreenWords(name, language)) as ScreenWords<Name>
}

export async function loadShellWords(language: Language): Promise<ShellWords> {
  return language === 'ru' ? (await import('./ru.ts')).words : (await import('./en.ts')).words
}

const loading = new Map<string, Promise<unknown>>()

export function loadScreenWords(name: ScreenName, language: Language): Promise<unknown> {
  const key = `${name}.${language}`
  const promise = loading.get(key) ?? load(name, language)
  loading.set(key, promise)
  return promise
}

// React reads the state of a promise from these fields, and does not suspend for one that is fulfilled.
type Watched = Promise<unknown> & { status?: 'fulfilled'; value?: unknown }

function load(name: ScreenName, language: Language): Promise<unknown> {
  const read = screens[name][language]
  const promise: Watched = read().then(({ words }) => {
    promise.value = words
    promise.status = 'fulfilled'
    return words
  })
  return promise
}

// Before the language changes, so that no screen in sight suspends.
export async function loadSameScreens(language: Language): Promise<void> {
  const names = Object.keys(screens).filter((name): name is ScreenName => name in screens)
  const open = names.filter((name) => loading.has(`${name}.en`) || loading.has(`${name}.ru`))
  await Promise.all(open.map((name) => loadScreenWords(name, language)))
}
