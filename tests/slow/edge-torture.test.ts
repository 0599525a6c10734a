// Hostile packets at the address of the edge that carriers see: it stays alive, places a call afterwards, logs none of them, and sends
// nothing to an address that a packet names.

import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { askCarrier } from '../../scripts/stack/parts/carrier.ts'
import { formatSipAddress } from '../../server/src/telephony/sip/hep.ts'
import { createRandom } from '../crash/plan.ts'
import { atEnd } from '../support/at-end.ts'
import { testCarrier } from '../support/sip/asterisk.ts'
import { realClock } from '../support/sip/asterisk-switch.ts'
import { type TestEdge, testEdge } from '../support/sip/edge.ts'
import { edgeSwitch, edgeTrunk } from '../support/sip/edge-switch.ts'
import { sipRequest } from '../support/sip/stranger.ts'
import { tortureMessages } from '../support/sip/torture-messages.ts'
import { keptAlive, said, take } from '../support/suites/switch.ts'

const packets = 100_000
const batch = 200
const number = '79070001234'

const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'))
const copies = { hepPort: 9, hepKey: 'none' }
const [edge, edge6, carrier, victim] = await Promise.all([
  testEdge(copies),
  hasIpv6 ? testEdge({ ...copies, sipHost: '::1' }) : undefined,
  testCarrier(),
  // Replies go to the address of the sender, but to the port in its Via.
  openSocket('127.0.0.2'),
])
const stranger = await openSocket('127.0.0.1')
const stranger6 = hasIpv6 ? await openSocket('::1') : undefined
const network = await edgeSwitch(edge.site, carrier)
atEnd(() => network.close())
let victimPackets = 0
victim.on('message', () => victimPackets++)
const victimStreams = createServer(() => victimPackets++).listen(victim.address().port, '127.0.0.2')
atEnd(async () => victimStreams.close())
const victimAddress = `127.0.0.2:${victim.address().port}`
const strangerAddress = `127.0.0.1:${stranger.address().port}`

const hardMessages = [
  // Folded headers, odd spacing, compact names, escaped and very long values.
  `OPTIONS sip:vivekg@edge;unknownparam SIP/2.0\r\nTO :\r\n sip:v@edge ;   tag    = 1918181833n\r\nfrom   : "J Rosenberg \\\\\\""       <sip:j@x>\r\n  ;\r\n  tag = 98asjd8\r\nMaX-fOrWaRdS: 0068\r\nCall-ID: wsinv.1\r\nContent-Length   : 0\r\ncseq: 0009\r\n  OPTIONS\r\nVia  : SIP  /   2.0\r\n /UDP\r\n    ${strangerAddress};branch=z9hG4bK1\r\n\r\n`,
  `INVITE sip:%61%00@edge SIP/2.0\r\nVia: SIP/2.0/UDP ${strangerAddress};branch=z9hG4bK\r\nFrom: ${'a'.repeat(4_000)} <sip:%00@x>;tag=1\r\nTo: <sip:${number}@edge>\r\nCall-ID: long\r\nCSeq: 4294967296 INVITE\r\nMax-Forwards: -1\r\nContent-Length: -999\r\n\r\n`,
  'INVITE sip:u@edge SIP/7.0\r\n\r\n',
  'INVITE  sip:u@edge  SIP/2.0\r\nVia: \r\nVia: SIP/2.0/UDP\r\nCSeq: \r\nFrom:\r\nTo:\r\nCall-ID:\r\n\r\n',
  `REGISTER sip:edge SIP/2.0\r\nVia: SIP/2.0/UDP ${strangerAddress};branch=z9hG4bK2;maddr=${victimAddress}\r\nFrom: <sip:${number}@x>;tag=1\r\nTo: <sip:${number}@x>\r\nCall-ID: reg\r\nCSeq: 1 REGISTER\r\nContact: <sip:${victimAddress}>\r\nContent-Length: 0\r\n\r\n`,
  `SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP ${strangerAddress};branch=z9hG4bK3\r\nFrom: <sip:${number}@x>;tag=1\r\nTo: <sip:x@y>;tag=2\r\nCall-ID: rp-aa\r\nCSeq: 1 INVITE\r\nContact: <sip:v@${victimAddress}>\r\nRecord-Route: <sip:${victimAddress};lr>\r\nContent-Length: 0\r\n\r\n`,
  `SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP 127.0.0.1:${edge.site.sipPort};branch=z9hG4bK8\r\nVia: SIP/2.0/UDP ${victimAddress};branch=z9hG4bK9\r\nFrom: <sip:${number}@x>;tag=1\r\nTo: <sip:x@y>;tag=2\r\nCall-ID: other\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n`,
  `SIP/2.0 486 Busy\r\nVia: SIP/2.0/UDP ${strangerAddress};branch=z9hG4bK4\r\nFrom: <sip:${number}@x>;tag=1\r\nTo: <sip:x@${victimAddress}>;tag=2\r\nCall-ID: rp-bb\r\nCSeq: 1 INVITE\r\nContent-Length: 0\r\n\r\n`,
  `CANCEL sip:u@edge SIP/2.0\r\nVia: SIP/2.0/UDP ${strangerAddress};branch=z9hG4bK5\r\nFrom: <sip:${number}@x>;tag=1\r\nTo: <sip:x@y>\r\nCall-ID: rp-cc\r\nCSeq: 1 CANCEL\r\nX-Edge-Branch: ${victimAddress};branch=z9hG4bKx\r\nContent-Length: 0\r\n\r\n`,
  `INVITE sip:u@${victimAddress} SIP/2.0\r\nVia: SIP/2.0/UDP ${strangerAddress};branch=z9hG4bK6\r\nFrom: <sip:${number}@x>;tag=1\r\nTo: <sip:x@y>\r\nCall-ID: rp-dd\r\nCSeq: 1 INVITE\r\nRoute: <sip:${victimAddress};lr>\r\nX-Ring-Seconds: 9\r\nContent-Length: 0\r\n\r\n`,
  `BYE sip:u@${victimAddress} SIP/2.0\r\nVia: SIP/2.0/UDP ${strangerAddress};branch=z9hG4bK7\r\nRoute: <sip:${victimAddress};lr>\r\nFrom: <sip:${number}@x>;tag=1\r\nTo: <sip:x@y>;tag=9\r\nCall-ID: rp-ee\r\nCSeq: 1 BYE\r\nContent-Length: 0\r\n\r\n`,
]

test(`${packets} hostile packets: the edge calls afterwards, logs none of them and reflects nothing`, async () => {
  const random = createRandom(1)
  for (let sent = 0; sent < packets; sent += batch) {
    for (let index = 0; index < batch; index++) {
      const message = hardMessages[Math.floor(random() * hardMessages.length)] ?? ''
      stranger.send(
        sent === 0 ? Buffer.from(message) : mutated(Buffer.from(message), random),
        edge.site.sipPort,
        '127.0.0.1',
      )
    }
    // What the kernel drops was not tried.
    await realClock.sleep(5, AbortSignal.any([]))
  }
  await assertUnharmed('after-packets')
})

test('the messages of RFC 4475 and RFC 5118: the edge answers after each, logs none and reflects nothing', async () => {
  await assertAnswersAfterEach(edge, '127.0.0.1', stranger)
  await assertUnharmed('after-messages')
})

test('the same over IPv6', { skip: edge6 ? false : 'this machine has no IPv6' }, async () => {
  assert(edge6 && stranger6)
  await assertAnswersAfterEach(edge6, '::1', stranger6)
  assertSilent(edge6)
})

async function assertAnswersAfterEach({ site }: TestEdge, host: '127.0.0.1' | '::1', from: Socket): Promise<void> {
  const us = formatSipAddress({ host, port: from.address().port })
  const messages = tortureMessages({ number, us, third: victimAddress })
  assert.equal(messages.length, 49 + 11)
  for (const { name, bytes } of messages) {
    from.send(bytes, site.sipPort, host)
    await assert.doesNotReject(askCarrier(site.sipPort, host), `${name} over UDP`)
    const stream = connect(site.sipPort, host).on('error', () => undefined)
    stream.write(bytes.toString('latin1').replace('SIP/2.0/UDP', 'SIP/2.0/TCP'), 'latin1')
    assert.match(await answerOverTcp(site.sipPort, host), /^SIP\/2\.0 200 /, `${name} over TCP`)
    stream.destroy()
  }
}

async function answerOverTcp(port: number, host: string): Promise<string> {
  const socket = connect(port, host)
  socket.write(sipRequest('OPTIONS', 'edge', { address: '127.0.0.1', port }).replace('/UDP', '/TCP'))
  const [reply] = (await once(socket, 'data', { signal: AbortSignal.timeout(5_000) })) as [Buffer]
  socket.destroy()
  return reply.toString('latin1')
}

async function assertUnharmed(channelId: string): Promise<void> {
  const call = { channelId, trunk: edgeTrunk.name, to: '79070000486', from: '70000000000' }
  const leg = network.dial({ ...call, originateTimeoutMs: 20_000, flashRingMs: 5_000 })
  assert.deepEqual((await keptAlive(realClock, take(leg))).map(said), ['486 them'])
  assertSilent(edge)
}

function assertSilent({ output }: TestEdge): void {
  assert(!output().includes(number.slice(1)) && !output().includes('INVITE '), 'a packet is in the log')
  assert(output().length < 10_000, `${output().length} bytes of log`)
  assert.equal(victimPackets, 0)
}

// Some bytes replaced, removed or doubled.
function mutated(packet: Buffer, random: () => number): Buffer {
  let bytes = [...packet]
  for (let times = 1 + Math.floor(random() * 6); times > 0; times--) {
    const at = Math.floor(random() * bytes.length)
    const kind = random()
    if (kind < 0.5) bytes[at] = Math.floor(random() * 256)
    else if (kind < 0.75) bytes.splice(at, 1 + Math.floor(random() * 20))
    else bytes = [...bytes.slice(0, at), ...bytes.slice(Math.max(0, at - 30), at), ...bytes.slice(at)]
  }
  return Buffer.from(bytes)
}

async function openSocket(host: string): Promise<Socket> {
  const socket = createSocket(host === '::1' ? 'udp6' : 'udp4')
  socket.bind(0, host)
  await once(socket, 'listening')
  atEnd(async () => void socket.close())
  return socket
}
