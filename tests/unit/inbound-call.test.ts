import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Slot } from '../../server/src/domain/core/slot.ts'
import {
  type ConfirmationNumber,
  candidatesFor,
  slotOfNth,
} from '../../server/src/domain/trunks/confirmation-number.ts'
import { type Trunk, trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import {
  assuranceOf,
  evaluateInboundCall,
  type OwnNumbers,
  type SpelledCall,
} from '../../server/src/domain/verifications/inbound-call.ts'
import { spellings, spoofings } from '../support/sip/spoofings.ts'

const trunk = (name: string, inboundFormat: Trunk['inboundFormat'], countries = ['*']): Trunk => ({
  ...trunkDefaults,
  name,
  countries,
  channels: 1,
  callsPerSecond: 1,
  inboundFormat,
})

const numbers: readonly ConfirmationNumber[] = [
  { number: 70000100001, trunk: 'first', slot: 3 as Slot, isRemoved: false },
  { number: 70000110001, trunk: 'second', slot: 40 as Slot, isRemoved: false },
]

const own: OwnNumbers = {
  trunks: [trunk('first', 'e164'), trunk('second', 'e164')],
  ranges: [{ trunk: 'first', country: 'RU', first: 70000000000, last: 70000009999 }],
  confirmationNumbers: numbers,
}

test('the caller is the number the carrier asserts; a doubtful call matches nobody', () => {
  for (const { call, caller, unmatched } of spoofings) {
    const evaluated = evaluateInboundCall(own, call)
    assert.deepEqual(
      evaluated.unmatched === undefined ? { caller: evaluated.caller } : { unmatched: evaluated.unmatched },
      caller === undefined ? { unmatched } : { caller },
      JSON.stringify(call),
    )
  }
})

const plainCall = {
  trunk: 'first',
  called: '+70000100001',
  from: '+79070000001',
  asserted: undefined,
  isWithheld: false,
  divertedBy: undefined,
  transport: 'udp',
  replyPath: 'direct',
} as const satisfies SpelledCall

test("a call counts only over its trunk's transport, and over UDP only with a direct return path", () => {
  const arrivals = ['udp', 'tcp', 'tls', 'own-connection', undefined] as const
  const reasonOver = (changes: Partial<Trunk>, call: Partial<SpelledCall>) =>
    evaluateInboundCall({ ...own, trunks: [{ ...trunk('first', 'e164'), ...changes }] }, { ...plainCall, ...call })
      .unmatched
  const accepted = (transport: Trunk['transport']) =>
    arrivals.filter((arrival) => reasonOver({ transport }, { transport: arrival }) !== 'wrong-transport')
  assert.deepEqual(accepted('udp'), ['udp', undefined])
  assert.deepEqual(accepted('tcp'), ['tcp', 'own-connection'])
  assert.deepEqual(accepted('tls'), ['tls', 'own-connection'])
  assert.equal(reasonOver({ allowsRelay: true }, { replyPath: 'relayed' }), undefined)
  assert.equal(reasonOver({ allowsRelay: true }, { replyPath: 'maddr' }), 'foreign-via')
  assert.equal(reasonOver({ transport: 'tls' }, { transport: 'tls', replyPath: 'relayed' }), undefined)
})

test('a number is read only in the format of its trunk', () => {
  for (const { format, from, called, caller } of spellings) {
    const evaluated = evaluateInboundCall({ ...own, trunks: [trunk('first', format)] }, { ...plainCall, called, from })
    assert.equal(evaluated.unmatched === undefined ? evaluated.caller : undefined, caller, `${format} ${from}`)
  }
})

test('numbers are offered from a random start, on trunks that serve the country, in the local database, unless removed', () => {
  const many = Array.from({ length: 11 }, (_, n) => ({
    number: n,
    trunk: 'first',
    slot: (n % 2) as Slot,
    isRemoved: n === 10,
  }))
  const table = { trunks: [trunk('first', 'e164', ['RU'])], confirmationNumbers: [...many, ...numbers.slice(1)] }
  const offered = (country: string, random: number) =>
    candidatesFor(table, { country, line: 'carrier', isLocalShard: (slot) => slot === 0 }, random)
  assert.deepEqual(
    offered('RU', 0.41).map(({ number }) => number),
    [4, 6, 8, 0, 2],
  )
  assert.deepEqual(offered('KZ', 0), [])
  const anywhereInRussia = { country: 'RU', line: 'carrier', isLocalShard: () => true } as const
  const off = [{ ...trunk('first', 'e164'), isOn: false }]
  assert.deepEqual(candidatesFor({ trunks: off, confirmationNumbers: many }, anywhereInRussia, 0), [])
  const thousands = Array.from({ length: 5_000 }, (_, n) => ({
    number: n,
    trunk: 'first',
    slot: 0 as Slot,
    isRemoved: false,
  }))
  assert.equal(
    candidatesFor({ trunks: own.trunks, confirmationNumbers: thousands }, anywhereInRussia, 0.99).length,
    200,
  )
})

test('numbers of the test trunk go to virtual phones only, and to a test number where there is no carrier', () => {
  const phones = { ...trunk('phones', 'e164'), isTest: true }
  const one = (number: number, over: string) => ({ number, trunk: over, slot: 0 as Slot, isRemoved: false })
  const confirmationNumbers = [one(1, 'first'), one(2, 'phones')]
  const offered = (line: 'carrier' | 'test' | 'scenario', ...trunks: readonly Trunk[]) =>
    candidatesFor({ trunks, confirmationNumbers }, { country: 'RU', line, isLocalShard: () => true }, 0)
      .map(({ number }) => number)
      .join(' ')
  const carrier = trunk('first', 'e164')
  assert.deepEqual([offered('carrier', carrier, phones), offered('carrier', phones)], ['1', ''])
  assert.deepEqual([offered('test', carrier, phones), offered('test', phones)], ['1', '2'])
  assert.deepEqual([offered('scenario', carrier, phones), offered('scenario', carrier)], ['2', '1'])
})

test('the first few numbers offered are spread over as many databases as possible', () => {
  for (const databases of [2, 4, 8]) {
    const counts = Array.from({ length: databases }, () => 0)
    for (let n = 0; n < databases * 4; n++) {
      const database = Math.floor(slotOfNth(n) / (64 / databases))
      counts[database] = (counts[database] ?? 0) + 1
    }
    assert(Math.min(...counts) >= 3 && Math.max(...counts) <= 5, `${databases}: ${counts.join()}`)
  }
  assert.equal(new Set(Array.from({ length: 64 }, (_, n) => slotOfNth(n))).size, 64)
})

test('a connection proves the origin of a call, over UDP only the ACK does', () => {
  for (const transport of ['tcp', 'tls'] as const) {
    for (const isConfirmed of [true, false]) assert.equal(assuranceOf({ transport }, isConfirmed), transport)
  }
  assert.equal(assuranceOf({ transport: 'udp' }, true), 'ack')
  assert.equal(assuranceOf({ transport: 'udp' }, false), 'none')
})
