// A flash call whose edge has lost it: the phone may still ring, so it is cancelled by the branch of its INVITE.

import assert from 'node:assert/strict'
import { afterEach, mock, test } from 'node:test'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createEdgeLeg, type Trail } from '../../server/src/telephony/edge/leg.ts'
import type { EdgeReply } from '../../server/src/telephony/edge/messages.ts'

const branch = 'z9hG4bK1234.5'
const trunk = { ...trunkDefaults, name: 'carrier', channels: 1, callsPerSecond: 1 }
const lost = { method: 'CANCEL', status: 481, reason: 'Call Does Not Exist' }

afterEach(() => mock.timers.reset())

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

test('what is left of a leg acknowledges a repeated final reply, and one of an earlier INVITE not', () => {
  const { leg, sent, trails } = ringing()
  const busy = replyOf({ method: 'INVITE', status: 486, reason: 'Busy Here' })
  leg.onReply(busy)
  const [trail] = trails
  trail?.onReply(busy)
  trail?.onReply({ ...busy, sequence: 2 })
  assert.equal(sent.filter((text) => text.startsWith('ACK')).length, 2)
})

test('a phone that rings after its call was given up is cancelled until the edge replies', () => {
  const { leg, sent, trails, passMs } = dialled()
  leg.hangUp()
  passMs(4_000)
  assert(leg.isEnded())
  const [trail] = trails
  const cancels = () => sent.filter((text) => text.startsWith('CANCEL')).length
  trail?.onReply(replyOf({ method: 'INVITE', status: 180, reason: 'Ringing' }))
  for (const ms of [200, 400]) passMs(ms)
  assert.equal(cancels(), 3)
  trail?.onReply(replyOf({ method: 'CANCEL', status: 200, reason: 'OK' }))
  passMs(10_000)
  assert.equal(cancels(), 3)
})

function ringing() {
  const { leg, ...rest } = dialled()
  leg.onBranch(branch)
  leg.onReply(replyOf({ method: 'INVITE', status: 180, reason: 'Ringing' }))
  return { leg, ...rest }
}

function dialled() {
  mock.timers.enable({ apis: ['setTimeout'] })
  const sent: string[] = []
  const trails: Trail[] = []
  const leg = createEdgeLeg({
    call: { name: '1', called: '1', caller: '2', trunk },
    password: undefined,
    ringMs: 5_000,
    via: '127.0.0.1:5060',
    edge: { boot: '1', contact: '127.0.0.1:5080' },
    clock: createClock(1),
    send: (text) => void sent.push(text),
    ended: (trail) => void trails.push(trail),
  })
  const passMs = (ms: number) => mock.timers.tick(ms)
  return { leg, sent, trails, passMs }
}

function replyOf(reply: Pick<EdgeReply, 'method' | 'status' | 'reason'>): EdgeReply {
  return { ...reply, callId: 'rp-1', sequence: 1, to: '', text: '' }
}
