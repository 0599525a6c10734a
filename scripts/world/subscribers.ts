// Subscribers, and how their phones behave when they are called. The last three digits of a number say it, as they do for the scripted
// carrier: scenario.ts in scripts/stack/carrier has the table.

import type { PhoneNumber } from '../../server/src/domain/numbers/phone-number.ts'
import { type Provider, type ProviderName, providerNames, providerShares, providers, type WorldMode } from './cast.ts'
import { type Draw, pick } from './random.ts'

export const areaCode = '7907'

// Phones that ring. The rest of the calls are refused as the provider does it.
const ringing: Readonly<Record<WorldMode, Readonly<Record<string, number>>>> = {
  flash: { 180: 850, 200: 40, 586: 30, 581: 8, 183: 10, 201: 4, 100: 4 },
  mix: { 180: 600, 200: 250, 586: 60, 581: 8, 183: 10, 100: 4 },
  voice: { 200: 760, 180: 70, 299: 45, 586: 50, 183: 10, 100: 4 },
  // Such a subscriber is never called.
  inbound: { 180: 1 },
}

const perThousand = 1_000
const portedEvery = 23

// The number of the nth person who comes in the time in which numbers do not repeat.
export function subscriberNumber(
  draw: Draw,
  visit: string,
  nth: number,
  mode: WorldMode,
  of?: ProviderName,
): PhoneNumber {
  const name = of ?? pick(providerShares, draw(visit, 'provider'))
  const provider = providers[name]
  const digit = provider.digits[Math.floor(draw(visit, 'digit') * provider.digits.length)] ?? 0
  const scenario = scenarioFor(draw, visit, provider, mode)
  return `${areaCode}${digit}${String(nth % 1_000).padStart(3, '0')}${scenario}` as PhoneNumber
}

function scenarioFor(draw: Draw, visit: string, { refusals }: Provider, mode: WorldMode): string {
  if (mode === 'inbound') return '180'
  const refused = Object.values(refusals).reduce((sum, count) => sum + count, 0)
  const isRefused = draw(visit, 'refused') * perThousand < refused
  return pick(isRefused ? refusals : ringing[mode], draw(visit, 'scenario'))
}

export function scenarioOf(phone: PhoneNumber): string {
  return phone.slice(-3)
}

// The provider whose range it is.
export function holderOf(phone: PhoneNumber): ProviderName {
  const digit = Number(phone[areaCode.length])
  return providerNames.find((name) => providers[name].digits.includes(digit)) ?? 'Polar'
}

// The provider that serves it: some numbers were ported.
export function providerOf(phone: PhoneNumber): ProviderName {
  const holder = holderOf(phone)
  return isPorted(Number(phone.slice(areaCode.length + 1, -3))) ? afterwards(holder) : holder
}

function isPorted(line: number): boolean {
  return line % portedEvery === portedEvery - 1
}

function afterwards(holder: ProviderName): ProviderName {
  return providerNames[(providerNames.indexOf(holder) + 1) % providerNames.length] ?? holder
}

// The registry of the ministry, as a file in its format. Every mobile code has a provider, so that any mobile number is known.
export function registryText(): string {
  const rows = Array.from({ length: 100 }, (_, nth) => {
    const code = 900 + nth
    if (`7${code}` === areaCode) {
      return providerNames.flatMap((name) => {
        const { digits } = providers[name]
        return row(code, Math.min(...digits) * 1_000_000, Math.max(...digits) * 1_000_000 + 999_999, providers[name])
      })
    }
    return row(code, 0, 9_999_999, providers[providerNames[nth % providerNames.length] ?? 'Polar'])
  })
  return `АВС/ DEF;От;До;Емкость;Оператор;Регион;Территория ГАР;ИНН\n${rows.flat().join('')}`
}

function row(code: number, first: number, last: number, { organisation, region, city, inn }: Provider): string {
  const [from, to] = [first, last].map((number) => String(number).padStart(7, '0'))
  return `${code};${from};${to};${last - first + 1};${organisation};${region};${city}|${region};${inn}\n`
}

// The list of ported numbers, as a file in its format.
export function portedText(): string {
  const lines = Array.from({ length: 1_000 }, (_, line) => line).filter(isPorted)
  const scenarios = [...new Set(Object.values(ringing).flatMap(Object.keys))]
  const refusals = providerNames.flatMap((name) => Object.keys(providers[name].refusals))
  const numbers = [...new Set([...scenarios, ...refusals])].flatMap((scenario) =>
    lines.flatMap((line) =>
      Array.from(
        { length: 10 },
        (_, digit) => `${areaCode.slice(1)}${digit}${String(line).padStart(3, '0')}${scenario}`,
      ),
    ),
  )
  const rows = numbers.toSorted().map((number, nth) => {
    const owner = `m${afterwards(holderOf(`7${number}` as PhoneNumber))}`
    return `${number},${owner},,D7799,77,2026-01-15T00:00:00+03:00,${nth === 0 ? numbers.length : ''}\n`
  })
  return `Number,OwnerId,MNC,Route,RegionCode,PortDate,RowCount\n${rows.join('')}`
}
