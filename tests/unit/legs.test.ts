import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endsOfSide, explain } from '../../server/src/domain/verifications/call-explanation.ts'
import { legOf } from '../../server/src/domain/verifications/legs.ts'
import { sideOf } from '../../server/src/domain/verifications/shown-status.ts'

const addresses = { source: '192.0.2.5:5060', destination: '203.0.113.4:5060' }

test('a leg has the addresses and the Call-ID of its INVITE, and the last response to it with its cause', () => {
  const leg = legOf({
    attempt: 1,
    trunk: 'alfa',
    messages: [
      { atMs: 10, isSent: true, ...addresses, text: 'INVITE sip:<phone>@x SIP/2.0\nCall-ID: one@x\nCSeq: 1 INVITE' },
      { atMs: 20, isSent: false, text: 'SIP/2.0 100 Trying\nCSeq: 1 INVITE' },
      { atMs: 4_010, isSent: false, text: 'SIP/2.0 480 Gone\nCSeq: 1 INVITE\nReason: Q.850;cause=20;text="x"' },
      { atMs: 4_020, isSent: true, text: 'ACK sip:<phone>@x SIP/2.0\nCSeq: 1 ACK' },
    ],
  })
  assert.deepEqual(leg, {
    attempt: 1,
    trunk: 'alfa',
    callId: 'one@x',
    ...addresses,
    response: '480 Gone',
    cause: 20,
    tookMs: 4_000,
  })
})

test('a leg without a response, and one without messages', () => {
  const invite = { atMs: 10, isSent: true, text: 'INVITE sip:<phone>@x SIP/2.0\ni: one@x\nCSeq: 1 INVITE' }
  assert.deepEqual(legOf({ attempt: 2, trunk: 'beta', messages: [invite] }), {
    attempt: 2,
    trunk: 'beta',
    callId: 'one@x',
    source: '',
    destination: '',
    response: '',
    cause: null,
    tookMs: 0,
  })
  assert.equal(legOf({ attempt: 1, trunk: 'alfa', messages: [] }).callId, '')
})

test('every way a call can end is on one list: of the side whose fault it is', () => {
  const sides = { subscriber: 'the subscriber', carrier: 'the carrier', operator: 'the operator' } as const
  for (const [side, name] of Object.entries(sides)) {
    for (const end of endsOfSide(name)) {
      const [reason = '', status] = end.split(' ')
      const sipStatus = status === undefined ? null : Number(status)
      assert.equal(sideOf({ reason, sipStatus }), side, end)
    }
  }
  assert(endsOfSide('the subscriber').includes('refused 486'))
  assert(endsOfSide('the carrier').includes('refused 0'))
  assert.equal(explain('refused', 0)?.atFault, 'the carrier')
})
