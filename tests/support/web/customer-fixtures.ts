// Customers: one looks odd, one is short of money, one is blocked; and one of them with everything.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { dayMs } from '../../../server/src/domain/values/time.ts'

type Customer = WebOutput<'customers'>['customers'][number]
type Risk = Customer['risk']

const low = (score: number): Risk => ({ score, level: 'low', signs: [] })
const odd: Risk = {
  score: 74,
  level: 'high',
  signs: [
    { kind: 'refused', value: 412, points: 40 },
    { kind: 'rarely-rings', value: 0.612, points: 30 },
  ],
}

export function customerAnswers(nowMs: number): {
  readonly customers: WebOutput<'customers'>
  readonly customer: WebOutput<'customer'>
} {
  return { customers: { customers: customers(nowMs), nextBefore: 290 }, customer: customer(nowMs) }
}

function customers(nowMs: number): Customer[] {
  const rows: readonly [number, string, number, number | null, number, number | null, Risk, string][] = [
    [533, 'Loan Express', 15_900, 5_000, 4_411, 0.612, odd, 'Universal'],
    [512, 'My shop', 412.6, 1_000, 2_142, 0.961, low(10), 'Universal'],
    [498, 'Parcel Point', 96.2, 1_500, 1_210, 0.954, low(0), 'Universal'],
    [402, 'Ticket Desk', 7_310.5, null, 3_120, 0.959, low(0), 'Volume'],
    [377, 'Taxi Vega', 48_220, 20_000, 9_804, 0.968, low(0), 'Volume'],
    [321, 'Лавка на углу', 880.4, 600, 940, 0.948, low(0), 'Universal'],
  ]
  const active = rows.map(
    ([id, name, balance, dayCap, calls, rang, risk, tariff], index): Customer => ({
      id,
      name,
      email: `owner${id}@example.org`,
      state: 'active',
      balance,
      tariff,
      services: 1 + (index % 3),
      dayCap,
      spentToday: Math.round(calls * 40) / 100,
      calls,
      rang,
      risk,
      lastRequestAt: nowMs - 4_000 * (index + 1) ** 3,
    }),
  )
  const quiet = { services: 0, dayCap: null, spentToday: 0, calls: 0, rang: null, risk: low(0), tariff: 'Universal' }
  return [
    ...active,
    {
      ...quiet,
      id: 290,
      name: 'Book Club',
      email: 'books@example.org',
      state: 'blocked',
      balance: 0,
      lastRequestAt: nowMs - 6 * dayMs,
    },
  ]
}

export function customer(nowMs: number): WebOutput<'customer'> {
  const today = Math.floor(nowMs / dayMs) * dayMs
  const day = (ago: number) => new Date(today - ago * dayMs).toISOString().slice(0, 10)
  const days = Array.from({ length: 30 }, (_, index) => ({
    day: today - (29 - index) * dayMs,
    spent: 150 + ((index * 37) % 90),
  }))
  const charges = [0, 1, 2].map((ago) => ({
    day: day(ago),
    kind: 'charges' as const,
    change: -206.4 - ago,
    entries: 516 + ago,
    reference: null,
  }))
  return {
    id: 512,
    name: 'My shop',
    email: 'you@example.org',
    state: 'active',
    balance: 412.6,
    held: 3.2,
    daysLeft: 2,
    createdAt: nowMs - 258 * dayMs,
    tariff: 'uni',
    tariffs: [
      { code: 'uni', name: 'Universal' },
      { code: 'volume', name: 'Volume' },
    ],
    risk: { score: 10, level: 'low', signs: [{ kind: 'rarely-rings', value: 0.82, points: 10 }] },
    week: { calls: 14_211, succeeded: 13_402, rang: 0.961, spent: 1_442.4 },
    days,
    lines: [
      ...charges,
      { day: day(3), kind: 'credit', change: 5_000, entries: 1, reference: 'payment 2207' },
      { day: day(9), kind: 'debit', change: -12.4, entries: 1, reference: 'ticket 318: counted twice' },
    ],
    services: services(),
    lastRequestAt: nowMs - 4_000,
    members: [
      { email: 'you@example.org', name: 'Vera', role: 'owner', hasFactor: true, since: nowMs - 258 * dayMs },
      { email: 'dev@example.org', name: '', role: 'developer', hasFactor: false, since: nowMs - 30 * dayMs },
    ],
    actions: [
      {
        key: '91',
        at: nowMs - 3 * dayMs,
        action: 'account credited',
        who: 'night@example.org',
        details: '{"amount":"5000","entry":3605214872064,"reference":"payment 2207","reason":"Bank transfer"}',
      },
      {
        key: '88',
        at: nowMs - 4 * dayMs,
        action: 'signed in',
        who: 'you@example.org',
        details: '{"factor":"passkey"}',
      },
      { key: '70', at: nowMs - 200 * dayMs, action: 'account created', who: '', details: '{}' },
    ],
  }
}

function services(): WebOutput<'customer'>['services'] {
  const caps = { hourMax: '400', dayMax: 'none', spendDayMax: '500' }
  const none = { hourMax: 'none', dayMax: 'none', spendDayMax: 'none' }
  return [
    {
      id: 1024,
      name: 'Sign-in',
      isTest: false,
      state: 'on',
      caps,
      startedToday: 1_902,
      spentToday: 206,
      calls: 13_001,
      rang: 0.961,
    },
    {
      id: 1025,
      name: 'Sign-in, tests',
      isTest: true,
      state: 'on',
      caps: none,
      startedToday: 40,
      spentToday: 0,
      calls: 0,
      rang: null,
    },
    {
      id: 1003,
      name: 'Winter sale',
      isTest: false,
      state: 'archived',
      caps: none,
      startedToday: 0,
      spentToday: 0,
      calls: 0,
      rang: null,
    },
  ]
}

export function oddCustomer(nowMs: number): WebOutput<'customer'> {
  return { ...customer(nowMs), id: 533, name: 'Loan Express', risk: odd, daysLeft: 12, balance: 15_900, lines: [] }
}

export function blockedCustomer(nowMs: number): WebOutput<'customer'> {
  const { days, ...shown } = customer(nowMs)
  return {
    ...shown,
    state: 'blocked',
    name: 'Book Club',
    days: days.map(({ day }) => ({ day, spent: 0 })),
    week: { calls: 0, succeeded: 0, rang: null, spent: 0 },
    risk: low(0),
    lines: [],
    services: [],
    members: [],
    actions: [],
    held: 0,
    balance: 0,
    daysLeft: null,
    lastRequestAt: null,
  }
}
