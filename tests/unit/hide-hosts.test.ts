import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hideHosts } from '../../server/src/domain/verifications/sip-message.ts'

const message = [
  'INVITE sip:<phone>@sip.carrier.example:5060 SIP/2.0',
  'Via: SIP/2.0/UDP 192.0.2.10:5060;rport=5060;received=198.51.100.7;branch=z9hG4bKPj1',
  'Via: SIP/2.0/TLS [2001:db8::7]:5061;branch=z9hG4bKPj2',
  'From: <sip:<caller>@node-1.operator.example>;tag=a1',
  'Contact: <sip:node-1.operator.example:5060>',
  'Call-ID: 3c0f@192.0.2.10',
  'Warning: 399 203.0.113.9 "No route"',
  'User-Agent: Switch 22',
  '',
  'o=- 1 1 IN IP4 192.0.2.10',
  'c=IN IP6 2001:db8::7',
].join('\n')

test('no host and no address of the operator or the carrier is left, everything else is', () => {
  assert.equal(
    hideHosts(message),
    [
      'INVITE sip:<phone>@host.invalid:5060 SIP/2.0',
      'Via: SIP/2.0/UDP host.invalid:5060;rport=5060;received=host.invalid;branch=z9hG4bKPj1',
      'Via: SIP/2.0/TLS host.invalid:5061;branch=z9hG4bKPj2',
      'From: <sip:<caller>@host.invalid>;tag=a1',
      'Contact: <sip:host.invalid:5060>',
      'Call-ID: 3c0f@host.invalid',
      'Warning: 399 host.invalid "No route"',
      'User-Agent: Switch 22',
      '',
      'o=- 1 1 IN IP4 host.invalid',
      'c=IN IP6 host.invalid',
    ].join('\n'),
  )
})
