import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { SettingName } from '@ringproof/contract/web/setting-names.ts'

export type SettingsPage = WebOutput<'service-settings'>
export type SettingChange = WebOutput<'save-settings'>['changes'][number]
export type TestedStart = WebOutput<'test-settings'>['saved']
export type Texts = Partial<Record<SettingName, string>>

// Lists are written with commas.
export function itemsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(',')
}
