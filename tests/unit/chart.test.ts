import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { printableSettings } from '../../server/src/process/config/config.ts'

const repository = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(repository, path), 'utf8')

// What contains a password or a token, and so comes from a Secret.
const secret = [
  'RINGPROOF_DATABASE_URL',
  'RINGPROOF_DATABASE_OWNER_URL',
  'RINGPROOF_SHARD_URLS',
  'RINGPROOF_SHARD_OWNER_URLS',
  'RINGPROOF_NATS_URL',
  'RINGPROOF_ARI_PASSWORD',
  'RINGPROOF_MAIL_URL',
  'RINGPROOF_OWN_SERVICE',
  'RINGPROOF_TELEGRAM_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
]

// What the chart and the images decide: addresses, ports and directories inside the pods.
const decided = [
  'RINGPROOF_HTTP_HOST',
  'RINGPROOF_HTTP_PORT',
  'RINGPROOF_HTTP_ALT_PORT',
  'RINGPROOF_HTTP_SHARED',
  'RINGPROOF_METRICS_HOST',
  'RINGPROOF_METRICS_PORT',
  'RINGPROOF_SWITCH',
  'RINGPROOF_NODE',
  'RINGPROOF_ARI_URL',
  'RINGPROOF_ARI_USER',
  'RINGPROOF_ARI_CA_FILE',
  'RINGPROOF_ARI_CERT_FILE',
  'RINGPROOF_ARI_KEY_FILE',
  'RINGPROOF_HEP_PORT',
  'RINGPROOF_SIP_HOST',
  'RINGPROOF_SIP_PORT',
  'RINGPROOF_SIP_TLS_PORT',
  'RINGPROOF_NUMBERING_DIR',
  'RINGPROOF_SECRETS_DIR',
  'RINGPROOF_MAIL_DIR',
  'RINGPROOF_API_URL',
  'RINGPROOF_EDGE_URL',
  'RINGPROOF_EDGE_SIP_HOST',
  'RINGPROOF_EDGE_SIP_PORT',
  // Nothing in a pod has them: a second Asterisk, recorded prompts, pgBackRest, the fixed address that a pair of edges needs.
  'RINGPROOF_EDGE_PAIR_URL',
  'RINGPROOF_EDGE_PEER_URL',
  'RINGPROOF_PHONES_ARI_URL',
  'RINGPROOF_PHONES_ARI_USER',
  'RINGPROOF_PHONES_ARI_PASSWORD',
  'RINGPROOF_PHONES_NODE',
  'RINGPROOF_PHONES_PEER',
  'RINGPROOF_KAZAKH_PROMPTS_DIR',
  'RINGPROOF_BACKUP_STANZAS',
  'RINGPROOF_TIME_SCALE',
]

test('the chart decides every setting, reads it from a Secret or accepts it as a value', () => {
  const schema = JSON.parse(read('deploy/chart/values.schema.json')) as {
    properties: { config: { propertyNames: { enum: string[] } } }
  }
  const names = [...secret, ...decided, ...schema.properties.config.propertyNames.enum]
  assert.deepEqual(names.toSorted(), [...printableSettings({}).keys()].toSorted())
})

test('the chart has the version of the program, and installs it', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const chart = read('deploy/chart/Chart.yaml')
  assert.equal(/^version: (.*)$/m.exec(chart)?.[1], version)
  assert.equal(/^appVersion: "(.*)"$/m.exec(chart)?.[1], version)
})
