// What can be set on a service: one table, read by the operator's command line and by the dashboard. Each setting knows
// its words, its bounds and the sentence that explains it; the default is the column's in the database.

import { serviceStates } from '@ringproof/contract/lists/accounts.ts'
import { promptLanguages, verificationModes } from '@ringproof/contract/lists/calls.ts'
import { Refusal } from '../../process/errors.ts'
import { amountText, formatDecimal, type MicroAmount } from '../money/money.ts'
import { isCountryCode } from '../numbers/country.ts'
import { integer, lineOf, listOf, oneOf, onOff, type Parser, textThat, withWord } from '../values/parsers.ts'
import { type ApiClient, isIdAlias } from './api-client.ts'
import type { KeyScope } from './api-key.ts'
import { isAddressOrCidr, isOnList } from './client-address.ts'
import { parseProviderMode } from './provider-modes.ts'
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
  name: {
    column: 'name',
    hint: 'text',
    explains: 'name of the service, 1 to 100 characters',
    ...reads(lineOf(1, 100)),
  },
  'use-direction': {
    column: 'use_direction',
    hint: 'text',
    explains: 'where the service is used',
    ...reads(lineOf(0, 500)),
  },
  state: {
    column: 'state',
    hint: serviceStates.join('|'),
    explains: 'off returns code 4, archived returns code 1004',
    ...reads(oneOf(...serviceStates)),
  },
  addresses: {
    column: 'addresses',
    hint: 'CIDR,…',
    explains: 'allowed client addresses and networks, such as 203.0.113.0/24; empty: any',
    ...readsList(textThat(isAddressOrCidr, 'an address or a network')),
  },
  'status-style': {
    column: 'status_style',
    hint: 'class|ok',
    explains: 'HTTP status of errors: class (4xx, 5xx), or ok (200) for clients that cannot read the body of a 4xx',
    ...reads(oneOf('class', 'ok')),
  },
  'id-alias': {
    column: 'id_alias',
    hint: 'name',
    explains: 'second name for vendor_id and uid, not one that the API uses; empty: none',
    ...reads(textThat((text) => text === '' || isIdAlias(text), 'a name')),
  },
  repeats: {
    column: 'repeats',
    hint: 'on|off',
    explains: 'initRepeat: two free repeats of a call within five minutes',
    ...readsOnOff(),
  },
  'plain-http': {
    column: 'plain_http',
    hint: 'on|off',
    explains: 'serve it on the alternative plain-HTTP port',
    ...readsOnOff(),
  },
  'requests-per-second': {
    column: 'requests_per_second',
    hint: 'n|default',
    explains: 'requests per second from one address, instead of the default',
    ...readsOr('default', integer(1, 1_000_000)),
  },
  geography: {
    column: 'geography',
    hint: 'RU,KZ',
    explains: 'countries that may be called, as ISO 3166 codes',
    ...readsList(textThat(isCountryCode, 'a country code')),
  },
  modes: {
    column: 'modes',
    hint: verificationModes.join(','),
    explains: 'modes that may be used, at least one',
    ...readsList(oneOf(...verificationModes), 1),
  },
  'calls-per-number-10-minutes': {
    column: 'calls_per_number_10_minutes',
    hint: 'n',
    explains: 'calls to one number per ten minutes',
    ...reads(integer(1, 30)),
  },
  'calls-per-number-day': {
    column: 'calls_per_number_day',
    hint: 'n',
    explains: 'calls to one number per 24 hours',
    ...reads(integer(1, 30)),
  },
  'verifications-hour-max': {
    column: 'verifications_hour_max',
    hint: 'n|none',
    explains: 'verifications per hour',
    ...readsOr('none', integer(0, 1_000_000_000)),
  },
  'verifications-day-max': {
    column: 'verifications_day_max',
    hint: 'n|none',
    explains: 'verifications per day',
    ...readsOr('none', integer(0, 1_000_000_000)),
  },
  'spend-day-max': {
    column: 'spend_day_max',
    hint: 'amount|none',
    explains: 'spend per day',
    ...readsOr('none', amountText, (value) => formatDecimal(value as MicroAmount)),
  },
  'prefix-hour-max': {
    column: 'prefix_hour_max',
    hint: 'n|none',
    explains: 'calls per hour to one prefix (a number without its last four digits)',
    ...readsOr('none', integer(0, 1_000_000_000)),
  },
  'quiet-hours': {
    column: 'quiet_hours',
    hint: 'hh:mm-hh:mm|off',
    explains: 'hours without calls, in the time zone of the called number, such as 22:00-08:00',
    ...reads(withWord('off', '', textThat(isQuietHours, 'hours')), (value) => (value === '' ? 'off' : String(value))),
  },
  'time-zone': {
    column: 'time_zone',
    hint: 'Area/City',
    explains: 'time zone for quiet hours when the region of a number is unknown, such as Europe/Moscow',
    ...reads(textThat(isTimeZone, 'a time zone')),
  },
  'test-numbers': {
    column: 'test_numbers',
    hint: 'on|off',
    explains: 'allow the test numbers 79000000001 and 79000000002; turn it off before going live',
    ...readsOnOff(),
  },
  'inbound-seconds': {
    column: 'inbound_seconds',
    hint: '30..300',
    explains: 'how long to wait for an inbound call, in seconds',
    ...reads(integer(30, 300)),
  },
  language: {
    column: 'language',
    hint: promptLanguages.join('|'),
    explains: 'language of spoken codes',
    ...reads(oneOf(...promptLanguages)),
  },
  'provider-modes': {
    column: 'provider_modes',
    hint: 'МТС=voice,…',
    explains: 'flash calls to a provider are placed as mix or voice instead, and cost what those cost; empty: none',
    ...readsList(textThat((text) => parseProviderMode(text) !== undefined, 'a rule')),
  },
} as const satisfies Record<string, ServiceSetting>

export type ServiceSettingName = keyof typeof serviceSettings

// The caps that an installation gives to a new service, in the words of its settings.
export type NewServiceCaps = Readonly<
  Record<
    Extract<
      ServiceSettingName,
      'verifications-hour-max' | 'verifications-day-max' | 'spend-day-max' | 'prefix-hour-max'
    >,
    string
  >
>

export const noCaps: NewServiceCaps = {
  'verifications-hour-max': 'none',
  'verifications-day-max': 'none',
  'spend-day-max': 'none',
  'prefix-hour-max': 'none',
}

type Reading = Pick<ServiceSetting, 'parse' | 'show'>

function reads<Value extends SettingValue>(
  { parse }: Parser<Value>,
  show: ServiceSetting['show'] = String,
): { readonly parse: Parser<Value>['parse']; readonly show: ServiceSetting['show'] } {
  return { parse, show }
}

// The word stands for null.
function readsOr(word: string, parser: Parser<SettingValue>, show: ServiceSetting['show'] = String): Reading {
  const { parse } = withWord(word, null, parser)
  return { parse, show: (value) => (value === null ? word : show(value)) }
}

function readsList(parser: Parser<string>, itemsMin = 0): Reading {
  const { expects, parse } = listOf(parser)
  const withEnough = (text: string) => {
    const items = parse(text)
    return items && items.length >= itemsMin ? items : undefined
  }
  return reads({ expects, parse: withEnough }, (value) => (Array.isArray(value) ? value.join(',') : ''))
}

function readsOnOff(): Reading {
  return reads(onOff, (value) => (value ? 'on' : 'off'))
}

function isQuietHours(text: string): boolean {
  return parseQuietHours(text) !== undefined
}

type ServedOver = { readonly address: string; readonly isAlternative: boolean; readonly scope: KeyScope }

// Whether the state of the account and the service lets a request pass.
export function checkServiceState(apiClient: ApiClient, { address, isAlternative, scope }: ServedOver): void {
  if (apiClient.accountBlocked) throw new Refusal('accountBlocked')
  if (apiClient.state === 'archived') throw new Refusal('serviceArchived')
  if (apiClient.state === 'off') throw new Refusal('serviceOff')
  if (apiClient.addresses.length > 0 && !isOnList(apiClient.addresses, address)) throw new Refusal('addressNotAllowed')
  if (!apiClient.plainHttp && isAlternative) throw new Refusal('plainHttpRefused')
  if (scope === 'start' && apiClient.mustVerifyPhone) throw new Refusal('phoneNotVerified')
}

// One choice for customers who move from another service with the client they have: the settings that its clients need.

type Settings = Readonly<Partial<Record<ServiceSettingName, string>>>

export const compatibilities = {
  ucaller: { 'id-alias': 'ucaller_id', 'status-style': 'ok', repeats: 'on' },
} as const satisfies Record<string, Settings>

export type Compatibility = keyof typeof compatibilities

export const compatibilityNames = Object.keys(compatibilities) as Compatibility[]
