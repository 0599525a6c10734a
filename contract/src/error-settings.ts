// Which settings of a service lift a refusal: the error pages and the API log lead to them.

import type { RefusalName } from './errors.ts'
import { type SettingName, serviceCaps } from './web/setting-names.ts'

export const errorSettings: Readonly<Partial<Record<RefusalName, readonly SettingName[]>>> = {
  serviceOff: ['state'],
  serviceArchived: ['state'],
  countryNotAllowed: ['geography'],
  modeSwitchedOff: ['modes'],
  repeatNotSupported: ['repeats'],
  numberLimitReached: ['calls-per-number-10-minutes', 'calls-per-number-day'],
  capReached: serviceCaps,
  prefixCapReached: ['prefix-hour-max'],
  quietHours: ['quiet-hours'],
  addressNotAllowed: ['addresses'],
  plainHttpRefused: ['plain-http'],
}

// The page of the settings marks these. Without a service it asks which one.
export function settingsAddress(settings: readonly SettingName[]): string {
  return `/dashboard/services/settings?mark=${settings.join(',')}`
}
