// What a carrier receives: numbers in every format and header, over UDP and TCP, and a registration.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Trunk, trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { placeCall } from '../../server/src/engine/trunks/place-call.ts'
import { poll } from '../support/poll.ts'
import { testAsterisk, testCarrier } from '../support/sip/asterisk.ts'
import { asteriskSwitch, realClock } from '../support/sip/asterisk-switch.ts'
import { sipMessage, waitForMessage } from '../support/sip/sip-messages.ts'
import { keptAlive, said, take } from '../support/suites/switch.ts'

const [asterisk, carrier, carrierOverTcp] = await Promise.all([
  testAsterisk(),
  testCarrier(),
  testCarrier(undefined, 'tcp'),
])

type Case = {
  readonly trunk: Partial<Trunk>
  readonly called: string
  readonly from: string
  readonly pai?: string
  readonly rpid?: string
}

// To 7907000xx404, where xx is the index of the case; from 70000001234.
const cases: readonly Case[] = [
  { trunk: {}, called: '7907000', from: '70000001234', pai: '70000001234' },
  { trunk: { calledFormat: 'e164' }, called: '+7907000', from: '70000001234', pai: '70000001234' },
  { trunk: { calledFormat: 'ru-8' }, called: '8907000', from: '70000001234', pai: '70000001234' },
  { trunk: { calledFormat: 'ru-10' }, called: '907000', from: '70000001234', pai: '70000001234' },
  { trunk: { calledPrefix: '99*' }, called: '99*7907000', from: '70000001234', pai: '70000001234' },
  { trunk: { callerFormat: 'e164' }, called: '7907000', from: '+70000001234', pai: '+70000001234' },
  { trunk: { callerFormat: 'ru-8' }, called: '7907000', from: '80000001234', pai: '80000001234' },
  { trunk: { callerFormat: 'ru-10' }, called: '7907000', from: '0000001234', pai: '0000001234' },
  { trunk: { callerIdHeader: 'from' }, called: '7907000', from: '70000001234' },
  { trunk: { callerIdHeader: 'rpid' }, called: '7907000', from: '70000001234', rpid: '70000001234' },
  { trunk: { fromUser: 'customer.9' }, called: '7907000', from: 'customer.9', pai: '70000001234' },
]

const common = { ...trunkDefaults, channels: 10, callsPerSecond: 10 }
const caseTrunks = cases.map(({ trunk }, index) => ({
  ...common,
  ...trunk,
  name: `case-${index}`,
  address: carrier.address,
}))
const overTcp: Trunk = { ...common, name: 'over-tcp', transport: 'tcp', address: carrierOverTcp.address }
const registering: Trunk = {
  ...common,
  name: 'registering',
  address: carrier.address,
  user: 'ringproof-7',
  outboundRegistration: true,
}
// First, so that the others would wait for it.
const nowhere: Trunk = { ...common, name: 'nowhere', address: 'no-such-carrier.invalid' }
let trunks: readonly Trunk[] = [nowhere, ...caseTrunks, overTcp, registering]
const network = await asteriskSwitch(asterisk, () => trunks, {
  passwordOf: ({ user }) => (user === null ? undefined : 'secret'),
})

test('each number format and caller ID header is on the wire as configured', async () => {
  const numbers = cases.map((_, index) => `7907000${String(index).padStart(2, '0')}404`.slice(0, 11))
  await Promise.all(cases.map((_, index) => refused(`case-${index}`, numbers[index] ?? '')))
  for (const [index, { called, from, pai, rpid }] of cases.entries()) {
    const dialled = `${called}${numbers[index]?.slice(7)}`
    const invite = sipMessage(carrier.messages(), 'INVITE', dialled)
    const host = carrier.address
    assert.equal(invite.line, `INVITE sip:${dialled}@${host} SIP/2.0`)
    assert.equal(invite.header('From').replace(/;tag=[\w-]+$/, ''), `<sip:${from}@127.0.0.1>`)
    assert.equal(invite.header('P-Asserted-Identity'), pai === undefined ? '' : `<sip:${pai}@127.0.0.1>`)
    const party = rpid === undefined ? '' : `<sip:${rpid}@127.0.0.1>;party=calling;privacy=off;screen=no`
    assert.equal(invite.header('Remote-Party-ID'), party)
  }
})

test('an answered flash call gets its BYE within a second', async () => {
  const call = {
    channelId: 'answered',
    trunk: 'case-0',
    to: '79070003200',
    from: '70000001234',
    mode: 'flash',
  } as const
  const { progress } = placeCall(
    { switch: network, clock: realClock },
    { ...call, code: '', language: 'ru', ringMs: 5_000, countsEarlyMedia: false, callDeadlineMs: 55_000 },
  )
  const { answeredAtMs = 0, endedAtMs } = await progress
  assert(answeredAtMs > 0 && endedAtMs - answeredAtMs <= 1_000, `${answeredAtMs} to ${endedAtMs}`)
  const callId = sipMessage(carrier.messages(), 'INVITE', call.to).header('Call-ID')
  await waitForMessage(carrier, 'BYE', '127.0.0.1', (message) => message.header('Call-ID') === callId)
})

test('a carrier is reached over TCP', async () => {
  await refused('over-tcp', '79070000404')
  assert.match(sipMessage(carrierOverTcp.messages(), 'INVITE', '79070000404').header('Via'), /^SIP\/2\.0\/TCP /)
})

test('a carrier without an address affects no other trunk, and is reported separately', async () => {
  const states = await network.trunkStates()
  assert.equal(states.get('nowhere')?.isUp, false)
  assert.equal(states.get('case-1')?.isUp, true)
  const ends = (await keptAlive(realClock, take(dial('nowhere', '79070004404')))).map(said)
  assert.equal(ends.length, 1)
  assert.match(String(ends), /^(nobody|50\d them)$/)
})

test('a trunk with outbound registration registers, and stops when it is removed', async () => {
  const register = await waitForMessage(carrier, 'REGISTER', '127.0.0.1')
  assert.match(register.header('From'), /^<sip:ringproof-7@127\.0\.0\.1>/)
  assert.equal(register.header('Expires'), '300')
  await poll(
    'the registration',
    async () => (await network.trunkStates()).get('registering')?.reason,
    (reason) => reason?.endsWith('OPTIONS, registered') === true,
  )
  trunks = trunks.filter(({ name }) => name !== 'registering')
  const gone = await waitForMessage(carrier, 'REGISTER', '127.0.0.1', (message) => message.header('Expires') === '0')
  assert.match(gone.header('From'), /^<sip:ringproof-7@/)
})

test('a change of a trunk takes effect within a moment, and drops no call', async () => {
  const leg = dial('case-0', '79070001180')
  assert.deepEqual((await keptAlive(realClock, take(leg, 1))).map(said), ['ringing'])
  trunks = trunks.map((trunk) =>
    trunk.name === 'case-0' ? { ...trunk, calledFormat: 'e164', address: 'localhost:1' } : trunk,
  )
  await poll(
    'the new address to be in force',
    async () => (await network.trunkStates()).get('case-0'),
    (state) => state?.reason.startsWith('localhost:1 ') === true && !state.isUp,
  )
  // The earlier call still rings, and is cancelled in its own dialog.
  leg.hangUp()
  assert.deepEqual((await keptAlive(realClock, take(leg))).map(said), ['ringing', 'us'])
  assert.match((await waitForMessage(carrier, 'CANCEL', '79070001180')).line, /^CANCEL sip:79070001180@/)
  // Nothing listens at the new address; however Asterisk notices, another trunk may be tried.
  const [end, ...more] = (await keptAlive(realClock, take(dial('case-0', '79070002404')))).map(said)
  assert.deepEqual(more, [])
  assert(end === 'nobody' || end === '503 them', end)
})

function dial(trunk: string, to: string) {
  return network.dial({
    channelId: `${trunk}-${to}`,
    trunk,
    to,
    from: '70000001234',
    originateTimeoutMs: 30_000,
    flashRingMs: 5_000,
  })
}

async function refused(trunk: string, to: string): Promise<void> {
  assert.deepEqual((await keptAlive(realClock, take(dial(trunk, to)))).map(said), ['404 them'])
}
