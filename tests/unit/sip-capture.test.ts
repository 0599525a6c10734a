import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClock } from '../../server/src/process/clock.ts'
import { createSipCapture } from '../../server/src/telephony/sip/capture.ts'
import type { SipCopy } from '../../server/src/telephony/sip/hep.ts'

const us = { host: '192.0.2.5', port: 5060 }
const carrier = { host: '203.0.113.4', port: 5060 }
const numbers = { to: '79070001234', from: '70000005678' }
const clock = createClock(0.01)

function message(line: string, callId: string): string {
  return `${line}\r\nCall-ID: ${callId}\r\nCSeq: 1 INVITE\r\n\r\n`
}

function copyOf(text: string, callId: string, more: Partial<SipCopy> = {}): SipCopy {
  const isReply = text.startsWith('SIP/2.0')
  const way = isReply ? { source: carrier, destination: us } : { source: us, destination: carrier }
  return { protocol: 'udp', atMs: 0, callId, text, ...way, ...more }
}

async function linesOf(call: ReturnType<ReturnType<typeof createSipCapture>['start']>): Promise<readonly string[]> {
  call.end()
  return (await call.messages()).map(({ isSent, text }) => `${isSent ? '>' : '<'} ${text.split('\n', 1)[0]}`)
}

test('copies that came before the Call-ID was known belong to the call; those of other calls do not', async () => {
  const capture = createSipCapture({ clock })
  const call = capture.start(numbers)
  capture.add(copyOf(message('INVITE sip:79070001234@x SIP/2.0', 'one'), 'one'))
  capture.add(copyOf(message('INVITE sip:79070001234@x SIP/2.0', 'other'), 'other'))
  capture.add(copyOf(message('OPTIONS sip:x SIP/2.0', 'one'), 'one'))
  call.claim('one')
  capture.add(copyOf(message('SIP/2.0 404 Not Found', 'one'), 'one'))
  assert.deepEqual(await linesOf(call), ['> INVITE sip:<phone>@x SIP/2.0', '< SIP/2.0 404 Not Found'])
})

test('of a TCP segment that is copied for each of its messages, every message of the call is kept once', async () => {
  const capture = createSipCapture({ clock })
  const call = capture.start(numbers)
  call.claim('one')
  const tcp = { protocol: 'tcp' } as const
  capture.add(copyOf(message('INVITE sip:79070001234@x SIP/2.0', 'one'), 'one', tcp))
  const segment = [
    message('SIP/2.0 100 Trying', 'one'),
    message('SIP/2.0 486 Busy 79070009999', 'other'),
    message('SIP/2.0 180 Ringing', 'one'),
  ].join('')
  capture.add(copyOf(segment, 'one', tcp))
  capture.add(copyOf(segment, 'one', tcp))
  assert.deepEqual(await linesOf(call), [
    '> INVITE sip:<phone>@x SIP/2.0',
    '< SIP/2.0 100 Trying',
    '< SIP/2.0 180 Ringing',
  ])
})

test('a reply that was copied before its request follows it, not earlier than it', async () => {
  const capture = createSipCapture({ clock })
  const call = capture.start(numbers)
  call.claim('one')
  const bye = (line: string) => message(line, 'one').replace('1 INVITE', '2 BYE')
  capture.add(copyOf(message('INVITE sip:79070001234@x SIP/2.0', 'one'), 'one', { atMs: 1 }))
  capture.add(copyOf(message('SIP/2.0 200 OK', 'one'), 'one', { atMs: 2 }))
  capture.add(copyOf(bye('SIP/2.0 200 OK'), 'one', { atMs: 3 }))
  capture.add(copyOf(bye('BYE sip:x SIP/2.0'), 'one', { atMs: 4 }))
  const shown = ['> INVITE sip:<phone>@x SIP/2.0', '< SIP/2.0 200 OK', '> BYE sip:x SIP/2.0', '< SIP/2.0 200 OK']
  assert.deepEqual(await linesOf(call), shown)
  assert.deepEqual(
    call.messagesSoFar().map(({ atMs }) => atMs),
    [1, 2, 4, 4],
  )
})

test('a flood of strangers drops the oldest unclaimed call, never a claimed one; a call keeps forty messages', async () => {
  const capture = createSipCapture({ clock })
  const [early, late] = [capture.start(numbers), capture.start(numbers)]
  capture.add(copyOf(message('INVITE sip:a@x SIP/2.0', 'early'), 'early'))
  early.claim('early')
  capture.add(copyOf(message('INVITE sip:a@x SIP/2.0', 'late'), 'late'))
  for (let n = 0; n < 1_000; n++) capture.add(copyOf(message('INVITE sip:a@x SIP/2.0', `s${n}`), `s${n}`))
  late.claim('late')
  for (let n = 0; n < 100; n++) capture.add(copyOf(message('SIP/2.0 100 Trying', 'early'), 'early'))
  capture.add(copyOf(message(`SIP/2.0 180 ${'x'.repeat(9_000)}`, 'late'), 'late'))
  assert.equal((await linesOf(early)).length, 40)
  assert.deepEqual(await linesOf(late), [])
})
