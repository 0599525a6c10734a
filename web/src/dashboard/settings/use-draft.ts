// What a person has changed and not saved. Each change remembers the value from which the person set out, so that a change from
// another tab is noticed.

import { type SettingName, settingNames } from '@ringproof/contract/web/setting-names.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../api.ts'
import type { SettingChange, SettingEffect, SettingsPage, Texts } from './settings-data.ts'

const pauseMs = 250

export type Draft = {
  // As the page shows them: saved or not.
  readonly texts: Readonly<Record<SettingName, string>>
  readonly changes: readonly SettingChange[]
  // What saving would change, as the server reads it.
  readonly previewed: readonly SettingChange[]
  // What these changes would have refused lately.
  readonly effects: readonly SettingEffect[]
  readonly mistakes: readonly SettingName[]
  // Another tab has changed the same settings since.
  readonly conflicts: readonly SettingName[]
  readonly set: (name: SettingName, text: string) => void
  readonly drop: (...names: readonly SettingName[]) => void
  // Sets out from the value that is saved now.
  readonly keep: (name: SettingName) => void
}

type Edits = Readonly<Partial<Record<SettingName, { readonly was: string; readonly becomes: string }>>>

export function useDraft(page: SettingsPage): Draft {
  const { settings } = page
  const [edits, setEdits] = useState<Edits>({})
  const changes = settingNames.flatMap((name): SettingChange[] => {
    const edit = edits[name]
    return edit === undefined || edit.becomes === settings[name] ? [] : [{ name, ...edit }]
  })
  const set = (name: SettingName, becomes: string) =>
    setEdits((before) => ({ ...before, [name]: { was: before[name]?.was ?? settings[name], becomes } }))
  const drop = (...names: readonly SettingName[]) =>
    setEdits((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !names.some((one) => one === name))),
    )
  const keep = (name: SettingName) =>
    setEdits((before) => ({ ...before, [name]: { was: settings[name], becomes: before[name]?.becomes ?? '' } }))
  const texts = { ...settings, ...textsOf(changes) }
  const { mistakes, effects, previewed } = usePreview(page.id, textsOf(changes))
  const conflicts = changes.filter(({ name, was }) => was !== settings[name]).map(({ name }) => name)
  return { texts, changes, previewed: previewed ?? changes, effects, mistakes, conflicts, set, drop, keep }
}

export function textsOf(changes: readonly SettingChange[]): Texts {
  return Object.fromEntries(changes.map(({ name, becomes }) => [name, becomes]))
}

type Preview = Pick<Draft, 'mistakes' | 'effects'> & { readonly previewed: readonly SettingChange[] | undefined }

// The server previews the change a moment after the last key. Until then, what was typed.
function usePreview(serviceId: number, settings: Texts): Preview {
  const written = JSON.stringify(settings)
  const [asked, setAsked] = useState(written)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(written), pauseMs)
    return () => clearTimeout(timer)
  }, [written])
  const preview = useQuery({
    queryKey: ['preview-settings', serviceId, asked],
    queryFn: () => call('preview-settings', { serviceId, settings: JSON.parse(asked) as Texts }),
    placeholderData: keepPreviousData,
    enabled: asked !== '{}',
  })
  if (asked === '{}' || preview.data === undefined) return { mistakes: [], effects: [], previewed: undefined }
  const { mistakes, effects, changes } = preview.data
  // A value that cannot be saved is no change for the server.
  const isCurrent = asked === written && !preview.isPlaceholderData && mistakes.length === 0
  return { mistakes, effects: isCurrent ? effects : [], previewed: isCurrent ? changes : undefined }
}
