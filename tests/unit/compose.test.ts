import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { settingsPassedOn } from '../../scripts/generate/compose-env.ts'
import { printableSettings } from '../../server/src/process/config/config.ts'

const repository = join(import.meta.dirname, '../..')
const compose = readFileSync(join(repository, 'deploy/compose/compose.yaml'), 'utf8')
const edge = readFileSync(join(repository, 'deploy/compose/edge.yaml'), 'utf8')
const ha = readFileSync(join(repository, 'deploy/compose/ha.yaml'), 'utf8')

// What compose.yaml and the image decide: addresses, ports and directories inside the containers, and the servers of one
// machine.
const decided = [
  'RINGPROOF_HTTP_HOST',
  'RINGPROOF_HTTP_PORT',
  'RINGPROOF_HTTP_ALT_PORT',
  'RINGPROOF_HTTP_SHARED',
  'RINGPROOF_METRICS_HOST',
  'RINGPROOF_METRICS_PORT',
  'RINGPROOF_DATABASE_URL',
  'RINGPROOF_DATABASE_OWNER_URL',
  'RINGPROOF_SHARD_URLS',
  'RINGPROOF_SHARD_OWNER_URLS',
  'RINGPROOF_DATABASE_CA_FILE',
  'RINGPROOF_NATS_URL',
  'RINGPROOF_NATS_CA_FILE',
  'RINGPROOF_NATS_CREDS_FILE',
  'RINGPROOF_NATS_MONITOR_URLS',
  'RINGPROOF_NATS_PREFIX',
  'RINGPROOF_NATS_REPLICAS',
  'RINGPROOF_SWITCH',
  'RINGPROOF_ARI_URL',
  'RINGPROOF_ARI_USER',
  'RINGPROOF_ARI_PASSWORD',
  'RINGPROOF_ARI_CA_FILE',
  'RINGPROOF_ARI_CERT_FILE',
  'RINGPROOF_ARI_KEY_FILE',
  'RINGPROOF_HEP_PORT',
  'RINGPROOF_PHONES_ARI_URL',
  'RINGPROOF_PHONES_ARI_USER',
  'RINGPROOF_PHONES_ARI_PASSWORD',
  'RINGPROOF_PHONES_NODE',
  'RINGPROOF_PHONES_PEER',
  'RINGPROOF_SIP_HOST',
  'RINGPROOF_SIP_PORT',
  'RINGPROOF_SIP_TLS_PORT',
  'RINGPROOF_RTP_PORTS',
  'RINGPROOF_NUMBERING_DIR',
  'RINGPROOF_PLAIN_CONNECTIONS',
  'RINGPROOF_SECRETS_DIR',
  'RINGPROOF_MAIL_DIR',
  'RINGPROOF_API_URL',
  // By edge.yaml.
  'RINGPROOF_EDGE_URL',
  'RINGPROOF_EDGE_CALLS_PER_SECOND',
  'RINGPROOF_EDGE_SIP_HOST',
  'RINGPROOF_EDGE_SIP_PORT',
  'RINGPROOF_EDGE_PAIR_URL',
  'RINGPROOF_EDGE_PEER_URL',
  // The image has no pgBackRest.
  'RINGPROOF_BACKUP_STANZAS',
  'RINGPROOF_TIME_SCALE',
]

test('compose.yaml decides every setting or passes it on from .env', () => {
  const names = [...decided, ...settingsPassedOn(repository)]
  assert.deepEqual(names.toSorted(), [...printableSettings({}).keys()].toSorted())
})

test('compose.yaml and edge.yaml start the images of this version', () => {
  const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { version: string }
  for (const text of [compose, edge]) {
    const named = [...text.matchAll(/\$\{VERSION:-([^}]+)\}/g)].map(([, one]) => one)
    assert(named.length > 0)
    assert.deepEqual(new Set(named), new Set([version]))
  }
})

test('edge.yaml decides every setting of the edge, or passes it on', () => {
  const names = [...edge.matchAll(/^ {2}(RINGPROOF_\w+):/gm)].map(([, name = '']) => name)
  assert.deepEqual(
    names.toSorted(),
    [...printableSettings({}).keys()].filter((name) => name.startsWith('RINGPROOF_EDGE_')).toSorted(),
  )
})

test('ha.yaml decides the settings of three servers, for every process that has a connection', () => {
  const names = [...ha.matchAll(/^ {2}(RINGPROOF_\w+):/gm)].map(([, name = '']) => name)
  assert.deepEqual(names, ['RINGPROOF_NATS_URL', 'RINGPROOF_NATS_MONITOR_URLS', 'RINGPROOF_NATS_REPLICAS'])
  for (const name of names) assert(decided.includes(name))
  const services = new Map(
    [...ha.matchAll(/^ {2}(\w+):.*\n((?: {4}.*\n)+)/gm)].map(([, name = '', text = '']) => [name, text]),
  )
  for (const name of ['api', 'worker', 'calls', 'migrate']) {
    const text = services.get(name) ?? ''
    assert.match(text, /\*(ha|command)-settings/, name)
    assert.match(text, /depends_on: !override/, name)
    assert.doesNotMatch(text, /^ +(postgres|nats):/m, name)
  }
  for (const name of ['postgres', 'nats'])
    assert.match(ha, new RegExp(`^  ${name}: \\{ profiles: \\[single\\] \\}$`, 'm'))
  for (const kind of ['postgres', 'etcd', 'nats']) {
    for (const one of [1, 2, 3])
      assert.match(services.get(`${kind}${one}`) ?? '', new RegExp(`"?${kind}${one}:/`), kind)
  }
})

test('ha-patroni.yml has the settings of three machines and those of the single PostgreSQL', () => {
  const settingsOf = (path: string) => {
    const text = readFileSync(join(repository, path), 'utf8')
    const shared = text.slice(text.indexOf('  dcs:'), text.indexOf('  initdb:'))
    return new Map([...shared.matchAll(/^ +(\w+): ([^\n]+)$/gm)].map(([, name = '', value = '']) => [name, value]))
  }
  const machines = settingsOf('deploy/ha/patroni.yml')
  // Of a Patroni that is older than the one in the image.
  machines.delete('master_start_timeout')
  const single = [...compose.matchAll(/^ +- -c(\w+)=(\w+)$/gm)].map(
    ([, name = '', value = '']) => [name, value] as const,
  )
  assert(machines.size > 15 && single.length > 3)
  const expected = new Map([...machines, ...single])
  const sorted = (settings: ReadonlyMap<string, string>) => [...settings].toSorted(([a], [b]) => a.localeCompare(b))
  assert.deepEqual(sorted(settingsOf('deploy/compose/ha-patroni.yml')), sorted(expected))
})
