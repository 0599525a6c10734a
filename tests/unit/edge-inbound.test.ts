// Inbound calls as the edge reports them: an event that is lost, repeated or out of order changes nothing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Trunk, trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createEdgeInbound } from '../../server/src/telephony/edge/inbound.ts'
import { edgeKeys, signatureOf } from '../../server/src/telephony/edge/key.ts'
import type { InboundCall } from '../../server/src/telephony/switch.ts'
import { poll } from '../support/poll.ts'

const tag = 'a'.repeat(32)
const received = `X-Edge-Received: ${tag}`
const trunk: Trunk = { ...trunkDefaults, channels: 1, callsPerSecond: 1, name: 'carrier', address: '192.0.2.1:5060' }

const keys = edgeKeys('password')

function eventText(kind: string, { source = '192.0.2.1', transport = 'udp' } = {}): string {
  const invite = [
    'INVITE sip:+70000010001@192.0.2.9 SIP/2.0',
    'Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKx',
    'From: <sip:+79070000001@carrier.example>;tag=x',
    '',
    '',
  ]
  return `${kind} ${tag}|${transport}|${source}|5060|call-id|\r\n${invite.join('\r\n')}`
}

async function open(changes: Partial<Trunk> = {}) {
  const sent: string[][] = []
  const inbound = createEdgeInbound({
    trunks: () => [
      { ...trunk, ...changes },
      { ...trunk, name: 'over-tcp', transport: 'tcp' },
    ],
    publish: (headers) => void sent.push([...headers]),
    clock: createClock(1),
    keys,
  })
  inbound.onEdgeStarted()
  await poll('addresses to be announced', () => sent.length > 0)
  const calls = inbound.calls[Symbol.asyncIterator]()
  const next = async () => (await calls.next()).value as InboundCall
  const acknowledged = () => sent.filter(([first]) => first === received).length
  const nonce = sent[0]?.[0]?.replace('X-Edge-Nonce: ', '') ?? ''
  const onPacket = (event: string, signature = signatureOf(keys, nonce, event)) =>
    inbound.onPacket(Buffer.from(`${signature} ${event}`))
  return { ...inbound, onPacket, nonce, sent, next, acknowledged }
}

test('the edge gets the addresses of all trunks, and 256 random bits', async () => {
  const { sent, close } = await open({ address: '[2001:db8::1]:5060', allowsRelay: true })
  const [[key = '', carriers = ''] = []] = sent
  assert.match(key, /^X-Edge-Nonce: [0-9a-f]{64}$/)
  assert.equal(carriers, 'X-Edge-Carriers: 2001:db8:0:0:0:0:0:1|relays,192.0.2.1|direct')
  close()
  assert.deepEqual(sent.at(-1), [])
})

test('arrived, then confirmed: acknowledged when the call has been handled', async () => {
  const { onPacket, next, acknowledged, close } = await open()
  assert(onPacket(eventText('arrived')))
  const call = await next()
  assert.deepEqual([call.trunk, call.from, call.called], ['carrier', '+79070000001', '+70000010001'])
  onPacket(eventText('confirmed'))
  onPacket(eventText('confirmed'))
  assert.equal(await call.isConfirmed, true)
  assert.equal(acknowledged(), 0)
  call.handled()
  assert.equal(acknowledged(), 1)
  // Its acknowledgement was lost.
  onPacket(eventText('confirmed'))
  assert.equal(acknowledged(), 2)
  close()
})

test('a process that starts in between gets the call with its outcome', async () => {
  const { onPacket, next, close } = await open()
  onPacket(eventText('confirmed'))
  assert.equal(await (await next()).isConfirmed, true)
  close()
})

test('the second outcome of a call does not count', async () => {
  const { onPacket, next, close } = await open()
  onPacket(eventText('unconfirmed'))
  onPacket(eventText('confirmed'))
  assert.equal(await (await next()).isConfirmed, false)
  close()
})

test('a call that is pending when the edge starts again is not confirmed', async () => {
  const { onPacket, onEdgeStarted, next, close } = await open()
  onPacket(eventText('arrived'))
  const call = await next()
  onEdgeStarted()
  assert.equal(await call.isConfirmed, false)
  close()
})

test('a closing process leaves the outcome to the next one', async () => {
  const { onPacket, next, acknowledged, close } = await open()
  onPacket(eventText('arrived'))
  const call = await next()
  close()
  assert.equal(await call.isConfirmed, false)
  call.handled()
  onPacket(eventText('confirmed'))
  assert.equal(acknowledged(), 0)
})

test('of two trunks to one address the one with its transport gets the call', async () => {
  const { onPacket, next, close } = await open()
  onPacket(eventText('arrived', { transport: 'tcp' }))
  assert.equal((await next()).trunk, 'over-tcp')
  close()
})

test('a call from an address without a trunk is acknowledged and not handled', async () => {
  const { onPacket, acknowledged, close } = await open()
  onPacket(eventText('confirmed', { source: '192.0.2.77' }))
  assert.equal(acknowledged(), 1)
  close()
})

test('a number that is not ours is reported to the edge', async () => {
  const { onPacket, next, sent, close } = await open()
  onPacket(eventText('arrived'))
  const call = await next()
  call.reject(486)
  call.reject(404)
  assert.deepEqual(sent.slice(1), [[`X-Edge-Unknown: ${tag}`]])
  close()
})

test('an event of another key, of an earlier process, for another call or changed on its way confirms nothing', async () => {
  const { onPacket, nonce, next, acknowledged, close } = await open()
  const event = eventText('confirmed')
  const arrived = eventText('arrived')
  const other = event.replaceAll(tag, 'b'.repeat(32))
  for (const [text, signature] of [
    [event, ''],
    [event, '0'.repeat(64)],
    [event, signatureOf(edgeKeys('guessed'), nonce, event)],
    [event, signatureOf(keys, 'f'.repeat(64), event)],
    [event, signatureOf(keys, nonce, arrived)],
    [other, signatureOf(keys, nonce, event)],
    [event.replace('+79070000001', '+79070000002'), signatureOf(keys, nonce, event)],
    [event.replace('192.0.2.1|', '192.0.2.2|'), signatureOf(keys, nonce, event)],
  ] as const) {
    assert.equal(onPacket(text, signature), false)
  }
  assert.equal(acknowledged(), 0)
  // Nothing was taken from them: the first call is the genuine one.
  onPacket(arrived)
  const call = await next()
  assert.equal(call.from, '+79070000001')
  close()
  assert.equal(await call.isConfirmed, false)
})

test('other packets are not about inbound calls', async () => {
  const { onPacket, close } = await open()
  assert.equal(onPacket('branch x z9hG4bKx'), false)
  assert.equal(onPacket(eventText('confirmed', { transport: 'sctp' })), false)
  close()
})
