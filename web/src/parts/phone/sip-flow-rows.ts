// The rows of a SIP flow: its messages, with long silences compressed. Lanes from left to right: your program,
// Ringproof, the carrier, the phone.

const laneOf = { you: 0, us: 1, carrier: 2, phone: 3 } as const
type SipFlowLane = (typeof laneOf)[keyof typeof laneOf]

export type SipFlowMessage = {
  readonly kind: 'message'
  readonly sinceMs: number
  readonly from: SipFlowLane
  readonly to: SipFlowLane
  readonly text: string
  readonly tone: 'plain' | 'good' | 'bad' | 'ring'
  // Shown when the arrow is pressed.
  readonly raw?: string
}
export type SipFlowRow =
  | SipFlowMessage
  // Nothing was said for a while; while it rings, the phone is lit.
  | { readonly kind: 'silence' | 'ringing'; readonly sinceMs: number; readonly lengthMs: number }

type SipMessage = {
  readonly sinceMs: number
  readonly isSent: boolean
  readonly line: string
  readonly text: string
  readonly attempt: number
  readonly trunk: string
}

const silenceMs = 1_000

// Messages of one clock, in order.
export function withSilences(messages: readonly SipFlowMessage[]): readonly SipFlowRow[] {
  return messages.flatMap((message, at): SipFlowRow[] => {
    const next = messages[at + 1]
    const lengthMs = next === undefined ? 0 : next.sinceMs - message.sinceMs
    if (lengthMs < silenceMs) return [message]
    return [message, { kind: message.tone === 'ring' ? 'ringing' : 'silence', sinceMs: message.sinceMs, lengthMs }]
  })
}

// A reply to the INVITE that comes from the phone itself is drawn from the phone.
export function sipFlowMessage({ sinceMs, isSent, line, text, attempt, trunk }: SipMessage): SipFlowMessage {
  const status = Number(/^SIP\/2\.0 (\d{3})/.exec(line)?.[1] ?? 0)
  const method = /^CSeq: *\d+ +([A-Z]+)/im.exec(text)?.[1] ?? ''
  const isInvite = method === 'INVITE'
  // 183 is early media: an announcement, or ringing that only some carriers mean by it.
  const isRinging = isInvite && status === 180
  const isAnswer = isInvite && status >= 200 && status < 300
  const other = isRinging || isAnswer ? laneOf.phone : laneOf.carrier
  const words = status > 0 ? line.replace('SIP/2.0 ', '') : (line.split(' ')[0] ?? '')
  return {
    kind: 'message',
    sinceMs,
    from: isSent ? laneOf.us : other,
    to: isSent ? laneOf.carrier : laneOf.us,
    // The trunk is named where a call begins.
    text: words === 'INVITE' ? `INVITE ${trunk}${attempt > 1 ? ` (${attempt})` : ''}` : words,
    tone: isRinging ? 'ring' : isAnswer || status === 487 ? 'good' : isInvite && status >= 300 ? 'bad' : 'plain',
    raw: text,
  }
}
