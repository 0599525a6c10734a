import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { SettingName, serviceCaps } from '@ringproof/contract/web/setting-names.ts'

export type SettingsPage = WebOutput<'service-settings'>
export type SettingChange = WebOutput<'save-settings'>['changes'][number]
export type SettingEffect = WebOutput<'preview-settings'>['effects'][number]
export type TestedStart = WebOutput<'test-settings'>['saved']
export type Texts = Partial<Record<SettingName, string>>

// Lists are written with commas.
export function itemsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(',')
}

export type CapName = (typeof serviceCaps)[number]

// What this hour or day has used of each cap.
export function usedOf({ usage }: SettingsPage): Readonly<Record<CapName, number>> {
  const { startedHour, startedDay, spentDay } = usage
  return { 'verifications-hour-max': startedHour, 'verifications-day-max': startedDay, 'spend-day-max': spentDay }
}

// Undefined: no cap.
export function capOf(text: string): number | undefined {
  return text === '' || text === 'none' ? undefined : Number(text)
}
