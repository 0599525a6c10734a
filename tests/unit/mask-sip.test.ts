// What is left of a SIP message: the shape of the call, and nothing that identifies a person, proves an identity or gives a code away.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSipMask } from '../../server/src/telephony/sip/mask-sip.ts'

const numbers = { to: '79070001234', from: '70000005678' }
const mask = createSipMask(numbers)
const secrets = ['79070001234', '0001234', '70000005678', '5678', 'Ivan', 'hunter2', 'customer-9', 'inline:', 'pk5678']

const hostile = [
  'INVITE sip:99*79070001234;cli=5678@203.0.113.40:5060;x-from=5678 SIP/2.0',
  'Via: SIP/2.0/UDP 192.0.2.5:5678;rport;branch=z9hG4bK5678x',
  'From: "Ivan 5678" <sip:+70000005678@192.0.2.5>;tag=as5678',
  't: Ivan Petrov <sip:89070001234@203.0.113.40>;tag=to-79070001234-x',
  'Contact: <sip:customer-9@192.0.2.5:5060;transport=UDP>',
  'P-Asserted-Identity: <tel:+7(000)000-56-78>, <sip:0000005678@192.0.2.5>',
  'Call-ID: 5678-8-907-000-12-34@192.0.2.5',
  'CSeq: 5678 INVITE',
  'Reason: Q.850;cause=17;text="busy for 5678"',
  'Authorization: Digest username="customer-9", response="hunter2"',
  'X-Caller-Suffix: 5678',
  'X-pk5678: yes',
  'Subject: Ivan',
  ' folded hunter2',
  'Content-Type: application/sdp',
  'Content-Length: 99',
  '',
  'v=0',
  'o=79070001234 5678 5678 IN IP4 192.0.2.5',
  's=Ivan',
  'c=IN IP4 192.0.2.5',
  't=0 0',
  'm=audio 5678 RTP/AVP 8',
  'a=rtpmap:8 PCMA/8000',
  'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:hunter2',
  'a=sendrecv',
  '',
].join('\r\n')

test('numbers, names, credentials, keys and the code are removed; ports and counters stay', () => {
  assert.equal(
    mask(hostile),
    `INVITE sip:<phone>@203.0.113.40:5060;x-from=<removed> SIP/2.0
Via: SIP/2.0/UDP 192.0.2.5:5678;rport;branch=z9hG4bK****x
From: "<name>" <sip:<caller>@192.0.2.5>;tag=as****
t: "<name>" <sip:<phone>@203.0.113.40>;tag=to-<phone>-x
Contact: <sip:<user>@192.0.2.5:5060;transport=UDP>
P-Asserted-Identity: <tel:<caller>>, <sip:<caller>@192.0.2.5>
Call-ID: ****-8-907-<phone>@192.0.2.5
CSeq: 5678 INVITE
Reason: Q.850;cause=17;text="busy for ****"
Authorization: <removed>
X-Caller-Suffix: <removed>
X-pk****: <removed>
Subject: <removed>
Content-Type: application/sdp
Content-Length: 99

v=0
o=<removed>
s=<removed>
c=IN IP4 192.0.2.5
t=0 0
m=audio 5678 RTP/AVP 8
a=rtpmap:8 PCMA/8000
a=crypto:<removed>
a=sendrecv`,
  )
})

test('no secret is left outside of ports and counters, and the search finds each of them before', () => {
  const found = (text: string) => secrets.filter((secret) => text.includes(secret))
  const withoutCounters = (text: string) => text.replaceAll(/CSeq: \d+|m=audio \d+|2\.5:\d+/g, '')
  assert.deepEqual(found(withoutCounters(mask(hostile))), [])
  assert.deepEqual(found(hostile), secrets)
})

test('a body that is not SDP, a malformed line and text without a message are removed', () => {
  const isup = 'BYE sip:a@b SIP/2.0\r\nContent-Type: application/isup\r\n\r\n\x01\x10 5678'
  assert.equal(mask(isup), 'BYE sip:<user>@b SIP/2.0\nContent-Type: application/isup\n\n<removed>')
  assert.equal(mask('no message 5678'), '<removed>')
  assert.equal(mask('SIP/2.0 404 Not 5678\r\nhunter2'), 'SIP/2.0 404 Not ****\n<removed>')
})
