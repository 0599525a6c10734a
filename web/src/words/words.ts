// The words of the pages. A language is a set of modules of which only those that are read are loaded: the shell's at once, a
// screen's with the screen. English is the type; another language that lacks a word does not compile.

import type { Language } from '@ringproof/contract/lists/people.ts'
import { createContext, use } from 'react'
import type { words as en } from './en.ts'

export type ShellWords = typeof en

const screens = {
  audit: { en: () => import('./audit.en.ts'), ru: () => import('./audit.ru.ts') },
  deliveries: { en: () => import('./deliveries.en.ts'), ru: () => import('./deliveries.ru.ts') },
  deliverability: {
    en: () => import('./deliverability.en.ts'),
    ru: () => import('./deliverability.ru.ts'),
  },
  calls: { en: () => import('./calls.en.ts'), ru: () => import('./calls.ru.ts') },
  account: { en: () => import('./account.en.ts'), ru: () => import('./account.ru.ts') },
  log: { en: () => import('./log.en.ts'), ru: () => import('./log.ru.ts') },
  notices: { en: () => import('./notices.en.ts'), ru: () => import('./notices.ru.ts') },
  numbers: { en: () => import('./numbers.en.ts'), ru: () => import('./numbers.ru.ts') },
  phones: { en: () => import('./phones.en.ts'), ru: () => import('./phones.ru.ts') },
  balance: { en: () => import('./balance.en.ts'), ru: () => import('./balance.ru.ts') },
  services: { en: () => import('./services.en.ts'), ru: () => import('./services.ru.ts') },
  settings: { en: () => import('./settings.en.ts'), ru: () => import('./settings.ru.ts') },
  sign: { en: () => import('./sign.en.ts'), ru: () => import('./sign.ru.ts') },
  statistics: { en: () => import('./statistics.en.ts'), ru: () => import('./statistics.ru.ts') },
  start: { en: () => import('./start.en.ts'), ru: () => import('./start.ru.ts') },
  verifications: { en: () => import('./verifications.en.ts'), ru: () => import('./verifications.ru.ts') },
  verification: { en: () => import('./verification.en.ts'), ru: () => import('./verification.ru.ts') },
  webhooks: { en: () => import('./webhooks.en.ts'), ru: () => import('./webhooks.ru.ts') },
  announcements: { en: () => import('./announcements.en.ts'), ru: () => import('./announcements.ru.ts') },
  tariffs: { en: () => import('./tariffs.en.ts'), ru: () => import('./tariffs.ru.ts') },
  trunks: { en: () => import('./trunks.en.ts'), ru: () => import('./trunks.ru.ts') },
  'caller-numbers': { en: () => import('./caller-numbers.en.ts'), ru: () => import('./caller-numbers.ru.ts') },
  customers: { en: () => import('./customers.en.ts'), ru: () => import('./customers.ru.ts') },
  inbound: { en: () => import('./inbound.en.ts'), ru: () => import('./inbound.ru.ts') },
  wallboard: { en: () => import('./wallboard.en.ts'), ru: () => import('./wallboard.ru.ts') },
  'switch-overs': { en: () => import('./switch-overs.en.ts'), ru: () => import('./switch-overs.ru.ts') },
  registries: { en: () => import('./registries.en.ts'), ru: () => import('./registries.ru.ts') },
  routing: { en: () => import('./routing.en.ts'), ru: () => import('./routing.ru.ts') },
  protection: { en: () => import('./protection.en.ts'), ru: () => import('./protection.ru.ts') },
  system: { en: () => import('./system.en.ts'), ru: () => import('./system.ru.ts') },
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
