// Where calls go: one trunk, the normal case, and several of which some take no part.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { startRules } from '@ringproof/contract/web/setting-names.ts'
import { noSwitchOvers, switchOvers } from './switch-over-fixtures.ts'

type Routing = WebOutput<'routing'>
type Said = WebOutput<'explain-route'>
type RoutingAnswers = {
  readonly routing: Routing
  readonly 'explain-route': Said
  readonly 'switch-overs': WebOutput<'switch-overs'>
}

const carrier = { name: 'carrier', priority: 100, isOn: true, countries: ['*'], numbers: 10_000 }

export const routingOverOneTrunk: RoutingAnswers = {
  routing: { trunks: [carrier], stop: null },
  'switch-overs': noSwitchOvers,
  'explain-route': {
    isTest: false,
    country: 'RU',
    isValid: true,
    kind: 'mobile',
    provider: 'Volna',
    assignedTo: 'Kvant',
    isPorted: true,
    region: 'Tatarstan',
    tariff: 'uni',
    mode: 'flash',
    trunks: [{ name: 'carrier', priority: 100, part: 'tried' }],
    trunk: 'carrier',
    switchOver: null,
    callerNumber: '7000***7043',
    price: 0.4,
    refusal: null,
    rules: startRules.map((rule) => ({ rule, state: 'passed' as const })),
  },
}

export const severalTrunks: RoutingAnswers = {
  routing: {
    trunks: [
      { ...carrier, name: 'alfa-msk', priority: 10, countries: ['RU', 'KZ'] },
      { ...carrier, name: 'alfa-spb', priority: 20, numbers: 4_000 },
      { ...carrier, name: 'gamma', priority: 30, countries: ['KZ'] },
      { ...carrier, name: 'delta', priority: 40, isOn: false },
    ],
    stop: null,
  },
  'switch-overs': { isOn: false, switchOvers: [] },
  'explain-route': {
    ...routingOverOneTrunk['explain-route'],
    trunks: [
      { name: 'alfa-msk', priority: 10, part: 'tried' },
      { name: 'alfa-spb', priority: 20, part: 'no-code' },
      { name: 'gamma', priority: 30, part: 'elsewhere' },
      { name: 'delta', priority: 40, part: 'off' },
    ],
    trunk: null,
    callerNumber: null,
    refusal: {
      code: 1002,
      sentence: {
        en: 'The balance does not cover this call.',
        ru: 'На балансе не хватает денег на этот вызов.',
      },
    },
    rules: startRules.map((rule) => ({
      rule,
      state:
        rule === 'money'
          ? ('refused' as const)
          : rule === 'number-limits'
            ? ('not-reached' as const)
            : ('passed' as const),
    })),
  },
}

export function switchedRouting(nowMs: number): RoutingAnswers {
  const shown = switchOvers(nowMs)
  return {
    routing: {
      trunks: [
        { ...carrier, name: 'beta', priority: 10 },
        { ...carrier, name: 'alfa-spb', priority: 20 },
      ],
      stop: null,
    },
    'switch-overs': shown,
    'explain-route': {
      ...routingOverOneTrunk['explain-route'],
      provider: 'Polar',
      trunks: [
        { name: 'alfa-spb', priority: 20, part: 'tried' },
        { name: 'beta', priority: 10, part: 'tried' },
      ],
      trunk: 'alfa-spb',
      switchOver: shown.switchOvers[0] ?? null,
    },
  }
}
