// How the text of a setting becomes a value. A reader throws a sentence without a subject; the subject is the setting's name.

import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { sipTransports } from '@ringproof/contract/lists/trunks.ts'
import { isAddressOrCidr } from '../../domain/accounts/client-address.ts'
import { type NewServiceCaps, serviceSettings } from '../../domain/accounts/service.ts'
import { eachHost } from '../../domain/core/database-address.ts'
import { type Slot, slotCount, slotsAll } from '../../domain/core/slot.ts'
import type { Transport } from '../../domain/trunks/trunk.ts'
import { decimal, integer, oneOf, type Parser, textThat } from '../../domain/values/parsers.ts'

// The texts of all settings by name, for a value that depends on another setting.
type SettingTexts = Readonly<Record<string, string>>
export type Reader<T> = (text: string, texts: SettingTexts) => T

export function must<T>({ expects, parse }: Parser<T>): Reader<T> {
  return (text) => {
    const value = parse(text)
    if (value === undefined) throw new Error(`must be ${expects}`)
    return value
  }
}

export const anyText: Reader<string> = (text) => text

export const required: Reader<string> = (text) => {
  if (text === '') throw new Error('is required')
  return text
}

export function requiredIf(name: string, value: string): Reader<string> {
  return (text, texts) => (texts[name] === value ? required(text, texts) : text)
}

export function optional<T>(read: Reader<T>): Reader<T | undefined> {
  return (text, texts) => (text === '' ? undefined : read(text, texts))
}

// Optional while the other setting has a value.
export function unlessSet<T>(name: string, read: Reader<T>): Reader<T | undefined> {
  return (text, texts) => (texts[name] === '' ? read : optional(read))(text, texts)
}

export function noneOr<T>(read: Reader<T>): Reader<T | undefined> {
  return (text, texts) => (text === 'none' ? undefined : read(text, texts))
}

export function list<T>(read: Reader<T>): Reader<readonly T[]> {
  return (text, texts) => (text === '' ? [] : text.split(',').map((item) => read(item.trim(), texts)))
}

export const wholeNumber = (min: number, max: number): Reader<number> => must(integer(min, max))
export const decimalNumber = (min: number, max: number): Reader<number> => must(decimal(min, max))
export const word = <T extends string>(...words: readonly T[]): Reader<T> => must(oneOf(...words))
export const port: Reader<number> = wholeNumber(1, 65_535)

export const readableFile: Reader<string> = (path) => {
  readFileSync(path)
  return path
}

// The text, as `ringproof services set` takes it.
export function serviceSetting(name: keyof NewServiceCaps): Reader<string> {
  const { parse, hint } = serviceSettings[name]
  return must(textThat((text) => parse(text) !== undefined, hint))
}

export const portRange: Reader<{ readonly first: number; readonly last: number }> = (text, texts) => {
  const [, first = '', last = ''] = /^(\d+)-(\d+)$/.exec(text) ?? []
  if (first === '' || port(first, texts) >= port(last, texts)) throw new Error('must be two ports, such as 20000-29999')
  return { first: Number(first), last: Number(last) }
}

// The value may hold a password, so the sentence does not repeat it.
export function url(...protocols: readonly string[]): Reader<string> {
  const expects = `a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`
  return must(textThat((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), expects))
}

// With several hosts, the one that is the primary is used.
const postgresUrl: Reader<string> = (text, texts) => {
  for (const one of eachHost(text)) url('postgres:', 'postgresql:')(one, texts)
  return text
}

export const everySlot: Reader<ReadonlyMap<Slot, string>> = (text, texts) => {
  const address = postgresUrl(required(text, texts), texts)
  return new Map(slotsAll.map((slot) => [slot, address]))
}

// A database without slots is kept under a number above them: it is migrated and watched like the others.
export const slotRanges: Reader<ReadonlyMap<Slot, string>> = (text, texts) => {
  const urls = new Map<Slot, string>()
  for (const part of text.split(/\s+/)) {
    if (part.startsWith('spare=')) {
      const spares = [...urls.keys()].filter((slot) => slot >= slotCount)
      urls.set((slotCount + spares.length) as Slot, postgresUrl(part.slice('spare='.length), texts))
      continue
    }
    const match = /^(\d{1,9})(?:-(\d{1,9}))?=(.+)$/.exec(part)
    if (!match) throw new Error('must read `first-last=postgres://…`, separated by spaces')
    const [, first = '', last = first, address = ''] = match
    const databaseUrl = postgresUrl(address, texts)
    if (Number(first) > Number(last) || Number(last) >= slotCount) {
      throw new Error(
        `${first}-${last} is not a range of slots; they go from 0 to 63, the lowest of a range comes first`,
      )
    }
    for (const slot of slotsAll.slice(Number(first), Number(last) + 1)) {
      if (urls.has(slot)) throw new Error(`slot ${slot} is named twice`)
      urls.set(slot, databaseUrl)
    }
  }
  const missing = slotsAll.filter((slot) => !urls.has(slot))
  if (missing.length > 0) throw new Error(`slots without a database: ${missing.join(', ')}`)
  return urls
}

export const someTransports: Reader<readonly Transport[]> = (text, texts) => {
  const chosen = new Set(text.split(',').map((one) => word(...sipTransports)(one.trim(), texts)))
  return sipTransports.filter((transport) => chosen.has(transport))
}

export const subjectWord: Reader<string> = must(
  textThat((text) => /^[a-z0-9_-]{1,32}$/.test(text), '1 to 32 of a-z, 0-9, _ and -'),
)

export const stanzaName: Reader<string> = must(
  textThat((text) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text), 'the name of a pgBackRest stanza'),
)

export const hostAddress: Reader<string> = must(
  textThat((text) => isIP(text) !== 0, 'an address, such as 127.0.0.1 or ::'),
)

export const currencyCode: Reader<string> = must(
  textThat((text) => Intl.supportedValuesOf('currency').includes(text), 'the ISO 4217 code of a currency, in capitals'),
)

// One of a list, so the sentence names it.
export const addressOrCidr: Reader<string> = (text) => {
  if (!isAddressOrCidr(text)) throw new Error(`${text} is neither an address nor a network, such as 10.0.0.0/8`)
  return text
}
