// The SIP messages of failed attempts, as Asterisk sends and receives them: the product's own mask removes what is personal.

import type { PhoneNumber } from '../../../server/src/domain/numbers/phone-number.ts'
import { createSipMask } from '../../../server/src/telephony/sip/mask-sip.ts'
import { trunkNames } from '../cast.ts'
import type { Call, PlacedAttempt } from '../events.ts'
import type { Numbered } from './call-rows.ts'
import { type Row, timeOf } from './insert.ts'

const us = '127.0.0.1:5060'
const phrases: Readonly<Record<number, string>> = {
  404: 'Not Found',
  480: 'Temporarily Unavailable',
  486: 'Busy Here',
  500: 'Server Internal Error',
  503: 'Service Unavailable',
  603: 'Decline',
}
// Asterisk stores them a moment after the end.
const storedAfterMs = 1_300

export function sipRows({ id, event }: Numbered<Call>): readonly Row[] {
  return event.attempts.flatMap((attempt, index) =>
    attempt.outcome.succeeded
      ? []
      : [
          {
            id,
            attempt: index + 1,
            trunk: attempt.trunk,
            messages: messagesOf(`${id}-${index + 1}`, event.phone, attempt),
            recorded_at: timeOf(attempt.dialledMs + attempt.progress.endedAtMs + storedAfterMs),
          },
        ],
  )
}

type Line = { readonly afterMs: number; readonly isSent: boolean; readonly first: string; readonly sequence: string }

function messagesOf(callId: string, phone: PhoneNumber, { trunk, callerNumber, dialledMs, progress }: PlacedAttempt) {
  const carrier = `127.0.0.1:${5_070 + trunkNames.indexOf(trunk)}`
  const mask = createSipMask({ to: phone, from: String(callerNumber) })
  return linesOf(phone, carrier, progress).map(({ afterMs, isSent, first, sequence }) => ({
    atMs: dialledMs + 6 + afterMs,
    isSent,
    source: isSent ? us : carrier,
    destination: isSent ? carrier : us,
    text: mask(textOf({ first, sequence, callId, phone, callerNumber, carrier })),
  }))
}

function linesOf(phone: PhoneNumber, carrier: string, progress: PlacedAttempt['progress']): readonly Line[] {
  const { rangAtMs, earlyMediaAtMs, answeredAtMs, endedAtMs, status, endedBy } = progress
  const request = (method: string) => `${method} sip:${phone}@${carrier} SIP/2.0`
  const line = (afterMs: number, isSent: boolean, first: string, sequence = '1 INVITE'): Line => ({
    afterMs,
    isSent,
    first,
    sequence,
  })
  const got = (afterMs: number | undefined, first: string) =>
    afterMs === undefined ? [] : [line(afterMs, false, `SIP/2.0 ${first}`)]
  const opening = [
    line(0, true, request('INVITE')),
    ...got(4, '100 Trying'),
    ...got(rangAtMs, '180 Ringing'),
    ...got(earlyMediaAtMs, '183 Session Progress'),
  ]
  if (answeredAtMs !== undefined) {
    const isOurs = endedBy === 'us'
    return [
      ...opening,
      ...got(answeredAtMs, '200 OK'),
      line(answeredAtMs + 1, true, request('ACK'), '1 ACK'),
      line(endedAtMs - 8, isOurs, request('BYE'), '2 BYE'),
      line(endedAtMs, !isOurs, 'SIP/2.0 200 OK', '2 BYE'),
    ]
  }
  if (status !== undefined) {
    return [
      ...opening,
      ...got(endedAtMs - 2, `${status} ${phrases[status] ?? 'Refused'}`),
      line(endedAtMs - 1, true, request('ACK'), '1 ACK'),
    ]
  }
  return [
    ...opening,
    line(endedAtMs - 12, true, request('CANCEL'), '1 CANCEL'),
    line(endedAtMs - 8, false, 'SIP/2.0 200 OK', '1 CANCEL'),
    line(endedAtMs - 6, false, 'SIP/2.0 487 Request Terminated'),
    line(endedAtMs - 5, true, request('ACK'), '1 ACK'),
  ]
}

type Message = Pick<Line, 'first' | 'sequence'> & {
  readonly callId: string
  readonly phone: PhoneNumber
  readonly callerNumber: number
  readonly carrier: string
}

function textOf({ first, sequence, callId, phone, callerNumber, carrier }: Message): string {
  const isReply = first.startsWith('SIP/2.0')
  return [
    first,
    `Via: SIP/2.0/UDP ${us};rport;branch=z9hG4bK${callId}`,
    `From: <sip:${callerNumber}@127.0.0.1>;tag=${callId}`,
    `To: <sip:${phone}@127.0.0.1>${isReply && !first.includes(' 100 ') ? `;tag=c${callId}` : ''}`,
    `Call-ID: ${callId}@127.0.0.1`,
    `CSeq: ${sequence}`,
    ...(isReply ? [`Server: carrier ${carrier.slice(-1)}`] : ['Max-Forwards: 70', 'User-Agent: Ringproof']),
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n')
}
