// The INVITE that a carrier gets from us, for its support desk: with numbers that belong to nobody.

import { writeNumber } from '../numbers/number-format.ts'
import type { PhoneNumber } from '../numbers/phone-number.ts'
import type { Trunk } from './trunk.ts'

const called = '79070001122' as PhoneNumber
const caller = '70000000427' as PhoneNumber

export function sampleInvite(trunk: Trunk, ourAddress: string | undefined): string {
  const { address, transport, callerIdHeader, callerFormat, fromUser, srtp } = trunk
  const host = address.replace(/:\d+$/, '')
  const us = ourAddress ?? 'OUR-ADDRESS'
  const from = writeNumber(callerFormat, caller)
  const identity = `<sip:${from}@${host}>`
  const shown =
    callerIdHeader === 'pai'
      ? [`P-Asserted-Identity: ${identity}`]
      : callerIdHeader === 'rpid'
        ? [`Remote-Party-ID: ${identity};party=calling;privacy=off;screen=no`]
        : []
  return [
    `INVITE sip:${dialled(trunk)}@${address} SIP/2.0`,
    `Via: SIP/2.0/${transport.toUpperCase()} ${us};rport;branch=z9hG4bK…`,
    `From: <sip:${fromUser ?? from}@${host}>;tag=…`,
    `To: <sip:${dialled(trunk)}@${host}>`,
    ...shown,
    `Contact: <sip:asterisk@${us}>`,
    'Call-ID: …',
    'CSeq: 1 INVITE',
    'User-Agent: Ringproof',
    'Content-Type: application/sdp',
    '',
    `m=audio … ${srtp ? 'RTP/SAVP' : 'RTP/AVP'} 8 0 101`,
    'a=rtpmap:8 PCMA/8000',
    'a=rtpmap:0 PCMU/8000',
  ].join('\n')
}

// What is dialled in Asterisk for that number.
export function dialString(trunk: Trunk): string {
  return `PJSIP/${dialled(trunk)}@${trunk.name}`
}

function dialled({ calledPrefix, calledFormat }: Trunk): string {
  return `${calledPrefix}${writeNumber(calledFormat, called)}`
}
