// Calls that come in over Asterisk: what is said of each, ringing, and every refusal; unanswered, all of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainTrunk } from '../../server/src/domain/routing.ts'
import type { InboundCall } from '../../server/src/telephony/switch.ts'
import { testAsterisk } from '../support/asterisk.ts'
import { ownSwitch } from '../support/own-switch.ts'
import { callIn, type SubscriberCall } from '../support/subscriber.ts'

const asterisk = await testAsterisk()
const trunk = { ...plainTrunk, name: 'carrier-1', address: '127.0.0.1:9', channels: 1, callsPerSecond: 1 }
const network = await ownSwitch(asterisk, () => [trunk])
const calls = network.inbound[Symbol.asyncIterator]()

const plain = { called: '+70000010001', from: '<sip:+79070000001@carrier.example>' }

test('a call is told with what the carrier says of it', async () => {
  const asserted = ['P-Asserted-Identity: "x" <sip:+79070000002@carrier.example>']
  const diverted = ['Diversion: <sip:+70000000005@carrier.example>;reason=unconditional']
  const cases: readonly (readonly [SubscriberCall, Partial<InboundCall>])[] = [
    [
      plain,
      { called: '+70000010001', from: '+79070000001', asserted: undefined, isWithheld: false, divertedBy: undefined },
    ],
    [{ ...plain, called: '70000010001' }, { called: '70000010001' }],
    [
      { ...plain, headers: asserted },
      { from: '+79070000001', asserted: '+79070000002' },
    ],
    [{ ...plain, headers: [...asserted, 'Privacy: id'] }, { isWithheld: true }],
    [
      { ...plain, from: '"Anonymous" <sip:anonymous@anonymous.invalid>' },
      { from: 'anonymous', isWithheld: true },
    ],
    [{ ...plain, headers: diverted }, { divertedBy: '+70000000005' }],
    // What a caller writes into a name shifts nothing.
    [{ ...plain, from: '"a,b,<sip:1@x>,\\"c" <sip:+79070000003@carrier.example>' }, { from: '+79070000003' }],
  ]
  for (const [call, expected] of cases) {
    const rings = Promise.withResolvers<void>()
    const statuses = callIn(asterisk.site.sipPort, call, (status) => status === 180 && rings.resolve())
    const { value } = (await calls.next()) as { value: InboundCall }
    assert.equal(value.trunk, 'carrier-1')
    for (const [name, wanted] of Object.entries(expected)) assert.equal(value[name as keyof InboundCall], wanted, name)
    await value.ring()
    await rings.promise
    value.reject(486)
    assert.deepEqual(await statuses, [100, 180, 486])
  }
})

test('a number that is not ours is refused with 404, and without ringing if nobody rings', async () => {
  const statuses = callIn(asterisk.site.sipPort, plain)
  const { value } = (await calls.next()) as { value: InboundCall }
  value.reject(404)
  assert.deepEqual(await statuses, [100, 404])
})

test('with nobody to take it, the carrier hears 502 and may try another node', async () => {
  await network.close()
  assert.deepEqual(await calls.next(), { done: true, value: undefined })
  const statuses = await callIn(asterisk.site.sipPort, plain)
  assert.equal(statuses.at(-1), 502)
})
