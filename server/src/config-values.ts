// How the text of a setting becomes a value. Each throws a sentence without its subject; the subject is the setting's name.

import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { isAddressOrCidr } from './domain/accounts/client-address.ts'
import { type NewServiceCaps, serviceSettings } from './domain/accounts/service.ts'
import { type Slot, slotCount, slotsAll } from './domain/slot.ts'
import { type Transport, transports } from './domain/trunks/trunk.ts'

export function required(text: string): string {
  if (text === '') throw new Error('is required')
  return text
}

export function optional<T>(parse: (text: string) => T): (text: string) => T | undefined {
  return (text) => (text === '' ? undefined : parse(text))
}

export function noneOr<T>(parse: (text: string) => T): (text: string) => T | undefined {
  return (text) => (text === 'none' ? undefined : parse(text))
}

export function list(parse: (text: string) => string): (text: string) => readonly string[] {
  return (text) => (text === '' ? [] : text.split(',').map((item) => parse(item.trim())))
}

export function readableFile(path: string): string {
  readFileSync(path)
  return path
}

export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    if (!/^\d+$/.test(text) || Number(text) < min || Number(text) > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`)
    }
    return Number(text)
  }
}

export function decimal(min: number, max: number): (text: string) => number {
  return (text) => {
    if (!/^\d+(\.\d+)?$/.test(text) || Number(text) < min || Number(text) > max) {
      throw new Error(`must be a number from ${min} to ${max}`)
    }
    return Number(text)
  }
}

export function port(text: string): number {
  return integer(1, 65_535)(text)
}

// The text, as `ringproof services set` takes it.
export function serviceSetting(name: keyof NewServiceCaps): (text: string) => string {
  return (text) => {
    if (serviceSettings[name].parse(text) === undefined) throw new Error(`must be ${serviceSettings[name].hint}`)
    return text
  }
}

export function portRange(text: string): { readonly first: number; readonly last: number } {
  const [, first = '', last = ''] = /^(\d+)-(\d+)$/.exec(text) ?? []
  if (first === '' || port(first) >= port(last)) throw new Error('must be two ports, such as 20000-29999')
  return { first: Number(first), last: Number(last) }
}

export function url(...protocols: string[]): (text: string) => string {
  return (text) => {
    // The value may hold a password, so the sentence does not repeat it.
    if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
      throw new Error(`must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`)
    }
    return text
  }
}

export function everySlot(text: string): ReadonlyMap<Slot, string> {
  const address = postgresUrl(required(text))
  return new Map(slotsAll.map((slot) => [slot, address]))
}

export function slotRanges(text: string): ReadonlyMap<Slot, string> {
  const urls = new Map<Slot, string>()
  for (const part of text.split(/\s+/)) {
    const match = /^(\d{1,9})(?:-(\d{1,9}))?=(.+)$/.exec(part)
    if (!match) throw new Error('must read `first-last=postgres://…`, separated by spaces')
    const [, first = '', last = first, address = ''] = match
    const databaseUrl = postgresUrl(address)
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

function postgresUrl(text: string): string {
  return url('postgres:', 'postgresql:')(text)
}

export function oneOf<T extends string>(...words: readonly T[]): (text: string) => T {
  return (text) => {
    const word = words.find((known) => known === text)
    if (word === undefined) throw new Error(`must be one of: ${words.join(', ')}`)
    return word
  }
}

export function someTransports(text: string): readonly Transport[] {
  const words = new Set(text.split(',').map((word) => oneOf(...transports)(word.trim())))
  return transports.filter((transport) => words.has(transport))
}

export function subjectWord(text: string): string {
  if (!/^[a-z0-9_-]{1,32}$/.test(text)) throw new Error('must be 1 to 32 of a-z, 0-9, _ and -')
  return text
}

export function hostAddress(text: string): string {
  if (isIP(text) === 0) throw new Error('must be an address, such as 127.0.0.1 or ::')
  return text
}

export function addressOrCidr(text: string): string {
  if (!isAddressOrCidr(text)) throw new Error(`${text} is neither an address nor a network, such as 10.0.0.0/8`)
  return text
}
