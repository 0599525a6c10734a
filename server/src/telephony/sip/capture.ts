// Keeps the SIP messages of our outgoing calls in memory, from Asterisk's copies (hep.ts). A copy names its Call-ID; which call
// that is, Asterisk reports over ARI, usually after the first copies have arrived:
//
//   unclaimed   Copies of a Call-ID that no call of ours has claimed yet. Strangers can fill this table, so it is small, and
//               the oldest Call-ID is dropped.
//   claimed     Copies of a call of ours.
//   ended       The channel is gone. Replies to our CANCEL or BYE still arrive for a moment, then nothing more is added.
//
// The texts have numbers in them, so they leave only through mask-sip.ts. All tables are bounded; a message too many is not kept.

import type { SipMessage } from '../../domain/verifications/sip-message.ts'
import type { Clock } from '../../process/clock.ts'
import { formatSipAddress, type SipAddress, type SipCopy } from './hep.ts'
import { type CallNumbers, createSipMask } from './mask-sip.ts'

export type SipCapture = {
  readonly add: (copy: SipCopy) => void
  readonly start: (numbers: CallNumbers) => CapturedCall
}

type CapturedCall = {
  readonly claim: (callId: string) => void
  readonly end: () => void
  // Resolves a moment after the end.
  readonly messages: () => Promise<readonly SipMessage[]>
  readonly messagesSoFar: () => readonly SipMessage[]
}

const unclaimedMax = 1_000
const unclaimedMessagesMax = 8
const claimedMax = 5_000
const messagesMax = 40
const messageBytesMax = 8_192
const bytesMax = 64 * 1024 * 1024
// Carriers confirm a CANCEL or a BYE within this time, if at all.
const trailingMs = 1_000

type Kept = { readonly copies: SipCopy[]; bytes: number }

export const noCapture: SipCapture = {
  add: () => undefined,
  start: () => ({ claim: () => undefined, end: () => undefined, messages: async () => [], messagesSoFar: () => [] }),
}

export function createSipCapture({ clock }: { readonly clock: Clock }): SipCapture {
  const unclaimed = new Map<string, Kept>()
  const claimed = new Map<string, Kept>()
  let bytes = 0
  const keep = (kept: Kept, copy: SipCopy, max: number) => {
    if (kept.copies.length >= max || bytes >= bytesMax || copy.text.length > messageBytesMax) return
    kept.copies.push(copy)
    kept.bytes += copy.text.length
    bytes += copy.text.length
  }
  const drop = (table: Map<string, Kept>, callId: string) => {
    bytes -= table.get(callId)?.bytes ?? 0
    table.delete(callId)
  }
  const wait = (copy: SipCopy) => {
    const kept = unclaimed.get(copy.callId) ?? { copies: [], bytes: 0 }
    unclaimed.set(copy.callId, kept)
    keep(kept, copy, unclaimedMessagesMax)
    for (const oldest of unclaimed.keys()) {
      if (unclaimed.size <= unclaimedMax) break
      drop(unclaimed, oldest)
    }
  }
  return {
    add: (copy) => {
      const kept = claimed.get(copy.callId)
      if (kept) keep(kept, copy, messagesMax)
      else if (!/^(OPTIONS|REGISTER) /.test(copy.text)) wait(copy)
    },
    start: (numbers) => {
      const ended = Promise.withResolvers<void>()
      let callId: string | undefined
      let kept: Kept = { copies: [], bytes: 0 }
      return {
        claim: (id) => {
          if (callId !== undefined || claimed.size >= claimedMax) return
          callId = id
          kept = unclaimed.get(id) ?? kept
          unclaimed.delete(id)
          claimed.set(id, kept)
        },
        end: () => {
          clock.after(trailingMs, () => {
            if (callId !== undefined) drop(claimed, callId)
            ended.resolve()
          })
        },
        messagesSoFar: () => messagesOf(kept.copies, callId ?? '', numbers),
        messages: async () => {
          await ended.promise
          return messagesOf(kept.copies, callId ?? '', numbers)
        },
      }
    },
  }
}

function messagesOf(kept: readonly SipCopy[], callId: string, numbers: CallNumbers): readonly SipMessage[] {
  const copies = repliesLast(kept)
  const [first] = copies
  if (!first) return []
  const mask = createSipMask(numbers)
  const us = first.text.startsWith('SIP/2.0 ') ? first.destination : first.source
  return copies.flatMap((copy, index) =>
    textsOf(copy, copies[index - 1], callId).map((text) => ({
      atMs: copy.atMs,
      isSent: isSame(copy.source, us),
      source: formatSipAddress(copy.source),
      destination: formatSipAddress(copy.destination),
      text: mask(text),
    })),
  )
}

// One process of the edge copies a request after it was sent, and another its reply at once: a reply waits for the request that it
// belongs to. A reply without one stays at the end.
function repliesLast(copies: readonly SipCopy[]): readonly SipCopy[] {
  const asked = new Set<string>()
  const ordered: SipCopy[] = []
  let early: SipCopy[] = []
  for (const copy of copies) {
    const sequence = sequenceOf(copy)
    if (copy.text.startsWith('SIP/2.0 ') && !asked.has(sequence)) {
      early.push(copy)
      continue
    }
    asked.add(sequence)
    const own = early.filter((reply) => sequenceOf(reply) === sequence)
    ordered.push(copy, ...own.map((reply) => ({ ...reply, atMs: Math.max(reply.atMs, copy.atMs) })))
    early = early.filter((reply) => !own.includes(reply))
  }
  return [...ordered, ...early]
}

// An ACK has the number of its INVITE and gets no reply.
function sequenceOf({ text }: SipCopy): string {
  return /^cseq[ \t]*:[ \t]*(\d+[ \t]+\w+)/im.exec(text)?.[1] ?? ''
}

// Messages received in one TCP segment are each copied with the whole segment.
function textsOf(copy: SipCopy, before: SipCopy | undefined, callId: string): readonly string[] {
  if (copy.protocol === 'udp') return [copy.text]
  if (before?.text === copy.text) return []
  return copy.text
    .split(/(?<=\n)(?=[A-Z]+ sips?:|SIP\/2\.0 \d{3})/)
    .filter((text) => text.split('\n').some((line) => /^(call-id|i)[ \t]*:/i.test(line) && line.includes(callId)))
}

function isSame(one: SipAddress, other: SipAddress): boolean {
  return one.host === other.host && one.port === other.port
}
