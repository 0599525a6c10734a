// A flash call whose edge has lost it: the phone may still ring, so it is cancelled by the branch of its INVITE.

import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createClock } from '../../server/src/clock.ts'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { createEdgeLeg } from '../../server/src/telephony/edge-leg.ts'
import type { EdgeReply } from '../../server/src/telephony/edge-messages.ts'

const branch = 'z9hG4bK1234.5'
const lost = { method: 'CANCEL', status: 481, reason: 'Call Does Not Exist' }

for (const [what, reply, isHungUp] of [
  ['does not know the call that is to be cancelled', lost, true],
  ['got no reply from the carrier', { method: 'INVITE', status: 408, reason: 'Carrier Silent' }, false],
  ['was started after the INVITE was written', { method: 'INVITE', status: 503, reason: 'Edge Restarted' }, false],
] as const) {
  test(`an edge that ${what}: the CANCEL names the branch, and is repeated`, () => {
    const { leg, sent, passMs } = ringing()
    if (isHungUp) leg.hangUp()
    leg.onReply(replyOf(reply))
    assert(leg.isEnded())
    passMs(3_000)
    const cancels = sent.filter((text) => text.startsWith('CANCEL') && text.includes(`branch=${branch}`))
    assert.equal(cancels.length, 8)
  })
}

test('a call that the carrier refused is not cancelled', () => {
  const { leg, sent, passMs } = ringing()
  leg.onReply(replyOf({ method: 'INVITE', status: 486, reason: 'Busy Here' }))
  passMs(3_000)
  assert.equal(sent.filter((text) => text.startsWith('CANCEL')).length, 0)
})

function ringing() {
  mock.timers.enable({ apis: ['setTimeout'] })
  const sent: string[] = []
  const leg = createEdgeLeg({
    call: { uri: 'sip:1@carrier.example', callId: 'rp-1', from: '<sip:2@a>', to: '<sip:1@a>', identity: '', name: '1' },
    trunk: { ...trunkDefaults, name: 'carrier', channels: 1, callsPerSecond: 1 },
    password: undefined,
    ringMs: 5_000,
    via: '127.0.0.1:5060',
    edge: { boot: '1', contact: '127.0.0.1:5080' },
    clock: createClock(1),
    send: (text) => void sent.push(text),
    ended: () => undefined,
  })
  leg.onBranch(branch)
  leg.onReply(replyOf({ method: 'INVITE', status: 180, reason: 'Ringing' }))
  const passMs = (ms: number) => {
    mock.timers.tick(ms)
    mock.timers.reset()
  }
  return { leg, sent, passMs }
}

function replyOf(reply: Pick<EdgeReply, 'method' | 'status' | 'reason'>): EdgeReply {
  return { ...reply, callId: 'rp-1', sequence: 1, to: '', text: '' }
}
