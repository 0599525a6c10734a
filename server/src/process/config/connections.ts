// Which connections may be unencrypted: those to this machine, and others only if the operator allows it. All of them carry
// passwords, call orders or codes, so a forgotten `tls` must stop the start.

import { isIPv4 } from 'node:net'
import { eachHost } from '../../domain/core/database-address.ts'

export const plainConnections = ['nats', 'ari', 'postgres', 'otlp'] as const
type PlainConnection = (typeof plainConnections)[number]

type ConnectionSettings = Readonly<
  Record<
    | 'RINGPROOF_NATS_URL'
    | 'RINGPROOF_NATS_CREDS_FILE'
    | 'RINGPROOF_ARI_URL'
    | 'RINGPROOF_PHONES_ARI_URL'
    | 'RINGPROOF_DATABASE_URL'
    | 'RINGPROOF_DATABASE_OWNER_URL'
    | 'RINGPROOF_SHARD_URLS'
    | 'RINGPROOF_SHARD_OWNER_URLS'
    | 'RINGPROOF_PLAIN_CONNECTIONS'
    | 'OTEL_EXPORTER_OTLP_ENDPOINT'
    | 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
    | 'OTEL_EXPORTER_OTLP_HEADERS',
    string
  >
>

// Each sentence names the setting, the part of its value that is not secret, and the fix.
export function connectionMistakes(settings: ConnectionSettings): readonly string[] {
  const allowed = new Set(settings.RINGPROOF_PLAIN_CONNECTIONS.split(',').map((word) => word.trim()))
  const mayBePlain = (kind: PlainConnection, host: string) => isThisMachine(host) || allowed.has(kind)
  return [
    ...natsMistakes(settings, mayBePlain),
    ...(['RINGPROOF_ARI_URL', 'RINGPROOF_PHONES_ARI_URL'] as const).flatMap((name) =>
      urlsIn(settings[name])
        .filter(({ protocol, hostname }) => protocol === 'http:' && !mayBePlain('ari', hostname))
        .map(({ hostname }) => `${name}: ${inClear('http', hostname, 'https://', 'ari')}`),
    ),
    ...collectorMistakes(settings, mayBePlain),
    ...databaseSettings.flatMap((name) =>
      databaseUrlsIn(settings[name]).flatMap((url) =>
        databaseMistakes(url, mayBePlain).map((why) => `${name}: ${why}`),
      ),
    ),
  ]
}

const databaseSettings = [
  'RINGPROOF_DATABASE_URL',
  'RINGPROOF_DATABASE_OWNER_URL',
  'RINGPROOF_SHARD_URLS',
  'RINGPROOF_SHARD_OWNER_URLS',
] as const

type MayBePlain = (kind: PlainConnection, host: string) => boolean

function natsMistakes(settings: ConnectionSettings, mayBePlain: MayBePlain): readonly string[] {
  const urls = urlsIn(settings.RINGPROOF_NATS_URL)
  const mistakes = urls
    .filter(({ protocol, hostname }) => protocol === 'nats:' && !mayBePlain('nats', hostname))
    .map(({ hostname }) => inClear('nats', hostname, 'tls://', 'nats'))
  if (new Set(urls.map(({ protocol }) => protocol)).size > 1) {
    mistakes.push('nats:// and tls:// cannot stand in one list; write tls:// for every server')
  }
  const logins = new Set(urls.map(({ username, password }) => `${username}:${password}`).filter((one) => one !== ':'))
  if (logins.size > 1) {
    mistakes.push('its URLs have different credentials; all servers of one NATS are given the same, so write one login')
  }
  if (logins.size > 0 && settings.RINGPROOF_NATS_CREDS_FILE !== '') {
    mistakes.push('it has credentials, and RINGPROOF_NATS_CREDS_FILE is set as well; keep one of them')
  }
  return mistakes.map((why) => `RINGPROOF_NATS_URL: ${why}`)
}

// Spans hold nothing secret, but the headers may.
function collectorMistakes(settings: ConnectionSettings, mayBePlain: MayBePlain): readonly string[] {
  if (settings.OTEL_EXPORTER_OTLP_HEADERS === '') return []
  return (['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] as const).flatMap((name) =>
    urlsIn(settings[name])
      .filter(({ protocol, hostname }) => protocol === 'http:' && !mayBePlain('otlp', hostname))
      .map(({ hostname }) => `${name}: ${inClear('http', hostname, 'https://', 'otlp')}`),
  )
}

// The driver treats `require` as verify-full today and as no verification tomorrow, so only the two clear modes are accepted.
function databaseMistakes({ hostname, searchParams }: URL, mayBePlain: MayBePlain): readonly string[] {
  const host = decodeURIComponent(searchParams.get('host') || hostname)
  const mode = searchParams.get('sslmode') ?? 'disable'
  if (mode !== 'disable' && mode !== 'verify-full') {
    return [`sslmode=${mode} does not verify the server; write sslmode=verify-full, or sslmode=disable for none`]
  }
  if (searchParams.has('ssl')) return ['the parameter ssl is not read; write sslmode=verify-full']
  if (mode === 'verify-full' || mayBePlain('postgres', host)) return []
  return [inClear('postgres', host, 'sslmode=verify-full (and RINGPROOF_DATABASE_CA_FILE)', 'postgres')]
}

function inClear(protocol: string, host: string, fix: string, word: PlainConnection): string {
  return (
    `${protocol}://${host} would send passwords in clear beyond this machine; use ${fix}, ` +
    `or add ${word} to RINGPROOF_PLAIN_CONNECTIONS if you trust every network in between`
  )
}

// Decided by the address as written, never by a resolver. A path is a Unix socket.
function isThisMachine(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  return (
    bare === '' ||
    bare === 'localhost' ||
    bare === '::1' ||
    bare.startsWith('/') ||
    (isIPv4(bare) && bare.startsWith('127.'))
  )
}

function urlsIn(text: string): readonly URL[] {
  return parsed(text.split(/[\s,]+/))
}

// A comma separates the hosts of one database.
function databaseUrlsIn(text: string): readonly URL[] {
  return parsed(text.split(/\s+/).flatMap((item) => eachHost(item.replace(/^(\d+(-\d+)?|spare)=/, ''))))
}

// A URL that cannot be parsed is reported where the setting is read.
function parsed(texts: readonly string[]): readonly URL[] {
  return texts.filter((text) => URL.canParse(text)).map((text) => new URL(text))
}
