// Calls to our numbers over the edge. The edge rings and refuses by itself, and sends three kinds of events, each with the INVITE:
//
//   arrived       Sent once. If it is lost, the call begins with the next event.
//   confirmed     The sender has proved that it received our reply.
//   unconfirmed   It has not, within five seconds.
//
// Each is signed, for this process alone (edge-key.ts): whatever else arrives says nothing. One of the last two is repeated until we
// acknowledge it, which we do when the call has been handled: a process that is started meanwhile gets it again. If the edge is started
// again, its pending calls will never be confirmed.

import type { Transport } from '../../domain/trunks/trunk.ts'
import { createInboundQueue } from '../inbound-queue.ts'
import { canonicalHost } from '../sip/hep.ts'
import { readInvite } from '../sip/read-invite.ts'
import type { InboundCall } from '../switch.ts'
import { createEdgeCarriers, type EdgeCarriers, type EdgeCarriersDeps } from './carriers.ts'
import { type EdgeKeys, isSignature, signatureChars } from './key.ts'

type EdgeInbound = {
  readonly calls: AsyncIterable<InboundCall>
  // True if the packet was about an inbound call.
  readonly onPacket: (packet: Buffer) => boolean
  // The edge has started, perhaps again.
  readonly onEdgeStarted: () => void
  readonly close: () => void
}

type Pending = { readonly confirm: (isConfirmed: boolean) => void; hasOutcome: boolean; isHandled: boolean }

// Longer than the edge waits for an ACK, on a clock that may run faster in tests.
const guardMs = 60_000
const pendingMax = 10_000
const settledMax = 20_000

type EdgeInboundDeps = EdgeCarriersDeps & { readonly keys: EdgeKeys }

export function createEdgeInbound(deps: EdgeInboundDeps): EdgeInbound {
  const { publish, clock, keys } = deps
  const queue = createInboundQueue()
  const pending = new Map<string, Pending>()
  // An event may have been repeated just before it was acknowledged.
  const settled = new Set<string>()
  const carriers = createEdgeCarriers(deps)
  let isClosed = false
  const acknowledge = (tag: string) => publish([`X-Edge-Received: ${tag}`])
  const settle = (tag: string, one: Pending) => {
    if (!one.isHandled || !one.hasOutcome) return
    acknowledge(tag)
    pending.delete(tag)
    settled.add(tag)
    const [oldest = ''] = settled
    if (settled.size > settledMax) settled.delete(oldest)
  }
  const decide = (tag: string, one: Pending, isConfirmed: boolean) => {
    one.hasOutcome = true
    one.confirm(isConfirmed)
    settle(tag, one)
  }
  const begin = (event: EdgeEvent): Pending | undefined => {
    const read = readEvent(event, carriers)
    if (read === undefined) return undefined
    const { promise: isConfirmed, resolve: confirm } = Promise.withResolvers<boolean>()
    const one: Pending = { confirm, hasOutcome: false, isHandled: false }
    const guard = clock.after(guardMs, () => decide(event.tag, one, false))
    isConfirmed.then(guard.stop, guard.stop)
    pending.set(event.tag, one)
    const handled = () => {
      one.isHandled = true
      settle(event.tag, one)
    }
    // The edge rings and refuses by itself, with 486.
    const ring = async () => undefined
    const reject = (status: 486 | 404) => {
      if (status === 404) publish([`X-Edge-Unknown: ${event.tag}`])
    }
    queue.add({ ...read, isConfirmed, ring, reject, handled })
    return one
  }
  const onEvent = (event: EdgeEvent) => {
    if (settled.has(event.tag)) return acknowledge(event.tag)
    const one = pending.get(event.tag) ?? begin(event)
    if (event.kind === 'arrived') return
    if (one === undefined) return acknowledge(event.tag)
    decide(event.tag, one, event.kind === 'confirmed')
  }
  return {
    calls: queue.calls,
    onPacket: (packet) => {
      const event = parseEvent(packet, carriers.nonce, keys)
      // One too many is repeated, and taken when there is room.
      if (event && !isClosed && (pending.has(event.tag) || pending.size < pendingMax)) onEvent(event)
      return event !== undefined
    },
    onEdgeStarted: () => {
      for (const [tag, one] of pending) decide(tag, one, false)
      carriers.announce()
    },
    close: () => {
      isClosed = true
      carriers.close()
      // Not decided: the next process gets their events.
      for (const one of pending.values()) one.confirm(false)
      queue.close()
    },
  }
}

// Undefined if it cannot be read, or its trunk is gone.
function readEvent({ tag, transport, source, text }: EdgeEvent, carriers: Pick<EdgeCarriers, 'trunkOf'>) {
  const trunk = carriers.trunkOf(source, transport)
  const invite = readInvite(text)
  return trunk && invite && { ...invite, channelId: tag, trunk: trunk.name, transport }
}

type EdgeEvent = {
  readonly kind: 'arrived' | 'confirmed' | 'unconfirmed'
  readonly tag: string
  readonly transport: Transport
  readonly source: string
  readonly text: string
}

const eventPattern =
  /^(arrived|confirmed|unconfirmed) ([0-9a-f]{32})\|(udp|tcp|tls)\|([0-9a-f.:]+)\|\d+\|[^|]*\|\r\n(.*)$/is

// Behind its signature and a space.
function parseEvent(packet: Buffer, nonce: string, keys: EdgeKeys): EdgeEvent | undefined {
  const event = packet.subarray(signatureChars + 1)
  if (!isSignature(packet.toString('latin1', 0, signatureChars), keys, nonce, event)) return undefined
  const [, kind, tag = '', transport, source = '', text = ''] = eventPattern.exec(event.toString('utf8')) ?? []
  if (kind === undefined) return undefined
  return {
    kind: kind as EdgeEvent['kind'],
    tag,
    transport: transport as EdgeEvent['transport'],
    source: canonicalHost(source),
    text,
  }
}
