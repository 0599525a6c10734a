// What the rungs of a call's ladder are: its messages, with long silences compressed. Lanes from left to right: your program,
// Ringproof, the carrier, the phone.

const laneOf = { you: 0, us: 1, carrier: 2, phone: 3 } as const
type LadderLane = (typeof laneOf)[keyof typeof laneOf]

export type LadderMessage = {
  readonly kind: 'message'
  readonly sinceMs: number
  readonly from: LadderLane
  readonly to: LadderLane
  readonly text: string
  readonly tone: 'plain' | 'good' | 'bad' | 'ring'
  // Shown when the arrow is pressed.
  readonly raw?: string
}
export type Rung =
  | LadderMessage
  // Nothing was said for a while; while it rings, the phone is lit.
  | { readonly kind: 'silence' | 'ringing'; readonly sinceMs: number; readonly lengthMs: number }

type SipRungSource = {
  readonly sinceMs: number
  readonly isSent: boolean
  readonly line: string
  readonly text: string
  readonly attempt: number
  readonly trunk: string
}

const silenceMs = 1_000

// Messages of one clock, in order.
export function withSilences(messages: readonly LadderMessage[]): readonly Rung[] {
  return messages.flatMap((message, at): Rung[] => {
    const next = messages[at + 1]
    const lengthMs = next === undefined ? 0 : next.sinceMs - message.sinceMs
    if (lengthMs < silenceMs) return [message]
    return [message, { kind: message.tone === 'ring' ? 'ringing' : 'silence', sinceMs: message.sinceMs, lengthMs }]
  })
}

// A reply to the INVITE that comes from the phone itself is drawn from the phone.
export function sipRung({ sinceMs, isSent, line, text, attempt, trunk }: SipRungSource): LadderMessage {
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
