// What is read of a carrier's INVITE. Over real SIP the same is checked in tests/telephony/inbound.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInvite } from '../../server/src/telephony/sip/read-invite.ts'

const via = 'Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKx'
const from = 'From: <sip:+79070000001@carrier.example>;tag=x'

function read(...lines: readonly string[]) {
  const text = ['INVITE sip:+70000010001@192.0.2.9 SIP/2.0', ...lines, '', 'From: <sip:body@x>'].join('\r\n')
  return readInvite(text)
}

test('a plain INVITE names caller and called number', () => {
  assert.deepEqual(read(via, from), {
    called: '+70000010001',
    from: '+79070000001',
    asserted: undefined,
    isWithheld: false,
    divertedBy: undefined,
    replyPath: 'direct',
  })
})

test('compact names, other cases and continued lines are the same headers', () => {
  const folded = read('v: SIP/2.0/UDP 192.0.2.1', 'fRoM :\r\n <sip:+79070000001@carrier.example>\r\n\t;tag=x')
  assert.equal(folded?.from, '+79070000001')
  assert.equal(folded?.replyPath, 'direct')
})

test('two From headers name nobody', () => {
  assert.equal(read(via, from, 'f: <sip:+79070000002@carrier.example>')?.from, '')
})

test('a second Via in any spelling is a relay, and maddr another address', () => {
  assert.equal(read(via, 'v: SIP/2.0/UDP 192.0.2.2', from)?.replyPath, 'relayed')
  assert.equal(read(`${via}, SIP/2.0/UDP 192.0.2.2`, from)?.replyPath, 'relayed')
  assert.equal(read(`${via},\r\n SIP/2.0/UDP 192.0.2.2`, from)?.replyPath, 'relayed')
  assert.equal(read(`${via}; MADDR = 192.0.2.2`, from)?.replyPath, 'maddr')
})

test('identities, privacy and diversions count in all their headers', () => {
  const identities = ['P-Asserted-Identity: <sip:+79070000002@x>', 'P-Asserted-Identity: <tel:+79070000003>']
  assert.equal(read(via, from, ...identities)?.asserted, '')
  assert.equal(read(via, from, 'Privacy: none', 'Privacy: id')?.isWithheld, true)
  assert.equal(read(via, from, 'Diversion: <sip:+79070000004@x>;reason=busy')?.divertedBy, '+79070000004')
  assert.equal(read(via, from, 'Diversion: <sip:1@x>', 'Diversion: <sip:2@x>')?.divertedBy, '')
})

test('an INVITE of more than 8 kB is not read, nor one with a header about the caller of more than 1 kB', () => {
  const long = 'a'.repeat(1_100)
  assert.equal(read(via, from, `Identity: ${long}`)?.from, '+79070000001')
  for (const header of [`P-Asserted-Identity: ${long}`, `Diversion:${','.repeat(1_100)}`, `f: ${long}`]) {
    assert.equal(read(via, from, header), undefined, header.slice(0, 20))
  }
  assert.equal(read(`${via};${long};maddr=192.0.2.2`, from)?.replyPath, 'maddr')
  assert.equal(read(via, from, ...Array.from({ length: 9 }, () => `X: ${'a'.repeat(1_000)}`)), undefined)
})

test('what is no INVITE is not read', () => {
  assert.equal(readInvite('OPTIONS sip:x@y SIP/2.0\r\n\r\n'), undefined)
  assert.equal(readInvite('INVITE sip:x@y SIP/2.0 extra\r\n\r\n'), undefined)
  assert.equal(readInvite(''), undefined)
})
