// The only reader of the environment. The table below is the one place that knows a setting: its key in Config, its name, how
// it is read and how it is printed. The manual, config.default.env, has the defaults, those that a person sets first.
// All mistakes are reported at once, so that an operator fixes them after one start.

import { keptDaysMin } from '../../domain/values/retention.ts'
import { sipMessageChoices } from '../../domain/verifications/sip-message.ts'
import { UsageError } from '../errors.ts'
import { connectionMistakes, plainConnections } from './connections.ts'
import { type Databases, databasesOf } from './databases.ts'
import { eachWithoutCredentials, redacted, withoutCredentials } from './redaction.ts'
import { collectTexts } from './sources.ts'
import {
  collectorUrl,
  headerFields,
  namedValues,
  samplers,
  type TraceSettings,
  traceSettingsOf,
} from './trace-settings.ts'
import {
  addressOrCidr,
  anyText,
  currencyCode,
  decimalNumber,
  everySlot,
  hostAddress,
  list,
  noneOr,
  optional,
  port,
  portRange,
  type Reader,
  readableFile,
  required,
  requiredIf,
  serviceSetting,
  slotRanges,
  someTransports,
  stanzaName,
  subjectWord,
  unlessSet,
  url,
  wholeNumber,
  word,
} from './values.ts'

const settings = {
  httpHost: setting('RINGPROOF_HTTP_HOST', hostAddress),
  httpPort: setting('RINGPROOF_HTTP_PORT', port),
  httpAltPort: setting('RINGPROOF_HTTP_ALT_PORT', optional(port)),
  httpShared: setting('RINGPROOF_HTTP_SHARED', word('no', 'yes')),
  drainSeconds: setting('RINGPROOF_DRAIN_SECONDS', wholeNumber(0, 60)),
  metricsHost: setting('RINGPROOF_METRICS_HOST', hostAddress),
  metricsPort: setting('RINGPROOF_METRICS_PORT', optional(port)),
  publicUrl: setting('RINGPROOF_PUBLIC_URL', url('http:', 'https:'), withoutCredentials),
  requestsPerSecond: setting('RINGPROOF_REQUESTS_PER_SECOND', wholeNumber(1, 1_000_000)),
  trustedProxies: setting('RINGPROOF_TRUSTED_PROXIES', list(addressOrCidr)),
  currency: setting('RINGPROOF_CURRENCY', currencyCode),
  newServiceCaps: {
    'verifications-hour-max': setting(
      'RINGPROOF_SERVICE_VERIFICATIONS_HOUR_MAX',
      serviceSetting('verifications-hour-max'),
    ),
    'verifications-day-max': setting(
      'RINGPROOF_SERVICE_VERIFICATIONS_DAY_MAX',
      serviceSetting('verifications-day-max'),
    ),
    'spend-day-max': setting('RINGPROOF_SERVICE_SPEND_DAY_MAX', serviceSetting('spend-day-max')),
    'prefix-hour-max': setting('RINGPROOF_SERVICE_PREFIX_HOUR_MAX', serviceSetting('prefix-hour-max')),
  },
  prefixHourMax: setting('RINGPROOF_PREFIX_HOUR_MAX', noneOr(wholeNumber(1, 1_000_000_000))),
  database: {
    url: setting('RINGPROOF_DATABASE_URL', unlessSet('RINGPROOF_SHARD_URLS', everySlot), withoutCredentials),
    ownerUrl: setting('RINGPROOF_DATABASE_OWNER_URL', optional(everySlot), withoutCredentials),
    shardUrls: setting('RINGPROOF_SHARD_URLS', optional(slotRanges), eachWithoutCredentials(' ')),
    shardOwnerUrls: setting('RINGPROOF_SHARD_OWNER_URLS', optional(slotRanges), eachWithoutCredentials(' ')),
    caFile: setting('RINGPROOF_DATABASE_CA_FILE', optional(readableFile)),
  },
  verificationDays: setting('RINGPROOF_VERIFICATION_DAYS', wholeNumber(keptDaysMin, 3650)),
  ledgerDays: setting('RINGPROOF_LEDGER_DAYS', wholeNumber(keptDaysMin, 3650)),
  apiLog: setting('RINGPROOF_API_LOG', word('on', 'off')),
  natsUrls: setting('RINGPROOF_NATS_URL', list(url('nats:', 'tls:')), eachWithoutCredentials(',')),
  natsCaFile: setting('RINGPROOF_NATS_CA_FILE', optional(readableFile)),
  natsCredsFile: setting('RINGPROOF_NATS_CREDS_FILE', optional(readableFile)),
  natsMonitorUrls: setting('RINGPROOF_NATS_MONITOR_URLS', list(url('http:', 'https:')), eachWithoutCredentials(',')),
  natsPrefix: setting('RINGPROOF_NATS_PREFIX', subjectWord),
  natsReplicas: setting('RINGPROOF_NATS_REPLICAS', wholeNumber(1, 5)),
  switch: setting('RINGPROOF_SWITCH', optional(word('fake', 'asterisk'))),
  flashRingSeconds: setting('RINGPROOF_FLASH_RING_SECONDS', wholeNumber(1, 20)),
  node: setting('RINGPROOF_NODE', subjectWord),
  nodeCallsPerSecond: setting('RINGPROOF_NODE_CALLS_PER_SECOND', wholeNumber(1, 1_000)),
  edgeUrl: setting('RINGPROOF_EDGE_URL', optional(url('udp:')), withoutCredentials),
  edgeCallsPerSecond: setting('RINGPROOF_EDGE_CALLS_PER_SECOND', wholeNumber(1, 10_000)),
  ariUrl: setting('RINGPROOF_ARI_URL', url('http:', 'https:'), withoutCredentials),
  ariUser: setting('RINGPROOF_ARI_USER', subjectWord),
  ariPassword: setting('RINGPROOF_ARI_PASSWORD', requiredIf('RINGPROOF_SWITCH', 'asterisk'), redacted),
  hepPort: setting('RINGPROOF_HEP_PORT', port),
  sipMessages: setting('RINGPROOF_SIP_MESSAGES', word(...sipMessageChoices)),
  sipTransports: setting('RINGPROOF_SIP_TRANSPORTS', someTransports),
  ariCaFile: setting('RINGPROOF_ARI_CA_FILE', optional(readableFile)),
  phonesAriUrl: setting('RINGPROOF_PHONES_ARI_URL', optional(url('http:', 'https:')), withoutCredentials),
  phonesAriUser: setting('RINGPROOF_PHONES_ARI_USER', subjectWord),
  phonesAriPassword: setting('RINGPROOF_PHONES_ARI_PASSWORD', optional(anyText), redacted),
  phonesNode: setting('RINGPROOF_PHONES_NODE', subjectWord),
  phonesPeer: setting('RINGPROOF_PHONES_PEER', required),
  edgeSipHost: setting('RINGPROOF_EDGE_SIP_HOST', optional(hostAddress)),
  edgeSipPort: setting('RINGPROOF_EDGE_SIP_PORT', port),
  edgePairUrl: setting('RINGPROOF_EDGE_PAIR_URL', optional(url('udp:')), withoutCredentials),
  edgePeerUrl: setting('RINGPROOF_EDGE_PEER_URL', optional(url('udp:')), withoutCredentials),
  ariCertFile: setting('RINGPROOF_ARI_CERT_FILE', optional(anyText)),
  ariKeyFile: setting('RINGPROOF_ARI_KEY_FILE', optional(anyText)),
  sipHost: setting('RINGPROOF_SIP_HOST', hostAddress),
  sipPort: setting('RINGPROOF_SIP_PORT', port),
  sipTlsPort: setting('RINGPROOF_SIP_TLS_PORT', port),
  sipPublicAddress: setting('RINGPROOF_SIP_PUBLIC_ADDRESS', optional(hostAddress)),
  sipLocalNetworks: setting('RINGPROOF_SIP_LOCAL_NETWORKS', list(addressOrCidr)),
  sipCaFile: setting('RINGPROOF_SIP_CA_FILE', optional(anyText)),
  rtpPorts: setting('RINGPROOF_RTP_PORTS', portRange),
  kazakhPromptsDir: setting('RINGPROOF_KAZAKH_PROMPTS_DIR', optional(anyText)),
  numberingDir: setting('RINGPROOF_NUMBERING_DIR', anyText),
  registryUrl: setting('RINGPROOF_REGISTRY_URL', optional(url('http:', 'https:')), withoutCredentials),
  registryFetchHours: setting('RINGPROOF_REGISTRY_FETCH_HOURS', wholeNumber(1, 8_760)),
  registryCaFile: setting('RINGPROOF_REGISTRY_CA_FILE', optional(readableFile)),
  plainConnections: setting('RINGPROOF_PLAIN_CONNECTIONS', list(word(...plainConnections))),
  secretsDir: setting('RINGPROOF_SECRETS_DIR', required),
  mailUrl: setting('RINGPROOF_MAIL_URL', optional(url('smtp:', 'smtps:')), withoutCredentials),
  mailFrom: setting('RINGPROOF_MAIL_FROM', required),
  mailDir: setting('RINGPROOF_MAIL_DIR', required),
  apiUrl: setting('RINGPROOF_API_URL', optional(url('http:', 'https:')), withoutCredentials),
  ownService: setting('RINGPROOF_OWN_SERVICE', optional(anyText), redacted),
  telegramToken: setting('RINGPROOF_TELEGRAM_TOKEN', optional(anyText), redacted),
  telegramApi: setting('RINGPROOF_TELEGRAM_API', url('http:', 'https:'), withoutCredentials),
  backupStanzas: setting('RINGPROOF_BACKUP_STANZAS', list(stanzaName)),
  webhookAllow: setting('RINGPROOF_WEBHOOK_ALLOW', list(addressOrCidr)),
  traces: {
    endpoint: setting('OTEL_EXPORTER_OTLP_ENDPOINT', optional(collectorUrl), withoutCredentials),
    tracesEndpoint: setting('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', optional(collectorUrl), withoutCredentials),
    headers: setting('OTEL_EXPORTER_OTLP_HEADERS', headerFields, redacted),
    serviceName: setting('OTEL_SERVICE_NAME', optional(anyText)),
    resource: setting('OTEL_RESOURCE_ATTRIBUTES', namedValues),
    sampler: setting('OTEL_TRACES_SAMPLER', optional(word(...samplers))),
    samplerArg: setting('OTEL_TRACES_SAMPLER_ARG', optional(decimalNumber(0, 1))),
    disabled: setting('OTEL_SDK_DISABLED', optional(word('true', 'false'))),
  },
  timeScale: setting('RINGPROOF_TIME_SCALE', decimalNumber(0.001, 1)),
}

// The database settings become one URL per slot; plainConnections only decides whether the URLs are accepted.
export type Config = Omit<Values<typeof settings>, 'database' | 'plainConnections' | 'traces'> &
  Databases & { readonly traces: TraceSettings | undefined }

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const { texts, mistakes } = collectTexts(settingNames, environment)
  const values = readTable(settings, ({ name, read }) => {
    try {
      return read(texts[name as SettingName], texts)
    } catch (error) {
      mistakes.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    }
  }) as Values<typeof settings>
  const { database, traces, plainConnections: _, ...config } = values
  const { mistakes: databaseMistakes, ...databases } = databasesOf(database, texts)
  assertNoMistakes([...mistakes, ...databaseMistakes, ...connectionMistakes(texts)])
  return { ...config, ...(databases as Databases), traces: traceSettingsOf(traces) }
}

// What `ringproof config print` shows: every setting in force, without secrets.
export function printableSettings(environment: NodeJS.ProcessEnv = process.env): ReadonlyMap<string, string> {
  const { texts, mistakes } = collectTexts(settingNames, environment)
  assertNoMistakes(mistakes)
  return new Map(settingsIn(settings).map(({ name, print }) => [name, print(texts[name as SettingName])]))
}

type Setting<Name extends string = string, Value = unknown> = {
  readonly name: Name
  readonly read: Reader<Value>
  readonly print: (text: string) => string
}

// Some values of Config consist of several settings.
type Table = { readonly [key: string]: Setting | Table }

type Values<T> = { readonly [Key in keyof T]: T[Key] extends Setting<string, infer Value> ? Value : Values<T[Key]> }
type Names<T> = { [Key in keyof T]: T[Key] extends Setting<infer Name> ? Name : Names<T[Key]> }[keyof T]
type SettingName = Names<typeof settings>

const settingNames = settingsIn(settings).map(({ name }) => name as SettingName)

function setting<Name extends string, Value>(
  name: Name,
  read: Reader<Value>,
  print: (text: string) => string = String,
): Setting<Name, Value> {
  return { name, read, print }
}

function readTable(table: Table, read: (entry: Setting) => unknown): Record<string, unknown> {
  const entries = Object.entries(table)
  return Object.fromEntries(entries.map(([key, one]) => [key, isSetting(one) ? read(one) : readTable(one, read)]))
}

function settingsIn(table: Table): readonly Setting[] {
  return Object.values(table).flatMap((one) => (isSetting(one) ? [one] : settingsIn(one)))
}

function isSetting(one: Setting | Table): one is Setting {
  return typeof one['read'] === 'function'
}

function assertNoMistakes(mistakes: readonly string[]): void {
  if (mistakes.length > 0) throw new UsageError(`The configuration has mistakes:\n  ${mistakes.join('\n  ')}`)
}
