// A change of a service's settings: read from texts, compared with what is saved, and applied to an API client before it is saved.

import type { ApiClient } from './api-client.ts'
import { type NewServiceCaps, type ServiceSettingName, type SettingValue, serviceSettings } from './service.ts'

export type SettingTexts = Readonly<Partial<Record<ServiceSettingName, string>>>
export type SettingValues = ReadonlyMap<ServiceSettingName, SettingValue>
export type SettingChange = { readonly name: ServiceSettingName; readonly was: string; readonly becomes: string }

type ReadSettings = { readonly values: SettingValues; readonly mistakes: readonly ServiceSettingName[] }

export function readSettings(texts: SettingTexts): ReadSettings {
  const values = new Map<ServiceSettingName, SettingValue>()
  const mistakes: ServiceSettingName[] = []
  for (const [name, text] of Object.entries(texts) as [ServiceSettingName, string][]) {
    const value = serviceSettings[name].parse(text)
    if (value === undefined) mistakes.push(name)
    else values.set(name, value)
  }
  return { values, mistakes }
}

type SavedSettings = Readonly<Record<ServiceSettingName, SettingValue>>

// A value that is written in another way is no change.
export function changesOf(saved: SavedSettings, values: SettingValues): readonly SettingChange[] {
  return [...values].flatMap(([name, value]) => {
    const was = showSetting(name, saved[name])
    const becomes = showSetting(name, value)
    return was === becomes ? [] : [{ name, was, becomes }]
  })
}

// The settings that no longer have the value from which a person set out.
export function conflictsOf(saved: SavedSettings, was: SettingTexts): readonly ServiceSettingName[] {
  return (Object.entries(was) as [ServiceSettingName, string][])
    .filter(([name, text]) => showSetting(name, saved[name]) !== text)
    .map(([name]) => name)
}

export function showSetting(name: ServiceSettingName, value: SettingValue): string {
  return serviceSettings[name].show(value)
}

// Where the API client has each setting. The name and the use are for people only.
const clientFields = {
  state: 'state',
  addresses: 'addresses',
  'status-style': 'statusStyle',
  'id-alias': 'idAlias',
  repeats: 'repeats',
  'plain-http': 'plainHttp',
  'requests-per-second': 'requestsPerSecond',
  geography: 'geography',
  modes: 'modes',
  'calls-per-number-10-minutes': 'calls10Minutes',
  'calls-per-number-day': 'callsDay',
  'verifications-hour-max': 'hourMax',
  'verifications-day-max': 'dayMax',
  'spend-day-max': 'spendMax',
  'prefix-hour-max': 'prefixHourMax',
  'quiet-hours': 'quietHours',
  'time-zone': 'timeZone',
  'test-numbers': 'testNumbers',
  'inbound-seconds': 'inboundSeconds',
  language: 'language',
  'provider-modes': 'providerModes',
} as const satisfies Record<Exclude<ServiceSettingName, 'name' | 'use-direction'>, keyof ApiClient>

// The client as it will be once these values are saved.
export function clientWith(apiClient: ApiClient, values: SettingValues): ApiClient {
  const fields: Readonly<Partial<Record<ServiceSettingName, keyof ApiClient>>> = clientFields
  const changed = [...values].flatMap(([name, value]) => {
    const field = fields[name]
    return field === undefined ? [] : [[field, value]]
  })
  return { ...apiClient, ...Object.fromEntries(changed) }
}

// Safe for most services. Addresses have no such value: the customer knows which servers are its own.
export function recommendedSettings(caps: NewServiceCaps): SettingTexts {
  return {
    state: 'on',
    'test-numbers': 'off',
    geography: 'RU,KZ',
    'calls-per-number-10-minutes': '4',
    'calls-per-number-day': '10',
    ...caps,
    'quiet-hours': 'off',
    'plain-http': 'off',
    modes: 'flash,voice,mix,inbound',
    'inbound-seconds': '120',
    'status-style': 'class',
    'id-alias': '',
    repeats: 'off',
  }
}
