// Inbound calls while the edge or our process goes, and how much a forger can make the edge send to a carrier.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import type { Edge } from '../../server/src/telephony/edge/edge.ts'
import type { InboundCall } from '../../server/src/telephony/switch.ts'
import { atEnd } from '../support/at-end.ts'
import { poll } from '../support/poll.ts'
import { testEdge } from '../support/sip/edge.ts'
import { edgeSwitch } from '../support/sip/edge-switch.ts'

const edge = await testEdge({ hepPort: 9, hepKey: 'none' })
const openSwitch = () => edgeSwitch(edge.site, { address: '127.0.0.1:9' })
const socket = createSocket({ type: 'udp4', recvBufferSize: 4_000_000 }).bind(0, '127.0.0.1')
await once(socket, 'listening')
atEnd(async () => void socket.close())
const replies = new Map<string, string[]>()
socket.on('message', (message) => {
  const text = message.toString('latin1')
  const name = /^Call-ID: (\S+)/m.exec(text)?.[1] ?? ''
  if (statusOf(text) > 100) replies.set(name, [...(replies.get(name) ?? []), text])
})

test('our process goes before the ACK: the next one gets the call, confirmed', async () => {
  const first = await openSwitch()
  const name = await ringing()
  const before = await nextCall(first)
  await first.close()
  const second = await openSwitch()
  await acknowledge(name, 486)
  const after = await nextCall(second)
  assert.deepEqual([after.channelId, await after.isConfirmed], [before.channelId, true])
  after.handled()
  await second.close()
})

test('our process goes after the ACK, before it has handled the call: the next one gets it', async () => {
  const first = await openSwitch()
  const name = await ringing()
  const before = await nextCall(first)
  await acknowledge(name, 486)
  assert.equal(await before.isConfirmed, true)
  await first.close()
  const second = await openSwitch()
  const after = await nextCall(second)
  assert.deepEqual([after.channelId, await after.isConfirmed], [before.channelId, true])
  after.handled()
  await second.close()
})

test('the edge is killed before the ACK: the call is not confirmed', async () => {
  const network = await openSwitch()
  await ringing()
  const call = await nextCall(network)
  await edge.kill('SIGKILL')
  await edge.start()
  assert.equal(await call.isConfirmed, false)
  await network.close()
})

test('a caller who hangs up while it rings has confirmed the call by the ACK of our 487', async () => {
  const network = await openSwitch()
  const name = await ringing()
  const call = await nextCall(network)
  send('CANCEL', name)
  await acknowledge(name, 487)
  assert.equal(await call.isConfirmed, true)
  call.handled()
  await network.close()
})

test('of 1 500 calls without an ACK 1 000 ring, the rest gets one reply each; later ones ring again', async () => {
  const network = await openSwitch()
  // The first one rings: the edge knows where calls may come from.
  const names = [await ringing()]
  for (let n = 1; n < 1_500; n++) {
    names.push(invite())
    if (n % 50 === 49) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await poll('every call to be replied to', () => names.every((name) => replies.has(name)))
  const statuses = Map.groupBy(names, (name) => statusOf(replies.get(name)?.[0]))
  assert.deepEqual([statuses.get(180)?.length, statuses.get(503)?.length], [1_000, 500])
  await ringing()
  assert(statuses.get(503)?.every((name) => replies.get(name)?.length === 1))
  await network.close()
})

async function nextCall({ inbound }: Edge): Promise<InboundCall> {
  const { value } = await inbound[Symbol.asyncIterator]().next()
  return value as InboundCall
}

// Resolves with the Call-ID of a call that rings: an edge that has just been started, or is busy, refuses some before.
async function ringing(): Promise<string> {
  let name = ''
  const isRinging = async () => {
    name = invite()
    await poll('a reply', () => replies.has(name))
    return statusOf(replies.get(name)?.[0]) === 180
  }
  await poll('a call to ring', isRinging, Boolean, { intervalMs: 100 })
  return name
}

function invite(): string {
  const name = randomBytes(8).toString('hex')
  send('INVITE', name)
  return name
}

async function acknowledge(name: string, status: number): Promise<void> {
  const final = () => replies.get(name)?.find((text) => statusOf(text) === status)
  await poll(`a ${status}`, () => final() !== undefined)
  send('ACK', name, /^To: (.*)\r$/m.exec(final() ?? '')?.[1])
}

function send(method: string, name: string, to = '<sip:+70000010001@127.0.0.1>'): void {
  const lines = [
    `${method} sip:+70000010001@127.0.0.1:${edge.site.sipPort} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${socket.address().port};branch=z9hG4bK${name}`,
    `From: <sip:+79070000001@carrier.example>;tag=${name}`,
    `To: ${to}`,
    `Call-ID: ${name}`,
    `CSeq: 1 ${method}`,
    'Max-Forwards: 70',
    `Contact: <sip:carrier@127.0.0.1:${socket.address().port}>`,
    'Content-Length: 0',
  ]
  socket.send(`${lines.join('\r\n')}\r\n\r\n`, edge.site.sipPort, '127.0.0.1')
}

function statusOf(reply = ''): number {
  return Number(/^SIP\/2\.0 (\d{3})/.exec(reply)?.[1])
}
