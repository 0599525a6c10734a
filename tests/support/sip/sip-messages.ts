// Reading what a carrier has received.

import assert from 'node:assert/strict'
import type { TestCarrier } from './asterisk.ts'
import { realClock } from './asterisk-switch.ts'

export type SipMessage = {
  readonly line: string
  // Empty when there is no such header.
  readonly header: (name: string) => string
}

const waitMs = 10_000
const pollMs = 50

// The last request of that verb to that user or host.
export function sipMessage(
  messages: readonly string[],
  verb: string,
  to: string,
  isIt: (message: SipMessage) => boolean = () => true,
): SipMessage {
  const found = findMessage(messages, verb, to, isIt)
  assert(found, `no ${verb} to ${to} was received`)
  return found
}

export async function waitForMessage(
  carrier: TestCarrier,
  verb: string,
  to: string,
  isIt: (message: SipMessage) => boolean = () => true,
): Promise<SipMessage> {
  const startedMs = performance.now()
  for (;;) {
    const found = findMessage(carrier.messages(), verb, to, isIt)
    if (found || performance.now() - startedMs > waitMs) return found ?? sipMessage(carrier.messages(), verb, to, isIt)
    await realClock.sleep(pollMs, AbortSignal.any([]))
  }
}

function findMessage(
  messages: readonly string[],
  verb: string,
  to: string,
  isIt: (message: SipMessage) => boolean,
): SipMessage | undefined {
  return messages
    .filter((text) => text.startsWith(`${verb} sip:${to}`))
    .map(parsed)
    .findLast(isIt)
}

function parsed(text: string): SipMessage {
  const [line = '', ...lines] = text.split(/\r?\n/)
  const header = (name: string) =>
    lines
      .find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`))
      ?.slice(name.length + 1)
      .trim() ?? ''
  return { line, header }
}
