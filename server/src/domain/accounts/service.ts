// What can be set on a service: one table, read by the operator's command line now and by the dashboard later. Each setting knows
// its words, its bounds and the sentence that explains it; the default is the column's in the database.

import { promptLanguages } from '../calls/prompt-language.ts'
import { formatRoubles, type MicroRoubles, parseRoubles } from '../money/money.ts'
import { isCountryCode } from '../numbers/country.ts'
import { parseText } from '../text.ts'
import { isAddressOrCidr } from './client-address.ts'
import { isIdAlias } from './id-alias.ts'
import { isTimeZone, parseQuietHours } from './quiet-hours.ts'

export type SettingValue = string | number | boolean | readonly string[] | null

type ServiceSetting = {
  readonly column: string
  readonly hint: string
  readonly explains: string
  // undefined: not a value for this setting.
  readonly parse: (text: string) => SettingValue | undefined
  readonly show: (value: SettingValue) => string
}

export const serviceSettings = {
  name: { column: 'name', hint: 'text', explains: 'name of the service, 1 to 100 characters', ...words(1, 100) },
  'use-direction': { column: 'use_direction', hint: 'text', explains: 'where the service is used', ...words(0, 500) },
  state: {
    column: 'state',
    hint: 'on|off|archived',
    explains: 'off returns code 4, archived returns code 1004',
    ...oneOf('on', 'off', 'archived'),
  },
  addresses: {
    column: 'addresses',
    hint: 'CIDR,…',
    explains: 'allowed client addresses and networks, such as 203.0.113.0/24; empty: any',
    ...listOf(isAddressOrCidr),
  },
  'status-style': {
    column: 'status_style',
    hint: 'class|ok',
    explains: 'HTTP status of errors: class (4xx, 5xx), or ok (200) for clients that cannot read the body of a 4xx',
    ...oneOf('class', 'ok'),
  },
  'id-alias': {
    column: 'id_alias',
    hint: 'name',
    explains: 'second name for vendor_id and uid, not one that the API uses; empty: none',
    ...nothingOr(isIdAlias),
  },
  'plain-http': {
    column: 'plain_http',
    hint: 'on|off',
    explains: 'serve it on the alternative plain-HTTP port',
    ...flag(),
  },
  'requests-per-second': {
    column: 'requests_per_second',
    hint: 'n|default',
    explains: 'requests per second from one address, instead of the default',
    ...numberOr('default', 1, 1_000_000),
  },
  geography: {
    column: 'geography',
    hint: 'RU,KZ',
    explains: 'countries that may be called, as ISO 3166 codes',
    ...listOf(isCountryCode),
  },
  'calls-per-number-10-minutes': {
    column: 'calls_per_number_10_minutes',
    hint: 'n',
    explains: 'calls to one number per ten minutes',
    ...number(1, 30),
  },
  'calls-per-number-day': {
    column: 'calls_per_number_day',
    hint: 'n',
    explains: 'calls to one number per 24 hours',
    ...number(1, 30),
  },
  'verifications-hour-max': {
    column: 'verifications_hour_max',
    hint: 'n|none',
    explains: 'verifications per hour',
    ...numberOr('none', 0, 1_000_000_000),
  },
  'verifications-day-max': {
    column: 'verifications_day_max',
    hint: 'n|none',
    explains: 'verifications per day',
    ...numberOr('none', 0, 1_000_000_000),
  },
  'roubles-day-max': {
    column: 'spend_day_max',
    hint: 'r|none',
    explains: 'spend per day in roubles',
    ...roublesOr('none'),
  },
  'prefix-hour-max': {
    column: 'prefix_hour_max',
    hint: 'n|none',
    explains: 'calls per hour to one prefix (a number without its last four digits)',
    ...numberOr('none', 0, 1_000_000_000),
  },
  'quiet-hours': {
    column: 'quiet_hours',
    hint: 'hh:mm-hh:mm|off',
    explains: 'hours without calls, in the time zone of the called number, such as 22:00-08:00',
    parse: (text: string) => (text === 'off' ? '' : parseQuietHours(text) && text),
    show: (value: SettingValue) => (value === '' ? 'off' : String(value)),
  },
  'time-zone': {
    column: 'time_zone',
    hint: 'Area/City',
    explains: 'time zone for quiet hours when the region of a number is unknown, such as Europe/Moscow',
    parse: (text: string) => (isTimeZone(text) ? text : undefined),
    show: String,
  },
  'test-numbers': {
    column: 'test_numbers',
    hint: 'on|off',
    explains: 'allow the test numbers 79000000001 and 79000000002; turn it off before going live',
    ...flag(),
  },
  'inbound-seconds': {
    column: 'inbound_seconds',
    hint: '30..300',
    explains: 'how long to wait for an inbound call, in seconds',
    ...number(30, 300),
  },
  language: {
    column: 'language',
    hint: promptLanguages.join('|'),
    explains: 'language of spoken codes',
    ...oneOf(...promptLanguages),
  },
} as const satisfies Record<string, ServiceSetting>
export type ServiceSettingName = keyof typeof serviceSettings

// The caps that an installation gives to a new service, in the words of its settings.
export type NewServiceCaps = Readonly<
  Record<
    Extract<
      ServiceSettingName,
      'verifications-hour-max' | 'verifications-day-max' | 'roubles-day-max' | 'prefix-hour-max'
    >,
    string
  >
>

export const noCaps: NewServiceCaps = {
  'verifications-hour-max': 'none',
  'verifications-day-max': 'none',
  'roubles-day-max': 'none',
  'prefix-hour-max': 'none',
}

type Reading<Value = SettingValue> = {
  readonly parse: (text: string) => Value | undefined
  readonly show: ServiceSetting['show']
}

function words(min: number, max: number): Reading<string> {
  return { parse: (text) => parseText(text, min, max), show: String }
}

function nothingOr(isText: (text: string) => boolean): Reading {
  return { parse: (text) => (text === '' || isText(text) ? text : undefined), show: String }
}

function oneOf(...allowed: readonly string[]): Reading {
  return { parse: (text) => (allowed.includes(text) ? text : undefined), show: String }
}

function flag(): Reading {
  return {
    parse: (text) => (text === 'on' ? true : text === 'off' ? false : undefined),
    show: (value) => (value ? 'on' : 'off'),
  }
}

function number(min: number, max: number): Reading {
  return {
    parse: (text) => (/^\d{1,10}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined),
    show: String,
  }
}

function numberOr(nothing: string, min: number, max: number): Reading {
  return orNothing(nothing, number(min, max))
}

function roublesOr(nothing: string): Reading {
  return orNothing(nothing, { parse: parseRoubles, show: (value) => formatRoubles(value as MicroRoubles) })
}

function orNothing(nothing: string, reading: Reading): Reading {
  return {
    parse: (text) => (text === nothing ? null : reading.parse(text)),
    show: (value) => (value === null ? nothing : reading.show(value)),
  }
}

function listOf(isItem: (text: string) => boolean): Reading {
  return {
    parse: (text) => {
      const items = text === '' ? [] : text.split(',').map((item) => item.trim())
      return items.every(isItem) ? [...new Set(items)] : undefined
    },
    show: (value) => (Array.isArray(value) ? value.join(',') : ''),
  }
}
