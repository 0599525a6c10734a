// The settings of a service, three changes to them, and a number tested against both.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { startRules } from '@ringproof/contract/web/setting-names.ts'
import { noCaps } from '../../../server/src/domain/accounts/service.ts'
import { recommendedSettings } from '../../../server/src/domain/accounts/service-changes.ts'

type Page = WebOutput<'service-settings'>

const prices: readonly [string, string, number | null][] = [
  ['RU', '+7', 0.4],
  ['KZ', '+7', 0.9],
  ['BY', '+375', 1.4],
  ['UZ', '+998', 2.1],
  ['KG', '+996', 2.4],
  ['AM', '+374', 1.9],
  ['GE', '+995', 2.2],
  ['AZ', '+994', 3.1],
  ['TJ', '+992', 6.8],
  ['TR', '+90', 2.6],
  ['DE', '+49', null],
  ['FR', '+33', null],
  ['GB', '+44', null],
]

const page: Page = {
  id: 1024,
  isTest: false,
  settings: {
    name: 'My shop',
    'use-direction': 'my-shop.example',
    state: 'on',
    'test-numbers': 'on',
    geography: 'RU,KZ',
    'calls-per-number-10-minutes': '4',
    'calls-per-number-day': '10',
    'verifications-hour-max': '500',
    'verifications-day-max': 'none',
    'spend-day-max': '1500',
    'prefix-hour-max': '60',
    'quiet-hours': 'off',
    'time-zone': 'Europe/Moscow',
    addresses: '',
    'plain-http': 'on',
    modes: 'flash,voice,inbound',
    language: 'ru',
    'inbound-seconds': '120',
    'status-style': 'class',
    'id-alias': '',
    repeats: 'off',
  },
  recommended: recommendedSettings({
    ...noCaps,
    'verifications-hour-max': '600',
    'verifications-day-max': '5000',
    'spend-day-max': '5000',
  }),
  usage: { startedHour: 188, startedDay: 1_397, spentDay: 1_212.8 },
  countries: prices.map(([code, dial, price]) => ({ code, dial, price })),
  requestsPerSecond: 30,
}

export const settingAnswers = {
  'service-settings': page,
  'preview-settings': {
    changes: [
      { name: 'geography', was: 'RU,KZ', becomes: 'RU,KZ,UZ' },
      { name: 'spend-day-max', was: '1500', becomes: '1200' },
      { name: 'addresses', was: '', becomes: '198.51.100.23' },
    ],
    effects: [
      { name: 'geography', unit: 'calls', count: 0 },
      { name: 'spend-day-max', unit: 'days', count: 3 },
    ],
    mistakes: [],
  },
  'save-settings': { changes: [] },
  'test-settings': {
    saved: {
      isAccepted: false,
      price: null,
      refusal: {
        code: 9,
        sentence: {
          en: 'The country UZ is not in the geography of the service.',
          ru: 'Страна UZ не входит в географию сервиса.',
        },
        settings: ['geography'],
        retryAfter: null,
      },
      rules: [],
    },
    drafted: {
      isAccepted: false,
      price: null,
      refusal: {
        code: 50,
        sentence: {
          en: 'The service has reached its own cap: spend a day.',
          ru: 'Сервис достиг собственного предела: расходы в день.',
        },
        settings: ['spend-day-max'],
        retryAfter: null,
      },
      rules: startRules.map((rule, at) => ({
        rule,
        state: rule === 'address' ? 'not-tested' : at < 9 ? 'passed' : at === 9 ? 'refused' : 'not-reached',
      })),
    },
  },
} satisfies { [Name in 'service-settings' | 'preview-settings' | 'save-settings' | 'test-settings']: WebOutput<Name> }
