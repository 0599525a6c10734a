// Parses the messages that a carrier received.

import assert from 'node:assert/strict'
import { poll } from '../poll.ts'
import type { TestCarrier } from './asterisk.ts'

export type SipMessage = {
  readonly line: string
  // Empty when there is no such header.
  readonly header: (name: string) => string
}

// The last request with that method to that user or host.
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
  return poll(`${verb} to ${to}`, () => findMessage(carrier.messages(), verb, to, isIt))
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
