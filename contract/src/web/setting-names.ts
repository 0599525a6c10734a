// The settings of a service that the people of its account may change, by section of the page. The operator's command line knows
// them by the same names, and one more: requests-per-second, which only the operator raises.

export const settingSections = {
  general: ['name', 'use-direction', 'state', 'test-numbers'],
  geography: ['geography'],
  limits: [
    'calls-per-number-10-minutes',
    'calls-per-number-day',
    'verifications-hour-max',
    'verifications-day-max',
    'spend-day-max',
    'prefix-hour-max',
  ],
  hours: ['quiet-hours', 'time-zone'],
  addresses: ['addresses', 'plain-http'],
  modes: ['modes', 'language', 'inbound-seconds'],
  compatibility: ['status-style', 'id-alias', 'repeats'],
} as const

export type SettingSection = keyof typeof settingSections
export type SettingName = (typeof settingSections)[SettingSection][number]

export const settingNames: readonly SettingName[] = Object.values(settingSections).flat()

// What a call start is checked against. The order on one database is this one.
export const startRules = [
  'service',
  'address',
  'account',
  'number',
  'country',
  'mode',
  'hours',
  'route',
  'opt-out',
  'caps',
  'money',
  'number-limits',
] as const
export type StartRule = (typeof startRules)[number]

// What a service may use of an hour or a day.
export const serviceCaps = ['verifications-hour-max', 'verifications-day-max', 'spend-day-max'] as const
