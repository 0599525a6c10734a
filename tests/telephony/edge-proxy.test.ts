// Asterisk behind the edge: carriers see one address, a call leaves one SIP flow, and no phone rings on when a program is killed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import type { SipMessage } from '../../server/src/domain/verifications/sip-message.ts'
import { atEnd } from '../support/at-end.ts'
import { poll } from '../support/poll.ts'
import { testAsterisk, testCarrier } from '../support/sip/asterisk.ts'
import { asteriskSwitch, realClock } from '../support/sip/asterisk-switch.ts'
import { createRegistrar } from '../support/sip/registrar.ts'
import { createReinvitingCarrier } from '../support/sip/reinviting-carrier.ts'
import { createRingingCarrier } from '../support/sip/ringing-carrier.ts'
import { sipMessage } from '../support/sip/sip-messages.ts'
import { createStranger, sipRequest } from '../support/sip/stranger.ts'
import { keptAlive, said, take } from '../support/suites/switch.ts'

const [asterisk, carrier, overTcp, registrar, ringing, reinviting] = await Promise.all([
  testAsterisk({ hasEdge: true }),
  testCarrier(),
  testCarrier(undefined, 'tcp'),
  createRegistrar(new Map([['customer', 'secret']])),
  createRingingCarrier(),
  createReinvitingCarrier(),
])
const { edge } = asterisk
assert(edge)
atEnd(async () => ringing.close())
const edgeAddress = `127.0.0.1:${edge.site.sipPort}`
const common = { ...trunkDefaults, channels: 10, callsPerSecond: 10 }
const registering = { name: 'registering', user: 'customer', outboundRegistration: true }
const trunks = [
  { ...common, name: 'udp', address: carrier.address },
  { ...common, name: 'tcp', address: overTcp.address, transport: 'tcp' as const },
  { ...common, ...registering, address: registrar.address },
  { ...common, name: 'reinviting', address: reinviting.address },
  { ...common, name: 'ringing', address: ringing.address, fromUser: 'us' },
]
const network = await asteriskSwitch(asterisk, () => trunks, { passwordOf: () => 'secret' })
await poll('every carrier to answer', async () => [...(await network.trunkStates()).values()].every(({ isUp }) => isUp))

for (const [trunk, place] of [
  ['udp', carrier],
  ['tcp', overTcp],
] as const) {
  test(`a voice call over ${trunk}: all of it goes through the edge, and is kept once`, async () => {
    const leg = dial(trunk, '200')
    await keptAlive(realClock, take(leg, 2))
    assert.equal(await keptAlive(realClock, leg.speak('12', 'ru')), true)
    leg.hangUp()
    const messages = await leg.messages()
    assert.deepEqual(messages.map(shortOf), ['> INVITE', '< 100', '< 180', '< 200', '> ACK', '> BYE', '< 200'])
    const sent = messages.filter(({ isSent }) => isSent)
    assert.deepEqual(new Set(sent.map(({ source }) => source)), new Set([edgeAddress]))
    const contact = trunk === 'tcp' ? `${edgeAddress};transport=tcp` : edgeAddress
    const invite = sipMessage(place.messages(), 'INVITE', '79070000200')
    assert.match(invite.header('Contact'), new RegExp(`@${contact}>$`))
    assert.match(invite.header('Via'), new RegExp(` ${edgeAddress};`))
    assert.equal(invite.header('X-Ring-Seconds'), '')
    assert.equal(invite.header('Route'), '')
  })
}

test('the carrier hangs up: Asterisk gets the BYE', async () => {
  const leg = dial('udp', '299')
  assert.deepEqual((await keptAlive(realClock, take(leg))).map(said), ['ringing', 'answered', 'them'])
  assert.equal((await leg.messages()).map(shortOf).at(-1), '> 200')
})

test('the carrier sends INVITE, ACK and BYE within the call: Asterisk answers through the edge', async () => {
  const ends = await keptAlive(realClock, take(dial('reinviting', '200')))
  assert.deepEqual(ends.map(said), ['answered', 'them'])
  const replies = await poll('both replies', reinviting.replies, ({ length }) => length === 2)
  assert.deepEqual(
    replies.map((text) => /^SIP\/2\.0 (\d+)[\s\S]*^CSeq: (.*?)\r$/m.exec(text)?.slice(1)),
    [
      ['200', '1 INVITE'],
      ['200', '2 BYE'],
    ],
  )
  assert.match(String(replies[0]), new RegExp(`^Contact: <sip:[^@]*@${edgeAddress}>`, 'm'))
  assert.deepEqual(reinviting.senders(), new Set([edgeAddress]))
})

test('a carrier that refuses or is silent: the same end as without the edge', async () => {
  const ends = await Promise.all(
    ['486', '503', '000'].map(async (scenario) => (await keptAlive(realClock, take(dial('udp', scenario)))).map(said)),
  )
  assert.deepEqual(ends, [['486 them'], ['503 them'], ['nobody']])
})

test('a registration names the edge, and what carriers reply is known', () => {
  const register = registrar.received().findLast((text) => text.startsWith('REGISTER '))
  assert.match(String(register), new RegExp(`^Contact: <sip:customer@${edgeAddress}>`, 'm'))
  const { optionsStatus, registerStatus, rttMs, silentMs, ourAddress } = network.signalsOf({
    ...common,
    ...registering,
    address: registrar.address,
  })
  assert.deepEqual([optionsStatus, registerStatus, ourAddress], [200, 200, '127.0.0.1'])
  assert(Number(rttMs) < 1_000 && (silentMs ?? 0) < 3_000)
})

test('a stranger gets nothing relayed, whatever Route and Request-URI say', async () => {
  const [stranger, third] = await Promise.all([createStranger(), createStranger('127.0.0.67')])
  const from = { address: '127.0.0.66', port: stranger.port }
  const inside = `127.0.0.1:${edge.site.insidePort}`
  const targets = [`127.0.0.67:${third.port}`, `127.0.0.1:${asterisk.site.sipPort}`, inside]
  for (const target of targets) {
    for (const method of ['INVITE', 'BYE', 'UPDATE', 'INFO', 'MESSAGE', 'ACK']) {
      const route = `Route: <sip:${edgeAddress};lr>\r\nRoute: <sip:${inside};lr>\r\nRoute: <sip:${target};lr>\r\n`
      const text = sipRequest(method, '79070000200', from, route)
      const inDialog = text.replace(/^To: (.*)$/m, 'To: $1;tag=known').replace(/@127\.0\.0\.1 SIP/, `@${target} SIP`)
      stranger.send(text, edge.site.sipPort)
      stranger.send(inDialog.replaceAll('z9hG4bK', 'z9hG4bKd'), edge.site.sipPort)
    }
  }
  const asked = targets.length * 5 * 2
  await poll('an answer to each but the ACKs', () => stranger.received().length >= asked)
  for (const reply of stranger.received()) assert.match(reply, /^SIP\/2\.0 (200|403|481) /)
  assert.deepEqual(third.received(), [])
  stranger.close()
  third.close()
})

test('the edge is killed and started again while a phone rings: Asterisk still ends the ringing', async () => {
  const leg = dial('ringing', '180')
  await keptAlive(realClock, take(leg, 1))
  await edge.kill('SIGKILL')
  await edge.start()
  leg.hangUp()
  assert.equal((await ringing.ends('us', 1)).length, 1)
})

test('Asterisk is killed while a phone rings: the edge ends the ringing at the limit', async () => {
  const leg = dial('ringing', '180', 4_000)
  await keptAlive(realClock, take(leg, 1))
  process.kill(asterisk.pid(), 'SIGKILL')
  const [, rangMs = 0] = await ringing.ends('us', 2)
  assert(rangMs >= 4_000 && rangMs <= 7_000, `rang ${rangMs} ms`)
})

function dial(trunk: string, scenario: string, originateTimeoutMs = 30_000) {
  const to = `79070000${scenario}`
  return network.dial({
    channelId: `${trunk}-${scenario}-${originateTimeoutMs}`,
    trunk,
    to,
    from: '70000000000',
    originateTimeoutMs,
  })
}

function shortOf({ isSent, text }: SipMessage): string {
  const [first = '', second = ''] = text.split(' ')
  return `${isSent ? '>' : '<'} ${first === 'SIP/2.0' ? second : first}`
}
