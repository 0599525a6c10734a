// An error page or the API log leads to a setting: `?mark=geography.UZ`, or several names with commas.

import { type SettingName, settingNames } from '@ringproof/contract/web/setting-names.ts'
import { useFilters } from '../../shell/use-filters.ts'

export function useMark() {
  const [{ mark = '' }, change] = useFilters()
  const parts = mark.split(',').map((part) => part.split('.'))
  const marked = settingNames.filter((name) => parts.some(([one]) => one === name))
  const markedCountry = parts.map(([, country]) => country).find((country) => /^[A-Z]{2}$/.test(country ?? ''))
  return { marked, markedCountry, mark: (name: SettingName) => change({ mark: name }) }
}
