// Every screen of both audiences, in the order of the navigation. One table feeds the wall, the tabs, the palette, the keys and
// the routes.

import type { trafficKinds } from '@ringproof/contract/lists/requests.ts'
import {
  Activity,
  Bell,
  BookOpen,
  Cable,
  ChartColumn,
  CirclePlay,
  CircleUser,
  Database,
  Gauge,
  Grid3x3,
  Hash,
  KeyRound,
  List,
  type LucideIcon,
  Megaphone,
  PhoneCall,
  PhoneIncoming,
  Route,
  ScrollText,
  Server,
  ShieldAlert,
  Smartphone,
  Tags,
  Users,
  Wallet,
  Webhook,
} from 'lucide-react'
import type { ShellWords } from '../words/words.ts'

type PlaceName = keyof ShellWords['nav']
type Group = keyof ShellWords['shell']['groups']
export type Audience = 'dashboard' | 'console'
export type Traffic = (typeof trafficKinds)[number]

export type Place = {
  readonly name: PlaceName
  readonly audience: Audience
  readonly path: string
  readonly icon: LucideIcon
  readonly group?: Group
  // Pressed after `g`.
  readonly key?: string
  // Addresses that belong to it, if it has several.
  readonly section?: string
  // Below 861 px, beside "More".
  readonly isTab?: boolean
  // Where no calls are sold: found by its name only, or not at all.
  readonly withoutCustomers?: 'found' | 'absent'
}

const dashboard = [
  { name: 'start', path: 'start', icon: CirclePlay, key: 'a', isTab: true },
  { name: 'overview', path: 'overview', icon: Gauge, key: 'o', isTab: true },
  {
    name: 'verifications',
    path: 'verifications',
    section: 'verifications',
    icon: List,
    key: 'v',
    isTab: true,
  },
  {
    name: 'statistics',
    path: 'statistics',
    icon: ChartColumn,
    key: 's',
    isTab: true,
    withoutCustomers: 'found',
  },
  { name: 'phones', path: 'phones', icon: Smartphone, key: 'p', isTab: true },
  {
    name: 'services',
    path: 'services',
    section: 'services',
    icon: KeyRound,
    group: 'build',
    key: 'k',
  },
  { name: 'log', path: 'log', section: 'log', icon: ScrollText, group: 'build', key: 'l' },
  { name: 'webhooks', path: 'webhooks', icon: Webhook, group: 'build', key: 'w' },
  { name: 'numbers', path: 'numbers', icon: Hash, group: 'build', key: 'n', withoutCustomers: 'found' },
  { name: 'docs', path: '/docs', icon: BookOpen, group: 'build', key: 'd' },
  {
    name: 'balance',
    path: 'balance',
    icon: Wallet,
    group: 'account',
    key: 'b',
    withoutCustomers: 'absent',
  },
  {
    name: 'notices',
    path: 'notices',
    icon: Bell,
    group: 'account',
    key: 'i',
    withoutCustomers: 'found',
  },
  {
    name: 'account',
    path: 'account/security',
    section: 'account/',
    icon: CircleUser,
    group: 'account',
    key: 'u',
  },
] as const satisfies readonly Omit<Place, 'audience'>[]

const console = [
  { name: 'wallboard', path: 'wallboard', icon: Gauge, key: 'w', isTab: true },
  { name: 'calls', path: 'calls', section: 'calls', icon: PhoneCall, key: 'c', isTab: true },
  { name: 'deliverability', path: 'deliverability', icon: Activity, key: 'd' },
  {
    name: 'trunks',
    path: 'trunks',
    section: 'trunks',
    icon: Cable,
    group: 'network',
    key: 't',
    isTab: true,
  },
  { name: 'codes', path: 'codes', icon: Grid3x3, group: 'network', key: 'n' },
  { name: 'inbound', path: 'inbound', icon: PhoneIncoming, group: 'network', key: 'i' },
  {
    name: 'routing',
    path: 'routing',
    icon: Route,
    group: 'network',
    key: 'r',
    withoutCustomers: 'found',
  },
  {
    name: 'customers',
    path: 'customers',
    section: 'customers',
    icon: Users,
    group: 'business',
    key: 'u',
    isTab: true,
    withoutCustomers: 'absent',
  },
  {
    name: 'tariffs',
    path: 'tariffs',
    icon: Tags,
    group: 'business',
    key: 'p',
    withoutCustomers: 'absent',
  },
  { name: 'fraud', path: 'fraud', icon: ShieldAlert, group: 'business', key: 'f' },
  {
    name: 'registries',
    path: 'registries',
    icon: Database,
    group: 'system',
    key: 'e',
    withoutCustomers: 'found',
  },
  {
    name: 'deliveries',
    path: 'webhooks',
    icon: Webhook,
    group: 'system',
    key: 'h',
    withoutCustomers: 'found',
  },
  {
    name: 'system',
    path: 'system',
    section: 'system',
    icon: Server,
    group: 'system',
    key: 'y',
    isTab: true,
  },
  { name: 'audit', path: 'audit', icon: ScrollText, group: 'system', key: 'j' },
  {
    name: 'announcements',
    path: 'announcements',
    icon: Megaphone,
    group: 'system',
    key: 'm',
    withoutCustomers: 'found',
  },
] as const satisfies readonly Omit<Place, 'audience'>[]

const places: readonly Place[] = [
  ...dashboard.map((place): Place => ({ ...place, audience: 'dashboard' })),
  ...console.map((place): Place => ({ ...place, audience: 'console' })),
]

export function placesOf(audience: Audience, sells: boolean): readonly Place[] {
  return places.filter((place) => place.audience === audience && (sells || place.withoutCustomers !== 'absent'))
}

// Start gives way to the overview once its steps are done; the palette still finds it. Where a company has only its own users the menu
// is short enough to be read at a glance.
export function shownPlaces(audience: Audience, isStarted: boolean, sells: boolean): readonly Place[] {
  return placesOf(audience, sells).filter(
    ({ name, withoutCustomers }) =>
      !(isStarted && name === 'start') &&
      (sells || (withoutCustomers === undefined && (isStarted || name !== 'overview'))),
  )
}

// Statistics are read less often on a phone than the phones.
export function tabPlaces(audience: Audience, isStarted: boolean, sells: boolean): readonly Place[] {
  return shownPlaces(audience, isStarted, sells)
    .filter(({ name, isTab }) => isTab === true && (isStarted || name !== 'overview'))
    .toSorted((one, other) => Number(one.name === 'statistics') - Number(other.name === 'statistics'))
}

// Sandbox or live is part of the address, so a link never shows the wrong traffic.
export function addressOf({ audience, path }: Place, traffic: Traffic): string {
  if (path.startsWith('/')) return path
  if (audience === 'console') return `/console/${path}`
  return dashboardAddress(path, traffic)
}

// Whether the address is this place or a part of it.
export function isAt(place: Place, traffic: Traffic, pathname: string): boolean {
  const address = addressOf({ ...place, path: place.section ?? place.path }, traffic)
  return place.section === undefined ? pathname === address : pathname.startsWith(address)
}

export function dashboardAddress(path: string, traffic: Traffic): string {
  return traffic === 'test' ? `/dashboard/test/${path}` : `/dashboard/${path}`
}

export function trafficOf(pathname: string): Traffic {
  return /^\/dashboard\/test(\/|$)/.test(pathname) ? 'test' : 'live'
}

// The same screen with the other traffic.
export function withTraffic(pathname: string, traffic: Traffic): string {
  const path = pathname.replace(/^\/dashboard\/(test\/)?/, '')
  return dashboardAddress(path, traffic)
}
