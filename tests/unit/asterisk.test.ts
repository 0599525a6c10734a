import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { createTokenBucket } from '../../server/src/domain/values/token-bucket.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { type AsteriskSwitch, createAsterisk } from '../../server/src/telephony/asterisk/asterisk.ts'
import { renderTemplate } from '../../server/src/telephony/asterisk/config.ts'
import { registrationsIn } from '../../server/src/telephony/asterisk/registrations.ts'
import { trunkObjects } from '../../server/src/telephony/asterisk/trunks.ts'
import { noCapture } from '../../server/src/telephony/sip/capture.ts'
import { poll } from '../support/poll.ts'
import { createFakeAri, type FakeAri } from '../support/sip/fake-ari.ts'

// Timers run in real time; measured durations use this clock, which the tests set.
let nowMs = 0
const clock = { ...createClock(1), monotonicMs: () => nowMs }
const trunk = { ...trunkDefaults, name: 'fake', address: '127.0.0.1', channels: 1_000, callsPerSecond: 1_000 }

test('an Asterisk that is too old is refused with both versions', async () => {
  const ari = await createFakeAri('20.19.0~dfsg')
  const failure = Promise.withResolvers<string>()
  const network = createSwitch(ari, failure.resolve, 40)
  assert.equal(await failure.promise, 'Asterisk 20.19.0 is too old: version 22.10.1 or newer is required')
  await network.close()
  await ari.close()
})

test('a switch takes no call before it is connected, and no more calls a second than it has tokens for', async () => {
  const ari = await createFakeAri('22.10.1+dfsg')
  const network = createSwitch(ari, assert.fail, 40)
  nowMs += 10_000
  assert.equal(network.isReady(), false)
  await poll('the switch to be ready', network.isReady)
  let dialled = 0
  for (; network.isReady(); dialled++) dial(network, dialled)
  assert.equal(dialled, 40)
  nowMs += 500
  for (; network.isReady(); dialled++) dial(network, dialled)
  assert.equal(dialled, 60)
  nowMs += 1_000
  await network.close()
  assert.equal(network.isReady(), false)
  await ari.close()
})

test('a switch takes no call while Asterisk is slow to dial, and takes calls again a second later', async () => {
  const ari = await createFakeAri('22.10.1+dfsg')
  const network = createSwitch(ari, assert.fail, 1_000)
  nowMs += 1_000
  await poll('the switch to be ready', network.isReady)
  ari.holdDials()
  for (let count = 0; count < 20; count++) dial(network, count)
  await poll('all dials to arrive', ari.heldDials, (count) => count === 20)
  assert.equal(network.isReady(), true)
  nowMs += 80
  ari.releaseDials()
  await poll('the switch to be not ready', () => !network.isReady())
  nowMs += 1_001
  assert.equal(network.isReady(), true)
  await network.close()
  await ari.close()
})

test('a token bucket starts empty, fills evenly and holds one second of calls', () => {
  const bucket = createTokenBucket(0)
  assert.equal(bucket.available(10, 0), 0)
  assert.equal(bucket.available(10, 99), 0)
  assert.equal(bucket.available(10, 100), 1)
  assert.equal(bucket.available(10, 60_000), 10)
  const spent = Array.from({ length: 20 }, () => {
    const has = bucket.available(10, 60_000) > 0
    if (has) bucket.spend()
    return has
  })
  assert.equal(spent.filter(Boolean).length, 10)
  // Less than one a second is one at a time.
  const slow = createTokenBucket(0)
  assert.deepEqual([slow.available(0.5, 1_900), slow.available(0.5, 2_100)], [0, 1])
})

test('a template line is written once per value, and never contains a second line', () => {
  const values = new Map<string, readonly string[]>([
    ['one', ['1']],
    ['none', []],
    ['two', ['a', 'b']],
    ['evil', ['x\n[other]']],
    ['remark', ['x;y']],
  ])
  const text = 'a = {{one}}\nb = {{none}}\nc = {{two}}\n; {{unknown}}\nd'
  assert.equal(renderTemplate('x.conf', text, values), 'a = 1\nc = a\nc = b\n; {{unknown}}\nd')
  assert.throws(() => renderTemplate('x.conf', 'a = {{unknown}}', values), /x\.conf uses \{\{unknown\}\}/)
  assert.throws(() => renderTemplate('x.conf', 'a = {{evil}}', values), /evil cannot be written/)
  assert.throws(() => renderTemplate('x.conf', 'a = {{remark}}', values), /remark cannot be written/)
})

test('registrations are read from the metrics', () => {
  const line = (user: string, state: number) =>
    `asterisk_pjsip_outbound_registration_status{eid="1",username="sip:${user}@host",domain="sip:host",channel_type="PJSIP"} ${state}`
  const found = registrationsIn([line('a', 1), line('b', 2), 'asterisk_calls_sum{eid="1"} 0'].join('\n'))
  assert.deepEqual([...found.keys()], ['sip:a@host', 'sip:b@host'])
  assert.deepEqual([found.get('sip:a@host')?.isUp, found.get('sip:b@host')?.isUp], [true, false])
})

test('every dialplan context of a trunk exists in extensions.conf', () => {
  const dialplan = readFileSync(new URL('../../deploy/asterisk/extensions.conf', import.meta.url), 'utf8')
  const contexts = trunkObjects(trunk, undefined).flatMap(({ fields }) =>
    fields.filter(([attribute]) => attribute === 'context').map(([, context]) => context),
  )
  assert.deepEqual(contexts.toSorted(), ['incoming', 'nowhere'])
  for (const context of contexts) assert.ok(dialplan.includes(`\n[${context}]\n`), context)
})

function dial(network: AsteriskSwitch, serial: number): void {
  const channelId = `call-${serial}`
  network.dial({ channelId, trunk: 'fake', to: '79070000180', from: '70000000001', originateTimeoutMs: 9_000 })
}

function createSwitch({ url }: FakeAri, failed: (why: string) => void, callsPerSecond: number): AsteriskSwitch {
  return createAsterisk({
    url,
    user: 'fake',
    password: 'fake',
    node: 'fake',
    isGuest: false,
    sipTransports: ['udp'],
    hepPort: undefined,
    capture: noCapture,
    callsPerSecond,
    trunks: () => [trunk],
    passwordOf: () => undefined,
    clock,
    log: createLog({ write: () => undefined }),
    failed,
  })
}
