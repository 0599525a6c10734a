// Tariffs: two, a planned price, costs of one trunk, and a destination that loses money.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { dayMs } from '../../../server/src/domain/values/time.ts'

export function tariffAnswers(nowMs: number): {
  readonly tariffs: WebOutput<'tariffs'>
  readonly 'price-preview': WebOutput<'price-preview'>
} {
  const until = Math.floor(nowMs / dayMs) * dayMs
  const flash = { method: 'initCall', mode: 'flash', country: '*' } as const
  const old = { validFrom: nowMs - 200 * dayMs }
  return {
    tariffs: {
      from: until - 30 * dayMs,
      until,
      total: { calls: 412_300, revenue: 158_240.4, cost: 61_020.15, margin: 97_220.25, withoutCost: 1_240 },
      destinations: [
        {
          country: 'RU',
          mode: 'flash',
          calls: 391_000,
          revenue: 148_200,
          cost: 52_600.5,
          margin: 95_599.5,
          withoutCost: 0,
        },
        {
          country: 'KZ',
          mode: 'voice',
          calls: 4_100,
          revenue: 6_150,
          cost: 8_419.65,
          margin: -2_269.65,
          withoutCost: 0,
        },
        { country: 'KZ', mode: 'flash', calls: 17_200, revenue: 3_890.4, cost: 0, margin: 3_890.4, withoutCost: 1_240 },
      ],
      tariffs: [
        {
          code: 'uni',
          name: 'Universal',
          chargesFailed: false,
          prices: [
            { ...flash, ...old, price: 0.35 },
            { ...flash, price: 0.4, validFrom: nowMs - 90 * dayMs },
            { ...flash, price: 0.45, validFrom: nowMs + 14 * dayMs },
            { ...flash, ...old, country: 'KZ', mode: 'voice', price: 1.5 },
            { method: 'inboundCallWaiting', mode: '', country: '*', ...old, price: 0.25 },
            { method: 'checkPhone', mode: '', country: '*', ...old, price: 0.05 },
          ],
        },
        { code: 'volume', name: 'Volume', chargesFailed: false, prices: [{ ...flash, ...old, price: 0.3355 }] },
      ],
      costs: [
        { trunk: 'alfa', mode: 'flash', country: '*', cost: 0.14, validFrom: nowMs - 80 * dayMs },
        { trunk: 'alfa', mode: 'voice', country: 'KZ', cost: 2.1, validFrom: nowMs - 80 * dayMs },
      ],
      trunks: ['alfa', 'beta'],
    },
    'price-preview': {
      paid: 370_500,
      revenueBefore: 158_240.4,
      revenueAfter: 176_765.4,
      marginBefore: 97_220.25,
      marginAfter: 115_745.25,
      withoutCost: 0,
    },
  }
}

export function noTariffs(nowMs: number): WebOutput<'tariffs'> {
  const { tariffs } = tariffAnswers(nowMs)
  const total = { calls: 0, revenue: 0, cost: 0, margin: 0, withoutCost: 0 }
  const [uni] = tariffs.tariffs
  return {
    ...tariffs,
    total,
    destinations: [],
    tariffs: uni ? [{ ...uni, prices: [] }] : [],
    costs: [],
    trunks: [],
  }
}
