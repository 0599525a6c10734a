// The only reader of the environment. Defaults live in config.default.env, which is also the manual; this file knows how
// each setting is read. Everything is checked at once, so that an operator mends all mistakes after one start, not one
// mistake a start.

import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { connectionMistakes, plainConnections } from './config-connections.ts'
import {
  addressOrCidr,
  decimal,
  everySlot,
  hostAddress,
  integer,
  list,
  noneOr,
  oneOf,
  optional,
  port,
  portRange,
  readableFile,
  required,
  serviceSetting,
  slotRanges,
  someTransports,
  subjectWord,
  url,
} from './config-values.ts'
import type { NewServiceCaps } from './domain/accounts/service.ts'
import { isSameDatabase } from './domain/database-address.ts'
import { type Slot, slotsAll } from './domain/slot.ts'
import type { Transport } from './domain/trunks/trunk.ts'
import { UsageError } from './errors.ts'
import { printedForms } from './printed-settings.ts'

export type Config = {
  readonly httpHost: string
  readonly httpPort: number
  readonly httpAltPort: number | undefined
  readonly metricsHost: string
  readonly metricsPort: number | undefined
  readonly publicUrl: string
  readonly requestsPerSecond: number
  readonly trustedProxies: readonly string[]
  readonly newServiceCaps: NewServiceCaps
  readonly prefixHourMax: number | undefined
  readonly slotUrls: ReadonlyMap<Slot, string>
  readonly slotOwnerUrls: ReadonlyMap<Slot, string> | undefined
  readonly verificationDays: number
  readonly ledgerDays: number
  readonly natsUrls: readonly string[]
  readonly natsCaFile: string | undefined
  readonly natsCredsFile: string | undefined
  readonly natsPrefix: string
  readonly switch: 'fake' | 'asterisk' | undefined
  readonly flashRingSeconds: number
  readonly numberingDir: string
  readonly node: string
  readonly nodeCallsPerSecond: number
  readonly ariUrl: string
  readonly ariUser: string
  readonly ariPassword: string
  readonly ariCaFile: string | undefined
  readonly ariCertFile: string | undefined
  readonly ariKeyFile: string | undefined
  readonly sipHost: string
  readonly sipPort: number
  readonly sipTlsPort: number
  readonly sipTransports: readonly Transport[]
  readonly hepPort: number
  readonly sipPublicAddress: string | undefined
  readonly sipLocalNetworks: readonly string[]
  readonly sipCaFile: string | undefined
  readonly rtpPorts: { readonly first: number; readonly last: number }
  readonly kazakhPromptsDir: string | undefined
  readonly secretsDir: string
  readonly webhookAllow: readonly string[]
  readonly timeScale: number
}

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const { settings, mistakes } = collectSettings(environment)
  const read: Read = (name, parse) => {
    try {
      return parse(settings[name])
    } catch (error) {
      mistakes.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    }
  }
  const config = {
    httpHost: read('RINGPROOF_HTTP_HOST', hostAddress),
    httpPort: read('RINGPROOF_HTTP_PORT', port),
    httpAltPort: read('RINGPROOF_HTTP_ALT_PORT', optional(port)),
    metricsHost: read('RINGPROOF_METRICS_HOST', hostAddress),
    metricsPort: read('RINGPROOF_METRICS_PORT', optional(port)),
    publicUrl: read('RINGPROOF_PUBLIC_URL', url('http:', 'https:')),
    requestsPerSecond: read('RINGPROOF_REQUESTS_PER_SECOND', integer(1, 1_000_000)),
    trustedProxies: read('RINGPROOF_TRUSTED_PROXIES', list(addressOrCidr)),
    newServiceCaps: readNewServiceCaps(read),
    prefixHourMax: read('RINGPROOF_PREFIX_HOUR_MAX', noneOr(integer(1, 1_000_000_000))),
    ...readDatabases(settings, read, mistakes),
    verificationDays: read('RINGPROOF_VERIFICATION_DAYS', integer(7, 3650)),
    ledgerDays: read('RINGPROOF_LEDGER_DAYS', integer(7, 3650)),
    natsPrefix: read('RINGPROOF_NATS_PREFIX', subjectWord),
    natsUrls: read('RINGPROOF_NATS_URL', list(url('nats:', 'tls:'))),
    natsCaFile: read('RINGPROOF_NATS_CA_FILE', optional(readableFile)),
    natsCredsFile: read('RINGPROOF_NATS_CREDS_FILE', optional(readableFile)),
    switch: read('RINGPROOF_SWITCH', optional(oneOf('fake', 'asterisk'))),
    flashRingSeconds: read('RINGPROOF_FLASH_RING_SECONDS', integer(1, 20)),
    numberingDir: read('RINGPROOF_NUMBERING_DIR', (text) => text),
    ...readTelephony(settings, read),
    secretsDir: read('RINGPROOF_SECRETS_DIR', required),
    webhookAllow: read('RINGPROOF_WEBHOOK_ALLOW', list(addressOrCidr)),
    timeScale: read('RINGPROOF_TIME_SCALE', decimal(0.001, 1)),
  }
  read('RINGPROOF_PLAIN_CONNECTIONS', list(oneOf(...plainConnections)))
  mistakes.push(...connectionMistakes(settings))
  if (mistakes.length > 0) throw new UsageError(`The configuration has mistakes:\n  ${mistakes.join('\n  ')}`)
  return config as Config
}

// What `ringproof config print` shows: every setting in force, without what would open a door.
export function printableSettings(environment: NodeJS.ProcessEnv = process.env): ReadonlyMap<string, string> {
  const { settings, mistakes } = collectSettings(environment)
  if (mistakes.length > 0) throw new UsageError(`The configuration has mistakes:\n  ${mistakes.join('\n  ')}`)
  return new Map(settingNames.map((name) => [name, printedForms[name]?.(settings[name]) ?? settings[name]]))
}

const defaultsFile = new URL('../config.default.env', import.meta.url)

const settingNames = [
  'RINGPROOF_HTTP_HOST',
  'RINGPROOF_HTTP_PORT',
  'RINGPROOF_HTTP_ALT_PORT',
  'RINGPROOF_METRICS_HOST',
  'RINGPROOF_METRICS_PORT',
  'RINGPROOF_PUBLIC_URL',
  'RINGPROOF_REQUESTS_PER_SECOND',
  'RINGPROOF_TRUSTED_PROXIES',
  'RINGPROOF_SERVICE_VERIFICATIONS_HOUR_MAX',
  'RINGPROOF_SERVICE_VERIFICATIONS_DAY_MAX',
  'RINGPROOF_SERVICE_ROUBLES_DAY_MAX',
  'RINGPROOF_SERVICE_PREFIX_HOUR_MAX',
  'RINGPROOF_PREFIX_HOUR_MAX',
  'RINGPROOF_DATABASE_URL',
  'RINGPROOF_DATABASE_OWNER_URL',
  'RINGPROOF_SHARD_URLS',
  'RINGPROOF_SHARD_OWNER_URLS',
  'RINGPROOF_DATABASE_CA_FILE',
  'RINGPROOF_VERIFICATION_DAYS',
  'RINGPROOF_LEDGER_DAYS',
  'RINGPROOF_NATS_URL',
  'RINGPROOF_NATS_CA_FILE',
  'RINGPROOF_NATS_CREDS_FILE',
  'RINGPROOF_NATS_PREFIX',
  'RINGPROOF_SWITCH',
  'RINGPROOF_FLASH_RING_SECONDS',
  'RINGPROOF_NUMBERING_DIR',
  'RINGPROOF_NODE',
  'RINGPROOF_NODE_CALLS_PER_SECOND',
  'RINGPROOF_ARI_URL',
  'RINGPROOF_ARI_USER',
  'RINGPROOF_ARI_PASSWORD',
  'RINGPROOF_ARI_CA_FILE',
  'RINGPROOF_ARI_CERT_FILE',
  'RINGPROOF_HEP_PORT',
  'RINGPROOF_SIP_TRANSPORTS',
  'RINGPROOF_ARI_KEY_FILE',
  'RINGPROOF_SIP_HOST',
  'RINGPROOF_SIP_PORT',
  'RINGPROOF_SIP_TLS_PORT',
  'RINGPROOF_SIP_PUBLIC_ADDRESS',
  'RINGPROOF_SIP_LOCAL_NETWORKS',
  'RINGPROOF_SIP_CA_FILE',
  'RINGPROOF_RTP_PORTS',
  'RINGPROOF_KAZAKH_PROMPTS_DIR',
  'RINGPROOF_PLAIN_CONNECTIONS',
  'RINGPROOF_SECRETS_DIR',
  'RINGPROOF_WEBHOOK_ALLOW',
  'RINGPROOF_TIME_SCALE',
] as const
type SettingName = (typeof settingNames)[number]
type Settings = Record<SettingName, string>
type Read = <T>(name: SettingName, parse: (text: string) => T) => T | undefined

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

function readNewServiceCaps(read: Read) {
  return {
    'verifications-hour-max': read(
      'RINGPROOF_SERVICE_VERIFICATIONS_HOUR_MAX',
      serviceSetting('verifications-hour-max'),
    ),
    'verifications-day-max': read('RINGPROOF_SERVICE_VERIFICATIONS_DAY_MAX', serviceSetting('verifications-day-max')),
    'prefix-hour-max': read('RINGPROOF_SERVICE_PREFIX_HOUR_MAX', serviceSetting('prefix-hour-max')),
    'roubles-day-max': read('RINGPROOF_SERVICE_ROUBLES_DAY_MAX', serviceSetting('roubles-day-max')),
  }
}

function readTelephony(settings: Settings, read: Read) {
  const isAsterisk = settings.RINGPROOF_SWITCH === 'asterisk'
  return {
    node: read('RINGPROOF_NODE', subjectWord),
    nodeCallsPerSecond: read('RINGPROOF_NODE_CALLS_PER_SECOND', integer(1, 1_000)),
    ariUrl: read('RINGPROOF_ARI_URL', url('http:', 'https:')),
    ariUser: read('RINGPROOF_ARI_USER', subjectWord),
    ariPassword: read('RINGPROOF_ARI_PASSWORD', isAsterisk ? required : String),
    ariCaFile: read('RINGPROOF_ARI_CA_FILE', optional(readableFile)),
    ariCertFile: read('RINGPROOF_ARI_CERT_FILE', optional(String)),
    ariKeyFile: read('RINGPROOF_ARI_KEY_FILE', optional(String)),
    sipHost: read('RINGPROOF_SIP_HOST', hostAddress),
    sipPort: read('RINGPROOF_SIP_PORT', port),
    sipTlsPort: read('RINGPROOF_SIP_TLS_PORT', port),
    sipTransports: read('RINGPROOF_SIP_TRANSPORTS', someTransports),
    hepPort: read('RINGPROOF_HEP_PORT', port),
    sipPublicAddress: read('RINGPROOF_SIP_PUBLIC_ADDRESS', optional(hostAddress)),
    sipLocalNetworks: read('RINGPROOF_SIP_LOCAL_NETWORKS', list(addressOrCidr)),
    sipCaFile: read('RINGPROOF_SIP_CA_FILE', optional(String)),
    rtpPorts: read('RINGPROOF_RTP_PORTS', portRange),
    kazakhPromptsDir: read('RINGPROOF_KAZAKH_PROMPTS_DIR', optional(String)),
  }
}

// Whatever is given is read, also where another setting goes before it. Migrations must reach the very databases that the
// application works on: with one of them forgotten, they would report success all the same.
function readDatabases(
  settings: Settings,
  read: Read,
  mistakes: string[],
): { readonly [name in 'slotUrls' | 'slotOwnerUrls']: ReadonlyMap<Slot, string> | undefined } {
  const isSharded = settings.RINGPROOF_SHARD_URLS !== ''
  const ownerName = settings.RINGPROOF_SHARD_OWNER_URLS ? 'RINGPROOF_SHARD_OWNER_URLS' : 'RINGPROOF_DATABASE_OWNER_URL'
  const one = read('RINGPROOF_DATABASE_URL', isSharded ? optional(everySlot) : everySlot)
  const several = read('RINGPROOF_SHARD_URLS', optional(slotRanges))
  const oneOwner = read('RINGPROOF_DATABASE_OWNER_URL', optional(everySlot))
  const severalOwners = read('RINGPROOF_SHARD_OWNER_URLS', optional(slotRanges))
  const caFile = read('RINGPROOF_DATABASE_CA_FILE', optional(readableFile))
  const slotUrls = withRootCertificate(isSharded ? several : one, caFile)
  const slotOwnerUrls = withRootCertificate(
    ownerName === 'RINGPROOF_SHARD_OWNER_URLS' ? severalOwners : oneOwner,
    caFile,
  )
  const elsewhere = slotsAll.filter(
    (slot) => slotUrls && slotOwnerUrls && !isSameDatabase(slotUrls.get(slot), slotOwnerUrls.get(slot)),
  )
  if (elsewhere.length > 0) {
    const advice = 'RINGPROOF_SHARD_OWNER_URLS takes one for each of RINGPROOF_SHARD_URLS'
    const which = isSharded ? `; not so for slots ${elsewhere.join(', ')}; ${advice}` : ''
    mistakes.push(`${ownerName}: host, port and name must be those of the application's database${which}`)
  }
  return { slotUrls, slotOwnerUrls }
}

// The CA travels with the address; one that an address names itself stays.
function withRootCertificate(
  urls: ReadonlyMap<Slot, string> | undefined,
  caFile: string | undefined,
): ReadonlyMap<Slot, string> | undefined {
  if (!urls || caFile === undefined) return urls
  return new Map(
    [...urls].map(([slot, address]) => {
      const changed = new URL(address)
      if (!changed.searchParams.has('sslrootcert')) changed.searchParams.set('sslrootcert', caFile)
      return [slot, changed.href]
    }),
  )
}
