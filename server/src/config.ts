// The only reader of the environment. Defaults live in config.default.env, which is also the manual; this file knows how
// each setting is read. Everything is checked at once, so that an operator mends all mistakes after one start, not one
// mistake a start.

import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { isAddressOrCidr } from './domain/client-address.ts'
import { type Slot, slotsAll } from './domain/slot.ts'
import { OperatorMistake } from './errors.ts'

export type Config = {
  readonly httpPort: number
  readonly httpAltPort: number | undefined
  readonly publicUrl: string
  readonly requestsPerSecond: number
  readonly trustedProxies: readonly string[]
  readonly slotUrls: ReadonlyMap<Slot, string>
  readonly slotOwnerUrls: ReadonlyMap<Slot, string> | undefined
  readonly natsUrls: readonly string[]
  readonly secretsDir: string
  readonly webhookAllow: readonly string[]
  readonly timeScale: number
}

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const { settings, mistakes } = collectSettings(environment)
  const read = <T>(name: SettingName, parse: (text: string) => T): T | undefined => {
    try {
      return parse(settings[name])
    } catch (error) {
      mistakes.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    }
  }
  const config = {
    httpPort: read('RINGPROOF_HTTP_PORT', port),
    httpAltPort: read('RINGPROOF_HTTP_ALT_PORT', optional(port)),
    publicUrl: read('RINGPROOF_PUBLIC_URL', url('http:', 'https:')),
    requestsPerSecond: read('RINGPROOF_REQUESTS_PER_SECOND', integer(1, 1_000_000)),
    trustedProxies: read('RINGPROOF_TRUSTED_PROXIES', list(addressOrCidr)),
    slotUrls: settings.RINGPROOF_SHARD_URLS
      ? read('RINGPROOF_SHARD_URLS', slotRanges)
      : read('RINGPROOF_DATABASE_URL', everySlot),
    slotOwnerUrls: settings.RINGPROOF_SHARD_OWNER_URLS
      ? read('RINGPROOF_SHARD_OWNER_URLS', slotRanges)
      : read('RINGPROOF_DATABASE_OWNER_URL', optional(everySlot)),
    natsUrls: read('RINGPROOF_NATS_URL', list(url('nats:', 'tls:'))),
    secretsDir: read('RINGPROOF_SECRETS_DIR', required),
    webhookAllow: read('RINGPROOF_WEBHOOK_ALLOW', list(addressOrCidr)),
    timeScale: read('RINGPROOF_TIME_SCALE', decimal(0.001, 1)),
  }
  if (mistakes.length > 0) throw new OperatorMistake(`The configuration has mistakes:\n  ${mistakes.join('\n  ')}`)
  return config as Config
}

// What `ringproof config print` shows: every setting in force, without what would open a door.
export function printableSettings(environment: NodeJS.ProcessEnv = process.env): ReadonlyMap<string, string> {
  const { settings, mistakes } = collectSettings(environment)
  if (mistakes.length > 0) throw new OperatorMistake(`The configuration has mistakes:\n  ${mistakes.join('\n  ')}`)
  return new Map(Object.entries(settings).map(([name, value]) => [name, hideCredentials(value)]))
}

const defaultsFile = new URL('../config.default.env', import.meta.url)

const settingNames = [
  'RINGPROOF_HTTP_PORT',
  'RINGPROOF_HTTP_ALT_PORT',
  'RINGPROOF_PUBLIC_URL',
  'RINGPROOF_REQUESTS_PER_SECOND',
  'RINGPROOF_TRUSTED_PROXIES',
  'RINGPROOF_DATABASE_URL',
  'RINGPROOF_DATABASE_OWNER_URL',
  'RINGPROOF_SHARD_URLS',
  'RINGPROOF_SHARD_OWNER_URLS',
  'RINGPROOF_NATS_URL',
  'RINGPROOF_SECRETS_DIR',
  'RINGPROOF_WEBHOOK_ALLOW',
  'RINGPROOF_TIME_SCALE',
] as const
type SettingName = (typeof settingNames)[number]
type Settings = Record<SettingName, string>

// Defaults, then the environment, then the files that the environment names.
function collectSettings(environment: NodeJS.ProcessEnv): { settings: Settings; mistakes: string[] } {
  const settings = parseEnv(readFileSync(defaultsFile, 'utf8')) as Settings
  const mistakes: string[] = []
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('RINGPROOF_') || value === undefined) continue
    if (isSettingName(name)) settings[name] = value.trim()
    else if (isSettingName(name.replace(/_FILE$/, ''))) continue
    else mistakes.push(`${name}: there is no such setting${didYouMean(name)}`)
  }
  for (const name of settingNames) {
    const path = environment[`${name}_FILE`]
    if (path === undefined || path === '') continue
    if (environment[name]) mistakes.push(`${name}: is set, and so is ${name}_FILE; keep one of them`)
    else settings[name] = readSettingFile(name, path, mistakes)
  }
  return { settings, mistakes }
}

function isSettingName(name: string): name is SettingName {
  return (settingNames as readonly string[]).includes(name)
}

function readSettingFile(name: string, path: string, mistakes: string[]): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    mistakes.push(`${name}_FILE: ${error instanceof Error ? error.message : String(error)}`)
    return ''
  }
}

function didYouMean(name: string): string {
  const wanted = name.replace(/_FILE$/, '')
  const [best] = settingNames
    .map((candidate) => ({ candidate, steps: editDistance(wanted, candidate) }))
    .toSorted((a, b) => a.steps - b.steps)
  return best && best.steps <= 4 ? `; did you mean ${best.candidate}?` : ''
}

// Levenshtein's distance, one row at a time.
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const above = row
    row = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(substitution, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
  }
  return row[b.length] ?? 0
}

// --- How a text becomes a value. Each throws a sentence without its subject; the subject is the setting's name. -----

function required(text: string): string {
  if (text === '') throw new Error('is required')
  return text
}

function optional<T>(parse: (text: string) => T): (text: string) => T | undefined {
  return (text) => (text === '' ? undefined : parse(text))
}

function list(parse: (text: string) => string): (text: string) => readonly string[] {
  return (text) => (text === '' ? [] : text.split(',').map((item) => parse(item.trim())))
}

function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    if (!/^\d+$/.test(text) || Number(text) < min || Number(text) > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`)
    }
    return Number(text)
  }
}

function decimal(min: number, max: number): (text: string) => number {
  return (text) => {
    if (!/^\d+(\.\d+)?$/.test(text) || Number(text) < min || Number(text) > max) {
      throw new Error(`must be a number from ${min} to ${max}`)
    }
    return Number(text)
  }
}

function port(text: string): number {
  return integer(1, 65_535)(text)
}

function url(...protocols: string[]): (text: string) => string {
  return (text) => {
    // The value may hold a password, so the sentence does not repeat it.
    if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
      throw new Error(`must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`)
    }
    return text
  }
}

function everySlot(text: string): ReadonlyMap<Slot, string> {
  const address = postgresUrl(required(text))
  return new Map(slotsAll.map((slot) => [slot, address]))
}

function slotRanges(text: string): ReadonlyMap<Slot, string> {
  const urls = new Map<Slot, string>()
  for (const part of text.split(/\s+/)) {
    const match = /^(\d{1,2})(?:-(\d{1,2}))?=(.+)$/.exec(part)
    if (!match) throw new Error('must read `first-last=postgres://…`, separated by spaces')
    const [, first = '', last = first, address = ''] = match
    for (const slot of slotsAll.slice(Number(first), Number(last) + 1)) {
      if (urls.has(slot)) throw new Error(`slot ${slot} is named twice`)
      urls.set(slot, postgresUrl(address))
    }
  }
  const missing = slotsAll.filter((slot) => !urls.has(slot))
  if (missing.length > 0) throw new Error(`slots without a database: ${missing.join(', ')}`)
  return urls
}

function postgresUrl(text: string): string {
  return url('postgres:', 'postgresql:')(text)
}

function addressOrCidr(text: string): string {
  if (!isAddressOrCidr(text)) throw new Error(`${text} is neither an address nor a CIDR`)
  return text
}

// A database's or NATS's address keeps its host and its user, and loses its password and its token.
function hideCredentials(value: string): string {
  return value.replaceAll(/(:\/\/)([^@\s/]*)@/g, (_, scheme: string, userinfo: string) => {
    const [user] = userinfo.includes(':') ? userinfo.split(':') : ['']
    return `${scheme}${user ? `${user}:` : ''}***@`
  })
}
