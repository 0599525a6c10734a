// The SIP requests that we send to the edge, and what we read of its replies.

import type { Trunk } from '../../domain/trunks/trunk.ts'
import { dialledNumbers } from '../sip/dialled-numbers.ts'
import type { Dial } from '../switch.ts'
import { type EdgeKeys, isSignature } from './key.ts'

// Thousands ring at a time: headers are made when they are sent, not kept.
export type EdgeCall = {
  readonly name: string
  readonly trunk: Trunk
  readonly called: string
  readonly caller: string
}

// What stays the same in all requests of a leg.
export type Dialog = {
  readonly uri: string
  readonly callId: string
  readonly from: string
  readonly to: string
  readonly name: string
}

export type EdgeReply = {
  readonly status: number
  readonly reason: string
  readonly callId: string
  readonly sequence: number
  readonly method: string
  readonly to: string
  readonly text: string
}

// What the edge says of itself: when it was started, and the address that carriers see.
export type EdgeState = { readonly boot: string; readonly contact: string; readonly atMs: number }

const branchStart = 'z9hG4bK-rp'

const headers = {
  callId: /^(?:call-id|i)[ \t]*:[ \t]*(\S+)/im,
  cseq: /^cseq[ \t]*:[ \t]*(\d+)[ \t]+(\w+)/im,
  to: /^(?:to|t)[ \t]*:[ \t]*(.*?)\r?$/im,
  boot: /^x-edge-boot:[ \t]*(.*?)\r?$/im,
  contact: /^x-edge-contact:[ \t]*(.*?)\r?$/im,
  signature: /^x-edge-signature:[ \t]*(.*?)\r?$/im,
} as const

// The name is random: it stands in headers that strangers see, and that they must not guess.
export function edgeCall(trunk: Trunk, request: Dial, name: string): EdgeCall {
  return { name, trunk, ...dialledNumbers(trunk, request) }
}

export function callIdOf({ name }: Pick<EdgeCall, 'name'>): string {
  return `rp-${name}`
}

export function dialogOf(call: EdgeCall): Dialog {
  const { name, trunk, called, caller } = call
  const host = hostOf(trunk)
  const transport = trunk.transport === 'udp' ? '' : `;transport=${trunk.transport}`
  return {
    name,
    uri: `sip:${called}@${trunk.address}${transport}`,
    callId: callIdOf(call),
    from: `<sip:${trunk.fromUser ?? caller}@${host}>;tag=${name}`,
    to: `<sip:${called}@${host}>`,
  }
}

export function inviteText(
  call: EdgeCall,
  {
    via,
    boot,
    contact,
    sequence,
    ringSeconds,
    countsEarlyMedia,
    authorization,
  }: {
    readonly via: string
    readonly boot: string
    readonly contact: string
    readonly sequence: number
    readonly ringSeconds: number
    readonly countsEarlyMedia: boolean
    readonly authorization: string | undefined
  },
): string {
  const identity = identityOf(call)
  const lines = [
    `Contact: <sip:ringproof@${contact}>`,
    ...(identity === '' ? [] : [identity]),
    ...(authorization === undefined ? [] : [authorization]),
    'Allow: INVITE, ACK, CANCEL, BYE, OPTIONS',
    `X-Edge-Boot: ${boot}`,
    `X-Ring-Seconds: ${ringSeconds}`,
    ...(countsEarlyMedia ? ['X-Early-Media: yes'] : []),
    'Content-Type: application/sdp',
  ]
  return requestText(dialogOf(call), { method: 'INVITE', via, sequence, headers: lines, body: sdpOf(contact) })
}

export function requestText(
  dialog: Dialog,
  {
    method,
    via,
    sequence,
    headers: more = [],
    to = dialog.to,
    body = '',
  }: {
    readonly method: string
    readonly via: string
    readonly sequence: number
    readonly headers?: readonly string[]
    readonly to?: string
    readonly body?: string
  },
): string {
  return [
    `${method} ${dialog.uri} SIP/2.0`,
    `Via: SIP/2.0/UDP ${via};branch=${branchStart}-${dialog.name}-${sequence}`,
    `From: ${dialog.from}`,
    `To: ${to}`,
    `Call-ID: ${dialog.callId}`,
    `CSeq: ${sequence} ${method}`,
    'Max-Forwards: 70',
    ...more,
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

export function parseReply(packet: Buffer): EdgeReply | undefined {
  // Events of strangers' calls are long.
  if (packet.toString('latin1', 0, 8) !== 'SIP/2.0 ') return undefined
  const text = packet.toString('latin1')
  const [, status, reason = ''] = /^SIP\/2\.0 (\d{3}) (.*)\r\n/.exec(text) ?? []
  const callId = headers.callId.exec(text)?.[1]
  const [, sequence, method = ''] = headers.cseq.exec(text) ?? []
  if (status === undefined || callId === undefined || sequence === undefined) return undefined
  return {
    status: Number(status),
    reason,
    callId,
    sequence: Number(sequence),
    method,
    to: headers.to.exec(text)?.[1] ?? '',
    text,
  }
}

// The branch of an INVITE towards its carrier; the edge sends it before the INVITE.
const branchBytesMax = 512

export function parseBranch(
  packet: Buffer,
  keys: EdgeKeys,
): { readonly callId: string; readonly branch: string } | undefined {
  if (packet.length > branchBytesMax) return undefined
  const [, signature = '', event = '', callId, branch] =
    /^([0-9a-f]{64}) (branch (\S+) (z9hG4bK[\w.-]+))$/.exec(packet.toString('latin1')) ?? []
  if (callId === undefined || branch === undefined || !isSignature(signature, keys, event)) return undefined
  return { callId, branch }
}

// Undefined if it is not signed with our key.
export function parseState({ callId, text }: EdgeReply, atMs: number, keys: EdgeKeys): EdgeState | undefined {
  const [boot = '', contact = '', signature = ''] = [headers.boot, headers.contact, headers.signature].map(
    (header) => header.exec(text)?.[1],
  )
  return isSignature(signature, keys, `state|${callId}|${boot}|${contact}`) ? { boot, contact, atMs } : undefined
}

function identityOf({ trunk, caller }: EdgeCall): string {
  const { callerIdHeader } = trunk
  const host = hostOf(trunk)
  if (callerIdHeader === 'pai') return `P-Asserted-Identity: <sip:${caller}@${host}>`
  if (callerIdHeader === 'rpid') return `Remote-Party-ID: <sip:${caller}@${host}>;party=calling;privacy=off;screen=no`
  return ''
}

function hostOf({ address }: Trunk): string {
  return address.replace(/:\d+$/, '')
}

// Carriers want an offer, but a flash call has no audio.
function sdpOf(contact: string): string {
  const host = contact.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  const address = `IN ${host.includes(':') ? 'IP6' : 'IP4'} ${host}`
  return [
    'v=0',
    `o=- 1 1 ${address}`,
    's=-',
    `c=${address}`,
    't=0 0',
    'm=audio 40000 RTP/AVP 8 0',
    'a=rtpmap:8 PCMA/8000',
    'a=rtpmap:0 PCMU/8000',
    'a=sendrecv',
    '',
  ].join('\r\n')
}
