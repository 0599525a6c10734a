// Whatever a request contains, only the digits of numbers vary in what Asterisk is asked to dial.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { inviteRequest } from '../../server/src/telephony/asterisk/invite.ts'
import { hostileStart, startOf } from '../support/fuzz/hostile-starts.ts'
import { poll } from '../support/poll.ts'
import { testAsterisk, testCarrier } from '../support/sip/asterisk.ts'
import { asteriskSwitch, realClock } from '../support/sip/asterisk-switch.ts'
import { keptAlive, take } from '../support/suites/switch.ts'

const trunk = { ...trunkDefaults, name: 'carrier', address: '127.0.0.1:5060', channels: 1, callsPerSecond: 1 }
const runs = 100_000
const wired = 200
const [asterisk, carrier] = await Promise.all([testAsterisk(), testCarrier()])
const network = await asteriskSwitch(asterisk, () => [{ ...trunk, address: carrier.address }])

test('a hundred thousand hostile requests are refused, or only digits vary', () => {
  let dialled = 0
  fc.assert(
    fc.property(hostileStart, (fields) => {
      const command = startOf(fields)
      if (!command) return
      dialled++
      const { query = {} } = inviteRequest('node', trunk, {
        channelId: '123-1',
        trunk: trunk.name,
        to: command.phone,
        from: `7000000${command.code ?? '0001'}`,
        originateTimeoutMs: 28_000,
        flashRingMs: 5_000,
      })
      assert.match(String(query['endpoint']), /^PJSIP\/[1-9]\d{6,14}@carrier$/)
      assert.match(String(query['callerId']), /^7000000\d{4}$/)
      const { endpoint: _endpoint, callerId: _callerId, ...rest } = query
      assert.deepEqual(rest, { app: 'node', channelId: 'node.123-1', timeout: '28' })
    }),
    { numRuns: runs },
  )
  assert(dialled > runs / 100, `only ${dialled} were dialled: too few to prove anything`)
})

test('two hundred of them on the wire: every INVITE differs only in its digits', async () => {
  const commands = fc
    .sample(hostileStart, wired * 50)
    .flatMap((fields) => startOf(fields) ?? [])
    .slice(0, wired)
  assert.equal(commands.length, wired)
  const legs = commands.map(({ phone, code = '0001' }, index) =>
    network.dial({
      channelId: `hostile-${index}`,
      trunk: trunk.name,
      to: phone,
      from: `7000000${code}`,
      originateTimeoutMs: 30_000,
      flashRingMs: 5_000,
    }),
  )
  const invites = () => carrier.messages().filter((text) => text.startsWith('INVITE '))
  await poll(
    'every INVITE',
    () => new Set(invites().map(callIdOf)).size,
    (count) => count >= wired,
  )
  for (const leg of legs) leg.hangUp()
  await Promise.all(legs.map((leg) => keptAlive(realClock, take(leg))))
  const received = new Map(invites().map((text) => [callIdOf(text), text]))
  assert.equal(received.size, wired)
  assert.equal(new Set([...received.values()].map(withoutDigits)).size, 1)
  // Positive control: the same comparison finds an INVITE with one more line.
  const [sample = ''] = received.values()
  assert.notEqual(withoutDigits(sample.replace('\r\nTo:', '\r\nX-Evil: 1\r\nTo:')), withoutDigits(sample))
})

function callIdOf(text: string): string {
  return /^Call-ID: (.*)$/m.exec(text)?.[1]?.trim() ?? ''
}

// Names that SIP generates itself are random letters and digits.
function withoutDigits(text: string): string {
  return text
    .replaceAll(/(branch=z9hG4bK|tag=|Call-ID: )[\w.-]+/g, '$1')
    .replaceAll(/\d+/g, '0')
    .trim()
}

test('the builder accepts only numbers and our trunk names', () => {
  const hostile = fc.string({ unit: 'binary' }).filter((text) => !/^[1-9]\d{6,14}$/.test(text))
  const good = {
    channelId: '1-1',
    trunk: trunk.name,
    to: '79070000180',
    from: '70000000001',
    originateTimeoutMs: 1_000,
    flashRingMs: 5_000,
  }
  fc.assert(
    fc.property(hostile, fc.constantFrom('to', 'from'), (text, place) => {
      assert.throws(() => inviteRequest('node', trunk, { ...good, [place]: text }), RangeError)
    }),
  )
  for (const channelId of ['', 'a b', 'a/b', '1&app=x', '1\n', '../1']) {
    assert.throws(() => inviteRequest('node', trunk, { ...good, channelId }), RangeError)
  }
})
