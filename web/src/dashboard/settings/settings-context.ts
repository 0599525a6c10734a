import type { SettingName } from '@ringproof/contract/web/setting-names.ts'
import { createContext, use } from 'react'
import type { SettingsPage } from './settings-data.ts'
import type { Draft } from './use-draft.ts'

type SettingsView = {
  readonly page: SettingsPage
  readonly draft: Draft
  // Viewers look.
  readonly canChange: boolean
  // Settings that a link has led to, and a country among them.
  readonly marked: readonly SettingName[]
  readonly markedCountry: string | undefined
  readonly mark: (name: SettingName) => void
}

export const SettingsContext = createContext<SettingsView | null>(null)

export function useSettings(): SettingsView {
  const view = use(SettingsContext)
  if (view === null) throw new Error('Settings are read inside SettingsContext.')
  return view
}
