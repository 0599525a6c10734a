// The evaluations of `ringproof doctor` that no test with servers reaches, and its page.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { backupsIn, evaluateBackup } from '../../server/src/domain/installation/backup.ts'
import { type Check, checks } from '../../server/src/domain/installation/checks.ts'
import {
  type DatabaseFacts,
  evaluateDatabase,
  unreachableDatabase,
} from '../../server/src/domain/installation/database-check.ts'
import { evaluateProxy } from '../../server/src/domain/installation/edge-check.ts'
import { evaluateCertificate, evaluateDisk, evaluateSecrets } from '../../server/src/domain/installation/files-check.ts'
import type { Finding } from '../../server/src/domain/installation/finding.ts'
import { evaluateConfirmationNumbers, evaluateRegistry } from '../../server/src/domain/installation/numbers-check.ts'
import { evaluateNats, evaluateNatsTls } from '../../server/src/domain/installation/queue-check.ts'
import {
  evaluateEdge,
  evaluateEdgeAddress,
  evaluateEdgeBuffers,
} from '../../server/src/domain/installation/signalling-edge.ts'
import {
  evaluatePublicAddress,
  evaluateRtpPorts,
  evaluateTrunk,
  evaluateTrunks,
} from '../../server/src/domain/installation/telephony-check.ts'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { dayMs } from '../../server/src/domain/values/time.ts'

const page = readFileSync(new URL('../../docs/operations/doctor.md', import.meta.url), 'utf8')
const nowMs = Date.UTC(2026, 5, 1)

const facts: DatabaseFacts = {
  versionNumber: 170_002,
  version: '17.2',
  isStandby: false,
  syncStandbyNames: 'ANY 1 (*)',
  standbys: 2,
  login: 'ringproof_cli',
  isSuperuser: false,
  groups: ['ringproof_operator'],
  database: 'ringproof',
  riskySettings: [],
  isMigrated: true,
  clock: { offsetMs: 10, errorMs: 1, leadSeconds: 0, isTrusted: true },
}

const settings = {
  sipPublicAddress: '198.51.100.7',
  sipLocalNetworks: ['10.0.0.0/8'],
  sipTransports: ['udp'],
  sipPort: 5060,
  sipTlsPort: 5061,
  rtpPorts: { first: 20_000, last: 20_099 },
} as const
const asterisk = {
  version: '22.10.1',
  missingModules: [],
  directory: '/srv/node',
  transports: [{ name: 'udp', announced: '198.51.100.7' }],
  rtpPorts: settings.rtpPorts,
}
const trunk = { ...trunkDefaults, name: 'carrier', address: '192.0.2.1', channels: 50, callsPerSecond: 1 }

function levelOf(findings: Finding | readonly Finding[], check: string): string {
  const found = [findings].flat().find((finding) => finding.check === check)
  return found?.level ?? 'none'
}

test('databases: version, standby, replication, clock, login', () => {
  for (const [changes, check, level] of [
    [{}, 'database', 'good'],
    [{ versionNumber: 140_011, version: '14.11' }, 'database', 'bad'],
    [{ isStandby: true }, 'database', 'bad'],
    [{}, 'replication', 'good'],
    [{ isStandby: true }, 'replication', 'none'],
    [{ standbys: 0 }, 'replication', 'bad'],
    [{ syncStandbyNames: '' }, 'replication', 'warning'],
    [{ syncStandbyNames: '', standbys: 0 }, 'replication', 'warning'],
    [{ clock: { offsetMs: -2_500, errorMs: 100, leadSeconds: 0, isTrusted: true } }, 'clock', 'warning'],
    [{ clock: { offsetMs: 2_500, errorMs: 600, leadSeconds: 0, isTrusted: true } }, 'clock', 'good'],
    [{ clock: { offsetMs: 0, errorMs: 1, leadSeconds: 864_000, isTrusted: false } }, 'clock', 'bad'],
    [{ clock: undefined }, 'clock', 'none'],
    [{}, 'database-login', 'good'],
    [{ groups: ['ringproof_api', 'ringproof_web'] }, 'database-login', 'good'],
    [{ groups: ['ringproof_api', 'ringproof_operator'] }, 'database-login', 'warning'],
  ] as const) {
    assert.equal(levelOf(evaluateDatabase('db', { ...facts, ...changes }), check), level, JSON.stringify(changes))
  }
})

test('a risky setting is changed where it was set', () => {
  const fixOf = (source: string) =>
    evaluateDatabase('db', {
      ...facts,
      riskySettings: [{ name: 'fsync', value: 'off', safe: 'on', risk: 'lost', source }],
    }).find(({ check }) => check === 'durability')?.fix
  assert.equal(fixOf('configuration file'), 'psql -c "ALTER SYSTEM SET fsync = on" -c "SELECT pg_reload_conf()"')
  assert.equal(fixOf('database'), 'psql -c "ALTER DATABASE ringproof RESET fsync"')
  assert.equal(fixOf('user'), 'psql -c "ALTER ROLE ringproof_cli RESET fsync"')
  const error = Object.assign(new Error('permission denied to set role "ringproof_operator"'), { code: '42501' })
  assert.match(unreachableDatabase('db', error).fix ?? '', /GRANT ringproof_operator TO/)
})

test('NATS: version, copies in a cluster, TLS beyond this machine', () => {
  const one = { version: '2.12.3', cluster: undefined, streams: [{ name: 'calls', replicas: 1 }] }
  assert.equal(levelOf(evaluateNats('nats', one), 'nats-replicas'), 'good')
  assert.equal(levelOf(evaluateNats('nats', { ...one, cluster: 'c' }), 'nats-replicas'), 'warning')
  const three = { ...one, cluster: 'c', streams: [{ name: 'calls', replicas: 3 }] }
  assert.equal(levelOf(evaluateNats('nats', three), 'nats-replicas'), 'good')
  assert.equal(levelOf(evaluateNats('nats', { ...one, version: '2.9.10' }), 'nats'), 'bad')
  assert.equal(levelOf(evaluateNats('nats', { ...one, version: '2.12.10' }), 'nats'), 'good')
  const isLoopback = (host: string) => host === '127.0.0.1'
  assert.equal(evaluateNatsTls(['nats://127.0.0.1:4222'], isLoopback).level, 'good')
  assert.equal(evaluateNatsTls(['nats://10.0.0.5:4222'], isLoopback).level, 'warning')
})

test('the public address: setting, Asterisk and carriers must agree; local carriers do not count', () => {
  const seen = { trunk: 'carrier', carrier: '192.0.2.1', received: '198.51.100.7', local: '10.0.0.5' }
  const evaluate = (more: object, one: Partial<typeof seen> = {}) =>
    evaluatePublicAddress('node', { ...settings, ...more }, asterisk, [{ ...seen, ...one }])
  assert.equal(evaluate({}).level, 'good')
  assert.match(evaluate({ sipPublicAddress: '198.51.100.9' }).cause, /announces 198\.51\.100\.7 .* is 198\.51\.100\.9/)
  const wrong = evaluate({}, { received: '203.0.113.5' })
  assert.match(wrong.cause, /sees us at 203\.0\.113\.5, but Contact and SDP say 198\.51\.100\.7/)
  assert.match(
    wrong.fix ?? '',
    /^RINGPROOF_SIP_PUBLIC_ADDRESS=203\.0\.113\.5 ringproof asterisk prepare \/srv\/node && /,
  )
  assert.equal(evaluate({}, { carrier: '10.1.2.3', received: '10.0.0.5' }).level, 'good')
  // Without NAT Asterisk announces the address of the machine.
  const plain = { ...asterisk, transports: [{ name: 'udp', announced: '' }] }
  const bare = { ...settings, sipPublicAddress: undefined }
  assert.equal(evaluatePublicAddress('node', bare, plain, [{ ...seen, received: seen.local }]).level, 'good')
  assert.equal(evaluatePublicAddress('node', bare, plain, [seen]).level, 'bad')
})

test('RTP ports: as Asterisk has them, two for each channel, none of SIP', () => {
  assert.equal(evaluateRtpPorts('node', settings, asterisk, [trunk]).level, 'good')
  assert.equal(evaluateRtpPorts('node', settings, asterisk, [{ ...trunk, channels: 51 }]).level, 'warning')
  assert.equal(evaluateRtpPorts('node', settings, asterisk, [{ ...trunk, channels: 51, isOn: false }]).level, 'good')
  const other = { ...asterisk, rtpPorts: { first: 10_000, last: 10_099 } }
  assert.equal(evaluateRtpPorts('node', settings, other, [trunk]).level, 'bad')
  assert.equal(evaluateRtpPorts('node', { ...settings, sipPort: 20_001 }, asterisk, [trunk]).level, 'bad')
})

test('trunks: each reason has its fix', () => {
  const fixOf = (reason: string) => evaluateTrunk(trunk, [{ node: 'n', isUp: false, reason }]).fix ?? ''
  assert.match(fixOf('192.0.2.1 does not answer OPTIONS'), /^ringproof trunks set carrier --address /)
  assert.match(fixOf('192.0.2.1 answers OPTIONS, the carrier rejects our registration'), /--password-file/)
  assert.match(fixOf('this node has no tls: add it'), /^ringproof asterisk prepare/)
  assert.equal(evaluateTrunk(trunk, []).fix, 'ringproof serve --roles calls')
  assert.equal(evaluateTrunk({ ...trunk, isOn: false }, []).level, 'good')
  assert.equal(evaluateTrunks([trunk], 'fraud')[0]?.fix, 'ringproof trunks resume-all')
  assert.equal(evaluateTrunks([{ ...trunk, isTest: true }], undefined)[0]?.level, 'warning')
})

test('the edge: versions, an edge on another machine, buffers for the rate', () => {
  const machine = { version: undefined, addresses: ['127.0.0.1', '10.0.0.5'], receiveBufferBytesMax: 212_992 }
  const edge = { ...settings, edgeSipHost: '10.0.0.5', edgeSipPort: 5080, edgeCallsPerSecond: 183, sipHost: '0.0.0.0' }
  const versions = [undefined, '5.5.9', '5.6.3', '6.0.1', '6.1.4', '6.1.6'] as const
  assert.deepEqual(
    versions.map((version) => evaluateEdge('node', { ...machine, version }).level),
    ['good', 'bad', 'good', 'good', 'bad', 'good'],
  )
  const evaluate = (host: string, more: object) =>
    evaluateEdgeAddress('node', { host, port: 5070 }, { ...edge, ...more }, machine, '198.51.100.7:5080').level
  assert.equal(evaluate('127.0.0.1', {}), 'good')
  assert.equal(evaluate('127.0.0.1', { edgeSipHost: '10.0.0.6' }), 'bad')
  assert.equal(evaluate('10.0.0.6', { edgeSipHost: '10.0.0.6' }), 'good')
  assert.equal(evaluate('127.0.0.1', { sipPort: 5080 }), 'bad')
  assert.equal(evaluate('127.0.0.1', { sipPort: 5080, sipHost: '127.0.0.1' }), 'good')
  assert.equal(evaluate('127.0.0.1', { sipPublicAddress: undefined }), 'bad')
  const buffers = (edgeCallsPerSecond: number, more: object = {}) =>
    evaluateEdgeBuffers('node', { ...edge, edgeCallsPerSecond }, { ...machine, ...more })[0]
  assert.equal(buffers(183)?.level, 'good')
  assert.equal(buffers(184)?.level, 'warning')
  assert.match(buffers(1_000)?.cause ?? '', /212992 bytes .* enough for 183 calls a second, but .* is 1000:/)
  assert.match(buffers(1_000)?.fix ?? '', /net\.core\.rmem_max=4194304 .* systemctl restart ringproof-edge$/)
  assert.equal(buffers(10_000, { receiveBufferBytesMax: 4_194_304 })?.level, 'good')
  assert.equal(buffers(10_000, { receiveBufferBytesMax: undefined }), undefined)
})

test('confirmation numbers by database; not needed if they are not sold', () => {
  const counts = new Map([
    ['a', 3],
    ['b', 0],
  ])
  assert.deepEqual(
    evaluateConfirmationNumbers(counts, true).map(({ level }) => level),
    ['good', 'warning'],
  )
  assert.equal(evaluateConfirmationNumbers(counts, false)[0]?.level, 'good')
})

test('a registry that was fetched today is not stale, however old its data', () => {
  const status = {
    version: 'abc',
    importedAtMs: nowMs - 90 * dayMs,
    registries: [],
    ported: undefined,
    changes: undefined,
    previousVersion: undefined,
    fetchedAtMs: nowMs,
    lastAttempt: undefined,
    isFetching: false,
  }
  const of = { dir: 'd', url: 'http://127.0.0.1/' }
  assert.equal(evaluateRegistry(of, status, nowMs).level, 'good')
  assert.equal(evaluateRegistry(of, { ...status, fetchedAtMs: undefined }, nowMs).level, 'bad')
  assert.equal(evaluateRegistry({ ...of, dir: '' }, undefined, nowMs).level, 'warning')
})

// As pgBackRest 2.45 prints it, without what is not read.
const stanza = {
  name: 'rp',
  status: { code: 0, message: 'ok' },
  backup: [
    { error: false, timestamp: { start: nowMs / 1_000 - 90_000, stop: nowMs / 1_000 - 86_400 } },
    { error: true, timestamp: { start: nowMs / 1_000 - 10, stop: nowMs / 1_000 } },
  ],
}

test('backups: the newest one without an error counts', () => {
  const levelAfter = (days: number) => evaluateBackup('rp', [stanza], nowMs + days * dayMs).level
  assert.deepEqual([0, 0.9, 1.1, 6.9, 7.1].map(levelAfter), ['good', 'good', 'warning', 'warning', 'bad'])
  const empty = [{ name: 'rp', backup: [], status: { code: 2, message: 'no valid backups' } }]
  assert.match(evaluateBackup('rp', empty, nowMs).fix ?? '', /^pgbackrest --stanza=rp --type=full backup$/)
  const missing = [{ name: 'rp', backup: [], status: { code: 1, message: 'missing stanza path' } }]
  assert.match(evaluateBackup('rp', missing, nowMs).fix ?? '', /stanza-create/)
  assert.equal(evaluateBackup('rp', [], nowMs).level, 'bad')
  assert.match(evaluateBackup('rp', [{ ...stanza, cipher: 'none' }], nowMs).cause, /not encrypted/)
  assert.equal(backupsIn([stanza]).length, 1)
})

test('disks, keys that are due, private files, certificates that are none', () => {
  const disk = (freeBytes: number) => evaluateDisk({ path: '/', freeBytes, totalBytes: 100 }).level
  assert.deepEqual([1, 5, 50].map(disk), ['bad', 'warning', 'good'])
  const secrets = {
    dir: 's',
    rings: {},
    readable: [],
    mistakes: [],
    due: ['seal-numbers'],
    readableOthers: ['nats.creds'],
  }
  const found = evaluateSecrets(secrets, [], 30)
  assert.deepEqual(
    found.map(({ level, fix }) => [level, fix]),
    [
      ['warning', 'chmod 0400 nats.creds'],
      ['warning', 'ringproof secrets add seal-numbers'],
    ],
  )
  const file = { setting: 'RINGPROOF_NATS_CA_FILE', path: 'ca.pem', kind: 'authority' } as const
  for (const text of [undefined, '', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----']) {
    assert.equal(evaluateCertificate({ ...file, text }, nowMs).level, 'bad')
  }
})

test('proxies: none, everyone, and a listener beside the proxy', () => {
  const evaluate = (publicUrl: string, trustedProxies: readonly string[], httpHost = '127.0.0.1') =>
    evaluateProxy({ publicUrl, trustedProxies, httpHost }).level
  assert.equal(evaluate('https://verify.example.org', ['127.0.0.1']), 'good')
  assert.equal(evaluate('https://verify.example.org', []), 'bad')
  assert.equal(evaluate('https://verify.example.org', ['0.0.0.0/0']), 'bad')
  assert.equal(evaluate('https://verify.example.org', ['127.0.0.1'], '0.0.0.0'), 'warning')
  assert.equal(evaluate('http://verify.example.org', []), 'bad')
  assert.equal(evaluate('http://127.0.0.1:8080', []), 'good')
})

test('docs/operations/doctor.md has every check as the code describes it, and no other', () => {
  assert.deepEqual(rowsOf(page), tableOf(checks))
  const stale = { ...checks, clock: { ...checks.clock, warns: 'sometimes' } }
  assert.notDeepEqual(rowsOf(page), tableOf(stale))
})

function tableOf(table: Readonly<Record<string, Check>>): readonly string[] {
  return Object.entries(table).map(([name, { examines, warns, fails }]) => `${name}: ${examines}; ${warns}; ${fails}`)
}

function rowsOf(text: string): readonly string[] {
  const rows = [...text.matchAll(/^\| `([a-z-]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)]
  return rows.map(([, name, examines, warns, fails]) => `${name}: ${examines}; ${warns}; ${fails}`)
}
