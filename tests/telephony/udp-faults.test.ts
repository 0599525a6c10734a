// A carrier over UDP at its worst: it loses the first copy of every packet, or its phone is answered at the moment we
// cancel.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import type { LegEvent } from '../../server/src/telephony/switch.ts'
import { atEnd } from '../support/at-end.ts'
import { testAsterisk } from '../support/sip/asterisk.ts'
import { asteriskSwitch } from '../support/sip/asterisk-switch.ts'

const asterisk = await testAsterisk()
const lossy = await createCarrier({ losesFirst: true, answersLate: false })
const late = await createCarrier({ losesFirst: false, answersLate: true })
const common = { ...trunkDefaults, channels: 1, callsPerSecond: 1 }
const network = await asteriskSwitch(asterisk, () => [
  { ...common, name: 'lossy', address: lossy.address },
  { ...common, name: 'late', address: late.address },
])

test('with the first copy of every packet lost, the phone rings once and stops when we cancel', async () => {
  const events = await flash('lossy')
  assert.deepEqual(events.map(said), ['ringing', 'ended by us'])
  await lossy.hasHeard('ACK', 2)
  assert.equal(lossy.dialogs(), 1, 'a retransmitted INVITE started another call')
  for (const method of ['INVITE', 'CANCEL', 'ACK']) assert(lossy.count(method) >= 2, `${method} was not retransmitted`)
})

test('a phone answered while we cancel is hung up at once, and the call counts as ended by us', async () => {
  const events = await flash('late')
  assert.deepEqual(events.map(said), ['ringing', 'ended by us'])
  // The 200 is acknowledged, and not a second of it is charged.
  await late.hasHeard('ACK', 1)
  await late.hasHeard('BYE', 1)
  assert.equal(late.dialogs(), 1)
})

async function flash(trunk: string): Promise<readonly LegEvent[]> {
  const leg = network.dial({
    channelId: trunk,
    trunk,
    to: '79070000180',
    from: '70000000001',
    originateTimeoutMs: 20_000,
    flashRingMs: 5_000,
  })
  const events: LegEvent[] = []
  for await (const event of leg.events) {
    events.push(event)
    if (event.type === 'ringing') leg.hangUp()
  }
  return events
}

function said(event: LegEvent): string {
  return event.type === 'ended' ? `ended by ${event.by}` : event.type
}

type Faults = { readonly losesFirst: boolean; readonly answersLate: boolean }

async function createCarrier({ losesFirst, answersLate }: Faults) {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  atEnd(async () => socket.close())
  const { port } = socket.address()
  const received: string[] = []
  const dialogs = new Set<string>()
  const seen = new Set<string>()
  let repeating: NodeJS.Timeout | undefined
  let arrival = Promise.withResolvers<void>()
  const header = (text: string, name: string) => new RegExp(`^${name}: *(.*?)\r?$`, 'im').exec(text)?.[1] ?? ''
  const count = (method: string) => received.filter((one) => one === method).length
  socket.on('message', (data, from) => {
    const text = data.toString()
    const [method = ''] = text.split(' ', 1)
    const reply = (status: string, cseq = header(text, 'CSeq'), tag = ';tag=carrier') => {
      const to = header(text, 'To')
      const lines = [
        `SIP/2.0 ${status}`,
        `Via: ${header(text, 'Via')}`,
        `From: ${header(text, 'From')}`,
        `To: ${to.includes(';tag=') ? to : `${to}${tag}`}`,
        `Call-ID: ${header(text, 'Call-ID')}`,
        `CSeq: ${cseq}`,
        `Contact: <sip:carrier@127.0.0.1:${port}>`,
      ]
      const body = status === '200 OK' && cseq.endsWith('INVITE') ? sound : ''
      const kind = body === '' ? [] : ['Content-Type: application/sdp']
      socket.send([...lines, ...kind, `Content-Length: ${body.length}`, '', body].join('\r\n'), from.port, from.address)
    }
    if (method === 'OPTIONS') return reply('200 OK')
    received.push(method)
    arrival.resolve()
    arrival = Promise.withResolvers()
    if (method === 'INVITE') dialogs.add(header(text, 'Call-ID'))
    const isFirst = !seen.has(method)
    seen.add(method)
    if (losesFirst && isFirst) return undefined
    if (method === 'INVITE') return reply('180 Ringing')
    if (method === 'BYE') return reply('200 OK')
    if (method === 'ACK') return clearInterval(repeating)
    if (method !== 'CANCEL') return undefined
    reply('200 OK')
    const final = () =>
      reply(answersLate ? '200 OK' : '487 Request Terminated', header(text, 'CSeq').replace('CANCEL', 'INVITE'))
    final()
    // A final response is repeated until the ACK arrives.
    repeating ??= setInterval(final, 200)
    return undefined
  })
  atEnd(async () => clearInterval(repeating))
  return {
    address: `127.0.0.1:${port}`,
    count,
    dialogs: () => dialogs.size,
    hasHeard: async (method: string, times: number) => {
      while (count(method) < times) await arrival.promise
    },
  }
}

const sound = [
  'v=0',
  'o=carrier 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 40000 RTP/AVP 8',
  'a=rtpmap:8 PCMA/8000',
  '',
].join('\r\n')
