import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClock } from '../../server/src/clock.ts'
import { createTokenBucket } from '../../server/src/domain/token-bucket.ts'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { createLog } from '../../server/src/log.ts'
import { type AsteriskSwitch, createAsterisk } from '../../server/src/telephony/asterisk.ts'
import { renderTemplate } from '../../server/src/telephony/asterisk-config.ts'
import { registrationsIn } from '../../server/src/telephony/asterisk-registrations.ts'
import { createToyAri, type ToyAri } from '../support/sip/fake-ari.ts'

const clock = createClock(1)
const trunk = { ...trunkDefaults, name: 'toy', address: '127.0.0.1', channels: 1_000, callsPerSecond: 1_000 }

test('an Asterisk that is too old is refused with a sentence', async () => {
  const toy = await createToyAri('20.19.0~dfsg')
  const failure = Promise.withResolvers<string>()
  const phones = open(toy, failure.resolve, 40)
  assert.equal(await failure.promise, 'Asterisk 22.10.1 or newer is needed, and this is 20.19.0')
  await phones.close()
  await toy.close()
})

test('nothing is taken before there is a line, nor beyond the tokens of a second', async () => {
  const toy = await createToyAri('22.10.1+dfsg')
  const phones = open(toy, assert.fail, 40)
  assert.equal(phones.isReady(), false)
  await phones.opened
  await readyOnce(phones)
  let dialled = 0
  for (; phones.isReady(); dialled++) dial(phones, dialled)
  assert(dialled >= 1 && dialled <= 40, `${dialled} in a moment`)
  await phones.close()
  assert.equal(phones.isReady(), false)
  await toy.close()
})

test('nothing is taken while Asterisk is slow to dial, and a second later it is tried again', async () => {
  const toy = await createToyAri('22.10.1+dfsg')
  const phones = open(toy, assert.fail, 1_000)
  await phones.opened
  // Tokens for more than is dialled here.
  await clock.sleep(300, AbortSignal.any([]))
  assert.equal(phones.isReady(), true)
  toy.slowMs = 80
  for (let count = 0; count < 20; count++) dial(phones, count)
  await clock.sleep(300, AbortSignal.any([]))
  assert.equal(phones.isReady(), false)
  await readyOnce(phones)
  await phones.close()
  await toy.close()
})

test('a bucket begins empty, fills evenly and holds one second', () => {
  const bucket = createTokenBucket(0)
  assert.equal(bucket.has(10, 0), false)
  assert.equal(bucket.has(10, 99), false)
  assert.equal(bucket.has(10, 100), true)
  assert.equal(bucket.has(10, 60_000), true)
  const spent = Array.from({ length: 20 }, () => {
    const has = bucket.has(10, 60_000)
    if (has) bucket.spend()
    return has
  })
  assert.equal(spent.filter(Boolean).length, 10)
  // Less than one a second is one at a time.
  const slow = createTokenBucket(0)
  assert.deepEqual([slow.has(0.5, 1_900), slow.has(0.5, 2_100)], [false, true])
})

test('a template line is written once a value, and never holds a second line', () => {
  const values = new Map<string, readonly string[]>([
    ['one', ['1']],
    ['none', []],
    ['two', ['a', 'b']],
    ['evil', ['x\n[other]']],
    ['remark', ['x;y']],
  ])
  const text = 'a = {{one}}\nb = {{none}}\nc = {{two}}\n; {{unknown}}\nd'
  assert.equal(renderTemplate('x.conf', text, values), 'a = 1\nc = a\nc = b\n; {{unknown}}\nd')
  assert.throws(() => renderTemplate('x.conf', 'a = {{unknown}}', values), /x\.conf asks for unknown/)
  assert.throws(() => renderTemplate('x.conf', 'a = {{evil}}', values), /evil cannot stand/)
  assert.throws(() => renderTemplate('x.conf', 'a = {{remark}}', values), /remark cannot stand/)
})

test('registrations are read out of the metrics', () => {
  const line = (user: string, state: number) =>
    `asterisk_pjsip_outbound_registration_status{eid="1",username="sip:${user}@host",domain="sip:host",channel_type="PJSIP"} ${state}`
  const found = registrationsIn([line('a', 1), line('b', 2), 'asterisk_calls_sum{eid="1"} 0'].join('\n'))
  assert.deepEqual([...found.keys()], ['sip:a@host', 'sip:b@host'])
  assert.deepEqual([found.get('sip:a@host')?.isUp, found.get('sip:b@host')?.isUp], [true, false])
})

function dial(phones: AsteriskSwitch, serial: number): void {
  const channelId = `call-${serial}`
  phones.dial({ channelId, trunk: 'toy', to: '79070000180', from: '70000000001', originateTimeoutMs: 9_000 })
}

function open({ url }: ToyAri, failed: (why: string) => void, callsPerSecond: number): AsteriskSwitch {
  return createAsterisk({
    url,
    user: 'toy',
    password: 'toy',
    node: 'toy',
    isGuest: false,
    sipTransports: ['udp'],
    hepPort: undefined,
    callsPerSecond,
    trunks: () => [trunk],
    passwordOf: () => undefined,
    clock,
    log: createLog({ write: () => undefined }),
    failed,
  })
}

async function readyOnce(phones: { readonly isReady: () => boolean }): Promise<void> {
  for (let tries = 0; tries < 200 && !phones.isReady(); tries++) await clock.sleep(20, AbortSignal.any([]))
  assert.equal(phones.isReady(), true)
}
