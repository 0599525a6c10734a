import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import { freePort } from '../../scripts/stack/ports.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { createReturnPath, type WatchedCall } from '../../server/src/telephony/edge/return-path.ts'
import { decodeHep, hepKey, parseSipAddress } from '../../server/src/telephony/sip/hep.ts'
import { poll } from '../support/poll.ts'

const key = hepKey('password', 'asterisk')
const carrier = { host: '192.0.2.2', port: 5060 }
const us = { host: '192.0.2.1', port: 5060 }
const stranger = { host: '192.0.2.3', port: 5060 }
const tag = '27ae8b02-5892-447e-87b5-cc83a15e25bb'
const call: WatchedCall = { callId: 'one', tag, source: carrier, allowsRelay: false }

type Copy = {
  readonly text: string
  readonly from?: typeof us
  readonly to?: typeof us
  readonly protocol?: number
  readonly callId?: string
  readonly key?: string
}

const reply = (status: string, more: Partial<Copy> & { readonly vias?: string; readonly tag?: string } = {}): Copy => ({
  text: `SIP/2.0 ${status}\r\n${more.vias ?? 'Via: SIP/2.0/UDP 192.0.2.2;branch=z'}\r\nTo: <sip:a@b>;tag=${more.tag ?? tag}\r\n\r\n`,
  from: us,
  to: carrier,
  ...more,
})
const ack = (more: Partial<Copy> & { readonly tag?: string } = {}): Copy => ({
  text: `ACK sip:a@b SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.2;branch=z\r\nt: <sip:a@b>${more.tag ?? `;tag=${tag}`}\r\n\r\n`,
  from: carrier,
  to: us,
  ...more,
})
const busy = reply('486 Busy Here')

// Each is a way that a call can go; only the first is confirmed.
const ways: readonly (readonly [
  name: string,
  copies: readonly Copy[],
  isConfirmed: boolean,
  watched?: Partial<WatchedCall>,
])[] = [
  ['486 and its ACK', [busy, ack()], true],
  [
    '486 twice, ACK with another case of its header',
    [busy, busy, ack({ text: ack().text.replace('t:', 'TO :') })],
    true,
  ],
  ['no ACK', [busy], false],
  ['ACK before 486', [ack(), busy], false],
  ['ACK of a call that was cancelled', [reply('200 OK'), reply('487 Request Terminated'), ack()], false],
  ['ACK without a tag', [busy, ack({ tag: '' })], false],
  ['ACK with another tag', [busy, ack({ tag: `;tag=${tag.replace('2', '3')}` })], false],
  [
    'ACK with the tag inside the URI',
    [busy, ack({ text: ack().text.replace('>', `;tag=${tag}>;x=y`).replace(`;x=y;tag=${tag}`, '') })],
    false,
  ],
  // As many characters as the tag, and more bytes: comparing them must not throw.
  ['ACK with a tag of other letters', [busy, ack({ tag: `;tag=${'é'.repeat(tag.length)}` })], false],
  ['ACK with two To', [busy, ack({ tag: `;tag=x\r\nTo: <sip:a@b>;tag=${tag}` })], false],
  ['ACK with the tag in the body', [busy, ack({ text: `ACK sip:a@b SIP/2.0\r\n\r\nTo: <sip:a@b>;tag=${tag}` })], false],
  ['ACK from elsewhere', [busy, ack({ from: stranger })], false],
  ['ACK of another call', [busy, ack({ callId: 'two' })], false],
  ['a copy without the key', [busy, ack({ key: 'x' })], false],
  ['486 without the key', [{ ...busy, key: '' }, ack()], false],
  ['486 with another tag', [reply('486 Busy Here', { tag: 'x' }), ack()], false],
  ['another request with the tag', [busy, ack({ text: ack().text.replaceAll('ACK', 'BYE') })], false],
  ['a reply that went elsewhere', [reply('200 OK', { to: stranger }), busy, ack()], false],
  [
    'a reply with maddr',
    [reply('200 OK', { vias: 'Via: SIP/2.0/UDP 192.0.2.2;maddr=192.0.2.2;branch=z' }), busy, ack()],
    false,
  ],
  ['a reply with two Vias', [reply('200 OK', { vias: 'Via: x\r\nVia: y' }), busy, ack()], false],
  [
    'two Vias where a relay is allowed',
    [{ ...reply('486 Busy Here', { vias: 'Via: x\r\nVia: y' }) }, ack()],
    true,
    { allowsRelay: true },
  ],
  [
    'a tag that is a name-based UUID',
    [reply('486 Busy Here', { tag: tag.replace('-4', '-5') }), ack({ tag: `;tag=${tag.replace('-4', '-5')}` })],
    false,
    { tag: tag.replace('-4', '-5') },
  ],
  ['a short tag', [reply('486 Busy Here', { tag: 'as1' }), ack({ tag: ';tag=as1' })], false, { tag: 'as1' }],
]

test('only an ACK that repeats our random tag after our 486 confirms a call', async () => {
  const { path, send, close } = await open()
  const results = ways.map(async ([name, copies, , watched]) => {
    const callId = `one ${name}`
    const { confirmed, refused } = path.watch({ ...call, ...watched, callId })
    for (const copy of copies) await send({ callId, ...copy })
    refused()
    return [name, await confirmed]
  })
  assert.deepEqual(
    await Promise.all(results),
    ways.map(([name, , isConfirmed]) => [name, isConfirmed]),
  )
  await close()
})

test('a Call-ID used by two calls at a time confirms neither', async () => {
  const { path, send, close } = await open()
  const [one, other] = [path.watch(call), path.watch(call)]
  for (const copy of [busy, ack()]) await send(copy)
  assert.deepEqual(await Promise.all([one.confirmed, other.confirmed]), [false, false])
  await close()
})

test('calls beyond the limit, or pending when the listener closes, are unconfirmed', async () => {
  const { path, close } = await open()
  const all = Array.from({ length: 10_001 }, (_, n) => path.watch({ ...call, callId: String(n) }).confirmed)
  assert.equal(await all.at(-1), false)
  await close()
  assert.deepEqual(new Set(await Promise.all(all)), new Set([false]))
})

test('the transport of an INVITE is what Asterisk saw, and unknown when two copies differ', async () => {
  const { path, send, close } = await open()
  const invite = (callId: string, protocol: number) => ({ text: 'INVITE x', from: carrier, callId, protocol })
  await send(invite('tcp', 6))
  await send(invite('udp', 17))
  await send({ ...invite('behind another', 6), text: 'ACK x' })
  await send(invite('both', 6))
  await send(invite('both', 17))
  const late = path.protocolOf('late', carrier)
  await send(invite('late', 6))
  assert.deepEqual(
    await Promise.all(['tcp', 'udp', 'behind another', 'both', 'none'].map((id) => path.protocolOf(id, carrier))),
    ['tcp', 'udp', 'tcp', undefined, undefined],
  )
  assert.equal(await late, 'tcp')
  assert.equal(await path.protocolOf('tcp', stranger), undefined)
  await close()
})

test('a port in use is retried until it is free', async () => {
  const port = await freePort()
  const holder = createSocket('udp4').bind(port, '127.0.0.1')
  await once(holder, 'listening')
  const warned = Promise.withResolvers<string>()
  const { path, send, close } = await open(port, warned.resolve)
  assert.match(await warned.promise, /RINGPROOF_HEP_PORT/)
  holder.close()
  const { confirmed } = path.watch(call)
  const again = setInterval(() => void send(busy).then(() => send(ack())), 50)
  assert.equal(await confirmed, true)
  clearInterval(again)
  await close()
})

test('a malformed copy is ignored', () => {
  const whole = encode(busy)
  assert(decodeHep(whole, key))
  for (let length = 0; length < whole.length; length++)
    assert.equal(decodeHep(whole.subarray(0, length), key), undefined)
  for (let at = 0; at < whole.length; at++) {
    const broken = Buffer.from(whole)
    broken[at] = (broken[at] ?? 0) ^ 0xff
    decodeHep(broken, key)
  }
})

test('addresses are compared in one canonical form', () => {
  assert.deepEqual(parseSipAddress('192.0.2.1:5060'), us)
  assert.deepEqual(parseSipAddress('[2001:DB8:0::1]:5060'), { host: '2001:db8::1', port: 5060 })
  assert.equal(parseSipAddress('192.0.2.1'), undefined)
  assert.equal(parseSipAddress('a.example:1'), undefined)
})

// Five times as fast as on the wire, and listening.
async function open(port?: number, warn: (line: string) => void = () => undefined) {
  const at = port ?? (await freePort())
  const log = createLog({ write: warn })
  const path = createReturnPath({ port: at, key, readers: [], clock: createClock(0.2), log })
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const send = (copy: Copy) =>
    new Promise<void>((resolve) => socket.send(encode(copy), at, '127.0.0.1', () => setImmediate(resolve)))
  const probe = { text: 'INVITE x', from: us, callId: 'probe' }
  if (port === undefined) {
    await poll('the first copy to arrive', async () => {
      await send(probe)
      return path.protocolOf('probe', us)
    })
  }
  const close = async () => {
    socket.close()
    await path.close()
  }
  return { path, send, close }
}

function encode({ text, from = us, to = us, protocol = 17, callId = 'one', key: shown = key }: Copy): Buffer {
  const address = (host: string) => Buffer.from(host.split('.').map(Number))
  const port = (number: number) => Buffer.from([number >> 8, number & 255])
  const chunks: [number, Buffer][] = [
    [2, Buffer.from([protocol])],
    [3, address(from.host)],
    [4, address(to.host)],
    [7, port(from.port)],
    [8, port(to.port)],
    [14, Buffer.from(shown)],
    [17, Buffer.from(callId)],
    [15, Buffer.from(text)],
  ]
  const body = chunks.map(([type, value]) => {
    const head = Buffer.alloc(6)
    head.writeUInt16BE(type, 2)
    head.writeUInt16BE(value.length + 6, 4)
    return Buffer.concat([head, value])
  })
  const all = Buffer.concat(body)
  return Buffer.concat([Buffer.from('HEP3'), port(all.length + 6), all])
}
