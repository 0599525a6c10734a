// The inside of the edge: what is not signed with the key of its configuration places no call, changes no setting and takes no event.
// And its outside: what is longer than a message of a carrier is not passed on.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import { askCarrier } from '../../scripts/stack/parts/carrier.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { edgeKeys, signRequest } from '../../server/src/telephony/edge/key.ts'
import { probeEdge } from '../../server/src/telephony/edge/probe.ts'
import { atEnd } from '../support/at-end.ts'
import { poll } from '../support/poll.ts'
import { testEdge } from '../support/sip/edge.ts'
import { edgeSwitch } from '../support/sip/edge-switch.ts'

const edge = await testEdge({ hepPort: 9, hepKey: 'none' })
const { insideHost, insidePort, sipPort, keys } = edge.site
const [carrier, attacker] = await Promise.all([openSocket(), openSocket()])
const received: string[] = []
carrier.on('message', (packet) => received.push(packet.toString('latin1')))
const replies: string[] = []
attacker.on('message', (packet) => replies.push(packet.toString('latin1')))

test('an INVITE without a signature, or with that of another one, places no call', async () => {
  const invite = () => request('INVITE', boundFor(carrier), ['X-Edge-Boot: 1', 'X-Ring-Seconds: 5'])
  const signed = () => signRequest(keys, invite())
  const forged = [
    invite(),
    signRequest(edgeKeys('guessed'), invite()),
    signed().replace('<sip:ringproof@', '<sip:other@'),
    signed().replace('X-Ring-Seconds: 5', 'X-Ring-Seconds: 500'),
    signed().replace('INVITE sip:', 'INVITE sip:+7@'),
  ]
  for (const text of forged) assert.match(await replyTo(text), /^SIP\/2\.0 403 Not Signed/)
  // With its signature it gets as far as the check of the start time.
  assert.match(await replyTo(signed()), /^SIP\/2\.0 503 Edge Restarted/)
  assert.deepEqual(received, [])
})

test('a CANCEL for a lost call and a request of "Asterisk" are sent nowhere without a key', async () => {
  const cancel = request('CANCEL', boundFor(carrier), ['X-Edge-Branch: 127.0.0.1;branch=z9hG4bKx'])
  assert.match(await replyTo(cancel), /^SIP\/2\.0 403 Not Signed/)
  for (const route of [`<sip:127.0.0.1:${insidePort};lr>`, `<sip:127.0.0.1:${insidePort};lr;key=${'0'.repeat(64)}>`]) {
    for (const method of ['INVITE', 'OPTIONS', 'REGISTER', 'CANCEL']) {
      const reply = await replyTo(request(method, boundFor(carrier), [`Route: ${route}`]))
      assert.match(reply, /^SIP\/2\.0 403 Not Asterisk/, method)
    }
  }
  assert.deepEqual(received, [])
})

test('a PUBLISH without a signature neither takes the events of inbound calls nor forgets where they come from', async () => {
  const network = await edgeSwitch(edge.site, { address: '127.0.0.1:9' })
  const rings = async () => {
    const name = randomBytes(8).toString('hex')
    return (await replyTo(inbound(name), sipPort)).startsWith('SIP/2.0 180 ')
  }
  await poll('a call to ring', rings, Boolean, { intervalMs: 100 })
  const before = replies.length
  attacker.send(request('PUBLISH', 'edge.invalid', []), insidePort, insideHost)
  attacker.send(
    request('PUBLISH', 'edge.invalid', ['X-Edge-Nonce: 0', 'X-Edge-Carriers: 127.0.0.1|relays']),
    insidePort,
    insideHost,
  )
  await askCarrier(sipPort, '127.0.0.1')
  assert(await rings())
  // An event would begin with its signature.
  assert.deepEqual(
    replies.slice(before).filter((text) => !text.startsWith('SIP/2.0 ')),
    [],
  )
  await network.close()
})

test('a message of more than 8 kB is refused and reported to nobody', async () => {
  const network = await edgeSwitch(edge.site, { address: '127.0.0.1:9' })
  const calls = network.inbound[Symbol.asyncIterator]()
  const long = (bytes: number) => inbound(randomBytes(8).toString('hex'), [`X: ${'a'.repeat(bytes)}`])
  await poll('a call to ring', async () => (await replyTo(long(7_000), sipPort)).startsWith('SIP/2.0 180 '), Boolean, {
    intervalMs: 100,
  })
  for (const bytes of [9_000, 30_000]) assert.match(await replyTo(long(bytes), sipPort), /^SIP\/2\.0 513 /)
  const caller = '+79070000009'
  assert.match(await replyTo(inbound('last', [], caller), sipPort), /^SIP\/2\.0 180 /)
  const seen: string[] = []
  while (seen.at(-1) !== caller) seen.push(((await calls.next()).value as { readonly from: string }).from)
  assert.equal(seen.length, 2)
  await network.close()
})

test('an edge with another key is found by doctor, and gets no calls', async () => {
  const never = AbortSignal.timeout(30_000)
  const place = { host: insideHost, port: insidePort }
  await assert.doesNotReject(probeEdge(place, keys, createClock(1), randomBytes, never))
  await assert.rejects(probeEdge(place, edgeKeys('other'), createClock(1), randomBytes, never), /it has another key/)
})

function request(method: string, host: string, headers: readonly string[]): string {
  const name = randomBytes(8).toString('hex')
  return [
    `${method} sip:${host} SIP/2.0`,
    `Via: SIP/2.0/UDP ${boundFor(attacker)};branch=z9hG4bK${name}`,
    `From: <sip:ringproof@edge.invalid>;tag=${name}`,
    `To: <sip:${host}>`,
    `Call-ID: rp-${name}`,
    `CSeq: 1 ${method}`,
    'Max-Forwards: 70',
    ...headers,
    'Content-Length: 0',
    '\r\n',
  ].join('\r\n')
}

function inbound(name: string, headers: readonly string[] = [], caller = '+79070000001'): string {
  return [
    `INVITE sip:+70000010001@127.0.0.1:${sipPort} SIP/2.0`,
    `Via: SIP/2.0/UDP ${boundFor(attacker)};branch=z9hG4bK${name}`,
    `From: <sip:${caller}@carrier.example>;tag=${name}`,
    'To: <sip:+70000010001@127.0.0.1>',
    `Call-ID: ${name}`,
    'CSeq: 1 INVITE',
    'Max-Forwards: 70',
    ...headers,
    'Content-Length: 0',
    '\r\n',
  ].join('\r\n')
}

// The first reply to this request, apart from 100.
async function replyTo(text: string, port = insidePort): Promise<string> {
  const branch = /branch=(\S+)/.exec(text)?.[1] ?? ''
  const reply = () => replies.find((one) => one.includes(branch) && !one.startsWith('SIP/2.0 100 '))
  attacker.send(text, port, insideHost)
  await poll(`a reply to ${text.split('\r\n', 1)[0]}`, () => reply() !== undefined)
  return reply() ?? ''
}

async function openSocket(): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', sendBufferSize: 1_000_000 }).bind(0, '127.0.0.1')
  await once(socket, 'listening')
  atEnd(async () => void socket.close())
  return socket
}

function boundFor(socket: Socket): string {
  return `127.0.0.1:${socket.address().port}`
}
