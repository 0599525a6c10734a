// The legs of a call, one per attempt, as its SIP messages show them.

import type { SipMessage } from './sip-message.ts'

type Leg = {
  readonly attempt: number
  readonly trunk: string
  readonly callId: string
  readonly source: string
  readonly destination: string
  // The last response to the INVITE; empty: there was none.
  readonly response: string
  // By Q.850, if the carrier gave one.
  readonly cause: number | null
  // From the INVITE to that response.
  readonly tookMs: number
}

type AttemptOf<Message> = {
  readonly attempt: number
  readonly trunk: string
  readonly messages: readonly Message[]
}

export function legOf({ attempt, trunk, messages }: AttemptOf<SipMessage>): Leg {
  const invite = messages.find(({ text }) => text.startsWith('INVITE '))
  const last = messages.findLast(({ text }) => /^SIP\/2\.0 \d/.test(text) && /^CSeq: *\d+ +INVITE/im.test(text))
  const reason = messages.findLast(({ text }) => /^Reason: *Q\.850/im.test(text))
  const cause = reason && /^Reason: *Q\.850[^\n]*?cause=(\d+)/im.exec(reason.text)?.[1]
  return {
    attempt,
    trunk,
    callId: invite ? headerOf(invite.text, 'call-id', 'i') : '',
    source: invite?.source ?? '',
    destination: invite?.destination ?? '',
    response: last ? (last.text.split('\n', 1)[0] ?? '').replace('SIP/2.0 ', '') : '',
    cause: cause === undefined ? null : Number(cause),
    tookMs: invite && last ? Math.round(last.atMs - invite.atMs) : 0,
  }
}

function headerOf(text: string, ...names: readonly string[]): string {
  return new RegExp(`^(?:${names.join('|')})[ \\t]*:[ \\t]*(.*)$`, 'im').exec(text)?.[1] ?? ''
}
