// Providers by their common names. The registry lists organisations, joined by taxpayer number; the lists of ported numbers
// use other short names and network codes. A provider in none of these tables gets its organisation's name without the
// legal form.

import type { PortedNumber, RegistryRange } from './numbering-index.ts'

type Provider = { readonly name: string; readonly mnc: number | undefined }

export function providerOfRange({ organisation, inn }: RegistryRange): Provider {
  const known = byTaxpayer.get(inn)
  return known === undefined ? { name: bareName(organisation), mnc: undefined } : asProvider(known)
}

export function providerOfPorted({ owner, mnc }: PortedNumber): Provider {
  // The network code belongs to the network that carries the number, which may be another provider's, so it is not used.
  const name = portedNames.get(owner) ?? owner.replace(/^m(?=[A-Z])/, '')
  return { name, mnc: /^\d{1,3}$/.test(mnc) ? Number(mnc) : undefined }
}

// By the three digits after +7. Numbers are ported in Kazakhstan too, but no public list exists: this is the provider the
// prefix was assigned to.
export function kazakhProvider(prefix: string): Provider | undefined {
  return kazakhPrefixes.get(prefix)
}

type Known = { readonly name: string; readonly mnc: number; readonly inn: string }

const russian: readonly Known[] = [
  { name: 'МТС', mnc: 1, inn: '7740000076' },
  { name: 'МегаФон', mnc: 2, inn: '7812014560' },
  { name: 'Вайнах Телеком', mnc: 8, inn: '2005503932' },
  { name: 'Yota', mnc: 11, inn: '7701725181' },
  { name: 'Миател', mnc: 16, inn: '7841482919' },
  { name: 't2', mnc: 20, inn: '7743895280' },
  { name: 'ВТБ Мобайл', mnc: 26, inn: '9705121882' },
  { name: 'Летай', mnc: 27, inn: '1655327859' },
  { name: 'Win mobile', mnc: 32, inn: '2308210371' },
  { name: 'МОТИВ', mnc: 35, inn: '6661079603' },
  { name: 'Ростелеком', mnc: 39, inn: '7707049388' },
  { name: 'МТТ', mnc: 42, inn: '7705017253' },
  { name: 'Газпромбанк Мобайл', mnc: 45, inn: '7727443720' },
  { name: 'СберМобайл', mnc: 50, inn: '7736264044' },
  { name: 'Волна мобайл', mnc: 60, inn: '7718999159' },
  { name: 'Т-Мобайл', mnc: 62, inn: '7743200179' },
  { name: 'Феникс', mnc: 97, inn: '9308013351' },
  { name: 'Билайн', mnc: 99, inn: '7713076301' },
]
const byTaxpayer = new Map(russian.map((known) => [known.inn, known]))

const portedNames = new Map([
  ['mMTS', 'МТС'],
  ['mMEGAFON', 'МегаФон'],
  ['mBEELINE', 'Билайн'],
  ['mTELE2', 't2'],
  ['mMTT', 'МТТ'],
])

const kazakhPrefixes: ReadonlyMap<string, Provider> = new Map(
  [
    { name: 'Beeline', mnc: 1, prefixes: ['705', '706', '771', '776', '777'] },
    { name: 'Kcell', mnc: 2, prefixes: ['701', '702', '775', '778'] },
    { name: 'Altel', mnc: 7, prefixes: ['700', '708'] },
    { name: 'Tele2', mnc: 77, prefixes: ['707', '747'] },
  ].flatMap(({ name, mnc, prefixes }) => prefixes.map((prefix) => [prefix, { name, mnc }] as const)),
)

function asProvider({ name, mnc }: Known): Provider {
  return { name, mnc }
}

// ПАО "Ростелеком" → Ростелеком. The name is inside the outermost quotes; without quotes it is the whole text.
function bareName(organisation: string): string {
  const [first, last] = [
    organisation.search(/["«]/u),
    Math.max(...['"', '»'].map((quote) => organisation.lastIndexOf(quote))),
  ]
  const quoted = first >= 0 && last > first + 1 ? organisation.slice(first + 1, last) : organisation
  return quoted.replace(/["«»]/gu, '').trim()
}
