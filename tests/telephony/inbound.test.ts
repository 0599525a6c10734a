// Inbound calls: the fields of each call, ringing, and every refusal; none is answered. With --switch=edge they come in over the edge,
// which rings and refuses by itself.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Slot } from '../../server/src/domain/core/slot.ts'
import { type Trunk, trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { evaluateInboundCall } from '../../server/src/domain/verifications/inbound-call.ts'
import type { InboundCall } from '../../server/src/telephony/switch.ts'
import { poll } from '../support/poll.ts'
import { testAsterisk } from '../support/sip/asterisk.ts'
import { asteriskSwitch } from '../support/sip/asterisk-switch.ts'
import { attacker, victim } from '../support/sip/spoofings.ts'
import { callIn, type SubscriberCall } from '../support/sip/subscriber.ts'

const asterisk = await testAsterisk()
const trunk = { ...trunkDefaults, name: 'carrier-1', address: '127.0.0.1:9', channels: 1, callsPerSecond: 1 }
const network = await asteriskSwitch(asterisk, () => [trunk])
const incoming = network.inbound[Symbol.asyncIterator]()
// A pending read that a refused call left over is used for the next call.
let next: ReturnType<typeof incoming.next> | undefined
const calls = {
  next: () => {
    const one = next ?? incoming.next()
    next = undefined
    return one
  },
}

const confirmationNumbers = [{ number: 70000010001, trunk: 'carrier-1', slot: 0 as Slot, isRemoved: false }]

// The caller it counts as, or the reason it matches nobody.
async function evaluatedOverSip(call: Omit<SubscriberCall, 'called'>, changes: Partial<Trunk> = {}): Promise<string> {
  const statuses = callIn(asterisk.inboundPort, { ...call, called: '+70000010001' })
  const arrived = calls.next()
  const value = await Promise.race([arrived.then((one) => one.value as InboundCall), statuses.then(() => undefined)])
  if (!value) {
    next = arrived
    return 'refused'
  }
  value.reject(486)
  await statuses
  const evaluated = evaluateInboundCall({ trunks: [{ ...trunk, ...changes }], ranges: [], confirmationNumbers }, value)
  return evaluated.unmatched ?? evaluated.caller
}

const plain = { called: '+70000010001', from: '<sip:+79070000001@carrier.example>' }

// The edge does not confirm that it knows a carrier, and refuses those that it does not know.
if (asterisk.edge) {
  await poll('the edge to know the carrier', async () => (await evaluatedOverSip({ from: plain.from })) !== 'refused')
}

test("an inbound call is reported with the carrier's headers", async () => {
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
    // Whatever a caller writes into a display name shifts nothing.
    [{ ...plain, from: '"a,b,<sip:1@x>,\\"c" <sip:+79070000003@carrier.example>' }, { from: '+79070000003' }],
  ]
  for (const [call, expected] of cases) {
    const rings = Promise.withResolvers<void>()
    const statuses = callIn(asterisk.inboundPort, call, (status) => status === 180 && rings.resolve())
    const { value } = (await calls.next()) as { value: InboundCall }
    assert.equal(value.trunk, 'carrier-1')
    for (const [name, wanted] of Object.entries(expected)) assert.equal(value[name as keyof InboundCall], wanted, name)
    await value.ring()
    await rings.promise
    value.reject(486)
    assert.deepEqual(await statuses, asterisk.edge ? [180, 486] : [100, 180, 486])
  }
})

// From is always the victim's number, written by the caller's own exchange.
const forged = `<sip:+${victim}@carrier.example>`
const pai = (value: string) => `P-Asserted-Identity: ${value}`
const identities: readonly (readonly [headers: readonly string[], expected: string])[] = [
  [[], victim],
  [[pai(`<sip:+${attacker}@carrier.example>`)], attacker],
  [[pai(`<tel:+${attacker}>`)], attacker],
  [[pai(`sip:+${attacker}@carrier.example`)], attacker],
  [[`p-asserted-identity:<sip:+${attacker}@carrier.example;user=phone>`], attacker],
  // The URI is inside the brackets, whatever is around them.
  [[pai(`Bob sip:+${victim}@y <sip:+${attacker}@carrier.example>`)], attacker],
  [[pai(`"<sip:+${victim}@y>, x" <sip:+${attacker}@carrier.example>`)], attacker],
  [[pai(`<sip:+${attacker}@carrier.example>, <tel:+${attacker}>`)], attacker],
  [[pai(`<sip:+${attacker}@carrier.example>`), pai(`<tel:+${attacker}>`)], attacker],
  // Present without a number: From is not trusted instead.
  [[pai('')], 'malformed'],
  [[pai('<sip:carrier.example>')], 'malformed'],
  [[pai('"Anonymous" <sip:anonymous.invalid>')], 'malformed'],
  [[pai('<sip:@carrier.example>')], 'malformed'],
  [[pai('<tel:>')], 'malformed'],
  [[pai('<sip:unavailable@unknown.invalid>')], 'malformed'],
  [[pai(`<mailto:+${victim}@carrier.example>`)], 'malformed'],
  [[pai(`<sip:+${victim}@carrier.example`)], 'malformed'],
  [[pai(`"x <sip:+${victim}@carrier.example>`)], 'malformed'],
  [[pai(`<sip:carrier.example> sip:+${victim}@y`)], 'malformed'],
  [[pai(`<sip:+${victim}@y><sip:+${attacker}@carrier.example>`)], 'malformed'],
  // Two different identities name nobody.
  [[pai(`<sip:+${attacker}@carrier.example>, <tel:+${victim}>`)], 'malformed'],
  [[pai(`<sip:+${attacker}@carrier.example>`), pai(`<tel:+${victim}>`)], 'malformed'],
  [[pai(`<tel:+${victim}>`), pai('<sip:carrier.example>')], 'malformed'],
  [[pai(`<tel:+${victim}>`), pai(`<tel:+${victim}>`), pai(`<tel:+${attacker}>`)], 'malformed'],
]

test('P-Asserted-Identity names the caller, and From never replaces an unreadable one', async () => {
  for (const [headers, expected] of identities) {
    assert.equal(await evaluatedOverSip({ from: forged, headers }), expected, headers.join(' | '))
  }
})

test('a trunk that trusts From ignores P-Asserted-Identity', async () => {
  for (const [headers] of identities) {
    assert.equal(await evaluatedOverSip({ from: forged, headers }, { identity: 'from' }), victim, headers.join(' | '))
  }
})

test('headers that are very long cut off no later ones', async () => {
  const received = new Set<string>()
  for (let length = 250; length <= 3_500; length += 250) {
    const name = `"${'x'.repeat(length)}"`
    const headers = [pai(`${name} <tel:+${attacker}>`), pai(`${name} <tel:+${attacker}>`), 'Privacy: id']
    received.add(await evaluatedOverSip({ from: `${name} ${forged}`, headers }))
  }
  // Read as a whole, or not at all.
  assert.deepEqual([...received].toSorted(), ['refused', 'withheld'])
})

test('a number that is not ours is refused with 404, by Asterisk without ringing', async () => {
  const statuses = callIn(asterisk.inboundPort, plain)
  const { value } = (await calls.next()) as { value: InboundCall }
  value.reject(404)
  assert.deepEqual(await statuses, asterisk.edge ? [180, 404] : [100, 404])
})

test('without a consumer the carrier gets 502 and may try another node', async () => {
  await network.close()
  assert.deepEqual(await calls.next(), { done: true, value: undefined })
  // The edge gets a message, which it does not confirm.
  const lastStatus = async () => (await callIn(asterisk.inboundPort, plain)).at(-1)
  await poll('502', lastStatus, (status) => status === 502, { timeoutMs: 5_000 })
})
