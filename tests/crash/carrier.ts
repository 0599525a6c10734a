// The carrier of a run: as much SIP over UDP as a call needs, and every call recorded. The last three digits of the
// dialled number select the outcome, as for the carrier of the tests, but in scaled time:
//
//   180   rings until it is cancelled
// 200 rings, is answered, and lasts until one side hangs up
//   586   rings, and is rejected as busy
//   100   never rings
//   000   does not respond at all
//   183   has early media, and never rings
//   201   is answered at once, without ringing
//   287   rings, and is answered at the moment it is cancelled
// else is refused with that status
//
// A final response is sent again until it is acknowledged, as UDP needs it.

import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import type { Recorder } from './histories.ts'

export type Carrier = { readonly address: string; readonly close: () => Promise<void> }

type Invite = {
  readonly text: string
  readonly phone: string
  readonly callId: string
  readonly response: (status: string, sound?: boolean) => void
  state: 'trying' | 'ringing' | 'answered' | 'over'
  isAcknowledged: boolean
}

const setupMs = 60
const ringMs = 400
// T1, T2 and how long a response is sent again, as in RFC 3261.
const firstAgainMs = 500
const againMsMax = 4_000
const againForMs = 32_000

export async function createCarrier(host: string, recorder: Pick<Recorder, 'carrier'>): Promise<Carrier> {
  const socket = createSocket('udp4')
  const invites = new Map<string, Invite>()
  let isOpen = true
  socket.bind(0, host)
  await once(socket, 'listening')
  const address = `${host}:${socket.address().port}`
  // A server that is down refuses packets; that is expected.
  socket.on('error', () => undefined)
  socket.on('message', (bytes, from) => {
    const text = bytes.toString()
    const send = (response: string) => {
      if (isOpen) socket.send(response, from.port, from.address, () => undefined)
    }
    handleMessage({ text, from, send, address, invites, recorder })
  })
  return {
    address,
    close: async () => {
      isOpen = false
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}

type Received = {
  readonly text: string
  readonly from: RemoteInfo
  readonly send: (response: string) => void
  readonly address: string
  readonly invites: Map<string, Invite>
  readonly recorder: Pick<Recorder, 'carrier'>
}

function handleMessage(received: Received): void {
  const { text, send, address, invites, recorder } = received
  const verb = /^([A-Z]+) /.exec(text)?.[1] ?? ''
  const callId = header(text, 'Call-ID')
  const invite = invites.get(callId)
  const note = (event: string) => {
    const phone = invite?.phone ?? ''
    recorder.carrier({ type: 'dialog', atMs: Date.now(), callId, phone, event })
  }
  switch (verb) {
    case 'OPTIONS':
      return send(reply(text, '200 OK', address))
    case 'INVITE':
      // A UDP retransmission is the same call.
      return invite?.phone === phoneOf(text) ? undefined : play(createInvite(received, callId), recorder)
    case 'CANCEL':
      send(reply(text, '200 OK', address))
      if (!invite || invite.state === 'over' || invite.state === 'answered') return undefined
      note('CANCEL')
      if (invite.phone.endsWith('287')) {
        invite.state = 'answered'
        return invite.response('200 OK', true)
      }
      invite.state = 'over'
      return invite.response('487 Request Terminated')
    case 'BYE':
      note('BYE')
      if (invite) Object.assign(invite, { state: 'over', isAcknowledged: true })
      return send(reply(text, '200 OK', address))
    case 'ACK':
      if (invite) invite.isAcknowledged = true
      if (invite?.state === 'answered') note('ACK')
      return undefined
    default:
      return undefined
  }
}

function createInvite({ text, send, address, invites, recorder }: Received, callId: string): Invite {
  const phone = phoneOf(text)
  const invite: Invite = {
    text,
    phone,
    callId,
    state: 'trying',
    isAcknowledged: false,
    response: (status, sound = false) => {
      recorder.carrier({ type: 'dialog', atMs: Date.now(), callId, phone, event: status.slice(0, 3) })
      const response = reply(text, status, address, sound)
      send(response)
      if (!status.startsWith('1')) sendAgain(invite, () => send(response))
    },
  }
  invites.set(callId, invite)
  recorder.carrier({ type: 'dialog', atMs: Date.now(), callId, phone, event: 'INVITE' })
  if (!phone.endsWith('000')) send(reply(text, '100 Trying', address))
  return invite
}

function sendAgain(invite: Invite, send: () => void): void {
  const next = (afterMs: number, leftMs: number) =>
    setTimeout(() => {
      if (invite.isAcknowledged || leftMs < afterMs) return
      send()
      next(Math.min(2 * afterMs, againMsMax), leftMs - afterMs)
    }, afterMs).unref()
  next(firstAgainMs, againForMs)
}

function play(invite: Invite, recorder: Pick<Recorder, 'carrier'>): void {
  const scenario = invite.phone.slice(-3)
  const later = (afterMs: number, state: Invite['state'], work: () => void) =>
    setTimeout(() => {
      if (invite.state !== state) return
      work()
    }, afterMs).unref()
  const ring = () => {
    invite.state = 'ringing'
    invite.response('180 Ringing')
    if (scenario === '200') later(ringMs, 'ringing', answer)
    if (scenario === '586') later(ringMs, 'ringing', refuse('486 Busy'))
  }
  const refuse = (status: string) => () => {
    invite.state = 'over'
    invite.response(status)
  }
  const answer = () => {
    invite.state = 'answered'
    invite.response('200 OK', true)
  }
  if (scenario === '100' || scenario === '000') return
  if (scenario === '183') later(setupMs, 'trying', () => invite.response('183 Session Progress', true))
  else if (scenario === '201') later(setupMs, 'trying', answer)
  else if (/^(180|200|586|287)$/.test(scenario)) later(setupMs, 'trying', ring)
  else if (/^[3-6]\d\d$/.test(scenario)) later(setupMs, 'trying', refuse(`${scenario} Refused`))
  else
    recorder.carrier({ type: 'dialog', atMs: Date.now(), callId: invite.callId, phone: invite.phone, event: 'strange' })
}

function reply(request: string, status: string, address: string, sound = false): string {
  const tag = status.startsWith('100') ? '' : ';tag=carrier'
  const to = header(request, 'To')
  const [host = ''] = address.split(':')
  const body = sound ? soundAt(host) : ''
  return [
    `SIP/2.0 ${status}`,
    ...request.split('\r\n').filter((line) => /^(v|via):/i.test(line)),
    `From: ${header(request, 'From')}`,
    `To: ${to}${/;tag=/i.test(to) ? '' : tag}`,
    `Call-ID: ${header(request, 'Call-ID')}`,
    `CSeq: ${header(request, 'CSeq')}`,
    // Where a redirected call would go; it must not.
    `Contact: <sip:${status.startsWith('302') ? 'redirected' : 'carrier'}@${address}>`,
    ...(sound ? ['Content-Type: application/sdp'] : []),
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

function phoneOf(invite: string): string {
  return /^INVITE sips?:([^@]*)@/.exec(invite)?.[1] ?? ''
}

function header(text: string, name: string): string {
  return new RegExp(`^${name}:\\s*(.*?)\\s*$`, 'im').exec(text)?.[1] ?? ''
}

// Nobody listens; what is spoken is not recorded, only that it was spoken to the end.
function soundAt(host: string): string {
  const lines = [`o=carrier 1 1 IN IP4 ${host}`, 's=-', `c=IN IP4 ${host}`, 't=0 0', 'm=audio 40000 RTP/AVP 8']
  return ['v=0', ...lines, 'a=rtpmap:8 PCMA/8000', ''].join('\r\n')
}
