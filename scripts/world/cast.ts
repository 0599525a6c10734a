// Who takes part in the world: providers of subscribers, trunks, and customers with what is peculiar about each. All numbers are of
// ranges that nobody has: area code 907 in Russia is unassigned, and no numbering plan assigns +7 000.

import type { CallMode } from '@ringproof/contract/methods.ts'

export type ProviderName = 'Polar' | 'Volga' | 'Amber' | 'Cedar'

export type Provider = {
  // Of all subscribers.
  readonly share: number
  // What the numbers of its subscribers begin with, after 7907.
  readonly digits: readonly number[]
  readonly organisation: string
  readonly inn: string
  readonly region: string
  readonly city: string
  // The median.
  readonly postDialMs: number
  // Of a thousand calls, so many are refused at once with this status.
  readonly refusals: Readonly<Record<string, number>>
}

export const providers: Readonly<Record<ProviderName, Provider>> = {
  Polar: {
    share: 0.34,
    digits: [0, 1, 2],
    organisation: 'ПАО "Polar"',
    inn: '0000000011',
    region: 'Северный край',
    city: 'г. Полярный',
    postDialMs: 1_400,
    refusals: { 480: 35, 486: 18, 404: 8, 503: 4 },
  },
  Volga: {
    share: 0.28,
    digits: [3, 4, 5],
    organisation: 'ПАО "Volga"',
    inn: '0000000012',
    region: 'Речная область',
    city: 'г. Речной',
    postDialMs: 1_900,
    refusals: { 480: 48, 486: 20, 404: 12, 503: 6 },
  },
  Amber: {
    share: 0.22,
    digits: [6, 7],
    organisation: 'АО "Amber"',
    inn: '0000000013',
    region: 'Янтарный край',
    city: 'г. Янтарный',
    postDialMs: 2_600,
    refusals: { 480: 40, 486: 25, 404: 10, 603: 12 },
  },
  Cedar: {
    share: 0.16,
    digits: [8, 9],
    organisation: 'ООО "Cedar"',
    inn: '0000000014',
    region: 'Кедровая область',
    city: 'г. Кедровый',
    postDialMs: 3_400,
    refusals: { 480: 75, 486: 22, 404: 20, 500: 8 },
  },
}

export const providerNames = Object.keys(providers) as readonly ProviderName[]

export const providerShares = sharesOf(providers)

export type TrunkName = 'north' | 'south' | 'east'

type WorldTrunk = {
  readonly priority: number
  readonly channels: number
  readonly callsPerSecond: number
  // It owns one caller number for each of these codes: the code is their end.
  readonly callerBase: number
  readonly codes: readonly [first: number, last: number]
  // What its carrier takes for a call, in micro-units.
  readonly costs: Readonly<Record<CallMode, number>>
  readonly confirmationFirst: number
}

export const trunks: Readonly<Record<TrunkName, WorldTrunk>> = {
  north: {
    priority: 10,
    channels: 120,
    callsPerSecond: 30,
    callerBase: 70_000_000_000,
    codes: [1, 5_999],
    costs: { flash: 110_000, voice: 620_000, mix: 700_000 },
    confirmationFirst: 70_000_010_001,
  },
  south: {
    priority: 20,
    channels: 60,
    callsPerSecond: 20,
    callerBase: 70_000_030_000,
    codes: [3_000, 8_999],
    costs: { flash: 150_000, voice: 700_000, mix: 820_000 },
    confirmationFirst: 70_000_015_001,
  },
  east: {
    priority: 30,
    channels: 30,
    callsPerSecond: 10,
    callerBase: 70_000_040_000,
    codes: [7_000, 9_999],
    costs: { flash: 90_000, voice: 540_000, mix: 610_000 },
    confirmationFirst: 70_000_018_001,
  },
}

export const trunkNames = Object.keys(trunks) as readonly TrunkName[]

export const confirmationNumbersPerTrunk = 20

// In micro-units.
export const prices: Readonly<Record<CallMode | 'inbound', number>> = {
  flash: 400_000,
  voice: 1_200_000,
  mix: 1_500_000,
  inbound: 300_000,
}

export type CustomerName = 'shop' | 'bank' | 'delivery' | 'gym' | 'forum' | 'newcomer'

export type WorldMode = CallMode | 'inbound'

type Customer = {
  readonly title: string
  readonly email: string
  readonly service: string
  // People who are verified, on an average day.
  readonly visitsPerDay: number
  // How busy each hour of the day is, by local time.
  readonly hours: readonly number[]
  readonly modes: Readonly<Partial<Record<WorldMode, number>>>
  // What it calls a person.
  readonly client: 'user' | 'order' | 'none'
  // Whether it sends an idempotency key.
  readonly isCareful: boolean
  readonly prefixHourMax: number | null
  readonly program: string
  readonly address: string
  // A payment comes when less than a third of it is left.
  readonly payment: number
  // Days after the beginning.
  readonly sinceDay: number
  readonly receiver: string
}

const byDay = [1, 1, 1, 1, 1, 1, 2, 4, 7, 9, 10, 11, 12, 12, 11, 11, 11, 12, 13, 14, 13, 10, 6, 3]
const byOffice = [1, 1, 1, 1, 1, 1, 1, 3, 9, 14, 15, 14, 11, 13, 14, 14, 13, 10, 6, 4, 3, 3, 2, 1]
const byEvening = [3, 1, 1, 1, 1, 1, 1, 2, 3, 4, 6, 9, 13, 11, 7, 6, 7, 10, 15, 18, 17, 14, 10, 6]
const byNight = [12, 9, 6, 4, 3, 2, 2, 3, 4, 5, 6, 7, 8, 8, 8, 9, 9, 10, 11, 12, 14, 15, 16, 15]

export const customers: Readonly<Record<CustomerName, Customer>> = {
  shop: {
    title: 'My shop',
    email: 'you@example.org',
    service: 'My shop',
    visitsPerDay: 380,
    hours: byDay,
    modes: { flash: 0.78, voice: 0.1, inbound: 0.12 },
    client: 'user',
    isCareful: false,
    prefixHourMax: null,
    program: 'axios/1.7.2',
    address: '203.0.113.10',
    payment: 1_800_000_000,
    sinceDay: 0,
    receiver: 'https://hooks.shop.example/ring',
  },
  bank: {
    title: 'Meridian Bank',
    email: 'it@bank.example',
    service: 'Sign-in',
    visitsPerDay: 210,
    hours: byOffice,
    modes: { flash: 0.4, voice: 0.35, mix: 0.25 },
    client: 'user',
    isCareful: true,
    prefixHourMax: null,
    program: 'okhttp/4.12.0',
    address: '198.51.100.20',
    payment: 2_500_000_000,
    sinceDay: 0,
    receiver: 'https://hooks.bank.example/ring',
  },
  delivery: {
    title: 'Quick Basket',
    email: 'dev@delivery.example',
    service: 'App',
    visitsPerDay: 330,
    hours: byEvening,
    modes: { flash: 0.92, voice: 0.08 },
    client: 'order',
    isCareful: true,
    prefixHourMax: null,
    program: 'python-requests/2.32.3',
    address: '203.0.113.77',
    payment: 1_000_000_000,
    sinceDay: 0,
    receiver: 'https://hooks.delivery.example/ring',
  },
  gym: {
    title: 'Iron Gym',
    email: 'desk@gym.example',
    service: 'Door',
    visitsPerDay: 46,
    hours: byEvening,
    modes: { inbound: 1 },
    client: 'none',
    isCareful: false,
    prefixHourMax: null,
    program: 'PHP/8.3',
    address: '192.0.2.15',
    payment: 150_000_000,
    sinceDay: 0,
    receiver: 'https://door.gym.example/hook.php',
  },
  forum: {
    title: 'Motor Talk',
    email: 'admin@forum.example',
    service: 'Registration',
    visitsPerDay: 90,
    hours: byNight,
    modes: { flash: 1 },
    client: 'none',
    isCareful: false,
    prefixHourMax: 20,
    program: 'GuzzleHttp/7.9.2',
    address: '192.0.2.200',
    payment: 300_000_000,
    sinceDay: 0,
    receiver: 'https://forum.example/ring',
  },
  newcomer: {
    title: 'Fresh Start',
    email: 'hello@fresh.example',
    service: 'First try',
    visitsPerDay: 9,
    hours: byOffice,
    modes: { flash: 1 },
    client: 'user',
    isCareful: false,
    prefixHourMax: null,
    program: 'node/24.1.0',
    address: '198.51.100.99',
    payment: 50_000_000,
    sinceDay: 12,
    receiver: 'https://fresh.example/ring',
  },
}

export const customerNames = Object.keys(customers) as readonly CustomerName[]

function sharesOf<Name extends string>(
  named: Readonly<Record<Name, { readonly share: number }>>,
): Record<Name, number> {
  const entries = Object.entries(named) as [Name, { readonly share: number }][]
  return Object.fromEntries(entries.map(([name, { share }]) => [name, share])) as Record<Name, number>
}
