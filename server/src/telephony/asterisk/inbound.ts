// Turns an inbound call, as reported by the dialplan in deploy/asterisk/extensions.conf, into an InboundCall.

import type { Trunk } from '../../domain/trunks/trunk.ts'
import type { ArrivalTransport, ReplyPath } from '../../domain/verifications/inbound-call.ts'
import type { ReturnPath } from '../edge/return-path.ts'
import { createInboundQueue } from '../inbound-queue.ts'
import { parseSipAddress, type SipAddress } from '../sip/hep.ts'
import { isWithheld, userOf, userOfAll } from '../sip/identity.ts'
import type { InboundCall } from '../switch.ts'
import type { AriConnection, AriEvent } from './ari-connection.ts'
import { trunkOfInbound } from './trunks.ts'

type Inbound = {
  readonly calls: AsyncIterable<InboundCall>
  // True if the event was about an inbound call.
  readonly onEvent: (event: AriEvent, request: AriConnection['request']) => boolean
  readonly close: () => void
}

type InboundDeps = {
  readonly node: string
  readonly trunks: () => readonly Trunk[]
  readonly returnPath: Pick<ReturnPath, 'protocolOf' | 'watch'>
}

// SIP status to the Q.850 cause that Asterisk maps to it.
const causes = { 486: '17', 404: '1' } as const

// Including the final "end", which shows that none is missing.
const argumentCount = 17
const viaLengthMax = 1_000

export function createInbound({ node, trunks, returnPath }: InboundDeps): Inbound {
  const queue = createInboundQueue()
  return {
    calls: queue.calls,
    onEvent: (event, request) => {
      if (event.type !== 'StasisStart' || event.args?.[0] !== 'incoming') return false
      arrive(event, request).catch(() => refuse(event, request))
      return true
    },
    close: queue.close,
  }

  async function arrive(event: AriEvent, request: AriConnection['request']): Promise<void> {
    const call = await inboundCall(event, request)
    // No one will handle it, so end it at once.
    if (!call || !queue.add(call)) refuse(event, request)
  }

  async function inboundCall(
    { channel, args = [] }: AriEvent,
    request: AriConnection['request'],
  ): Promise<InboundCall | undefined> {
    const trunk = trunkOfInbound(channel?.name ?? '')
    const reported = readArguments(args)
    if (!channel || !reported || trunk === undefined || channel.id.startsWith(`${node}.`)) return undefined
    const { callId, tag, source, ...call } = reported
    const transport = await transportOf(reported, returnPath)
    const allowsRelay = trunks().find(({ name }) => name === trunk)?.allowsRelay === true
    const { confirmed, refused } = returnPath.watch({ callId, tag, source, allowsRelay })
    const act = async (method: 'POST' | 'DELETE', path: string, query = {}) => {
      // The caller may have hung up, or ARI may be down: neither matters here.
      await request({ method, path: `channels/${channel.id}${path}`, query }).catch(() => undefined)
    }
    return {
      ...call,
      channelId: channel.id,
      trunk,
      transport,
      isConfirmed: confirmed,
      ring: () => act('POST', '/ring'),
      reject: (status) => void act('DELETE', '', { reason_code: causes[status] }).then(refused),
      handled: () => undefined,
    }
  }
}

// The Stasis arguments of the dialplan in deploy/asterisk/extensions.conf, in order.
type ReportedCall = Pick<InboundCall, 'called' | 'from' | 'asserted' | 'isWithheld' | 'divertedBy' | 'replyPath'> & {
  readonly callId: string
  readonly tag: string
  readonly source: SipAddress
  readonly localPort: number
  // What Asterisk listens on: transports, the UDP and TCP port, and the TLS port.
  readonly bound: readonly string[]
  readonly sipPort: number
  readonly tlsPort: number
}

function readArguments([, ...args]: readonly string[]): ReportedCall | undefined {
  // A header of several thousand characters truncates the arguments after it: such a call is refused.
  if (args.length !== argumentCount || args.at(-1) !== 'end') return undefined
  const [called = '', from = '', paiNames = '', pai = '', secondPai = '', privacy = '', divertedBy = '', ...sip] = args
    .slice(0, -1)
    .map(decoded)
  const [viaNames = '', via = '', callId = '', tag = '', local = '', remote = '', bound = '', ...ports] = sip
  const source = parseSipAddress(remote)
  const localPort = parseSipAddress(local)?.port
  if (source === undefined || localPort === undefined) return undefined
  const caller = userOf(from)
  return {
    called,
    from: caller,
    asserted: assertedIn(paiNames, [pai, secondPai]),
    isWithheld: isWithheld(privacy, caller),
    divertedBy: divertedBy === '' ? undefined : divertedBy,
    replyPath: replyPathOf(countOf(viaNames, 'via'), via),
    callId,
    tag,
    source,
    localPort,
    bound: bound.split('+'),
    sipPort: Number(ports[0]),
    tlsPort: Number(ports[1]),
  }
}

// Decided by the local port, and where UDP and TCP share it, by Asterisk's copy of the packet. The headers are the sender's
// claim, and CHANNEL(pjsip,secure) repeats that claim: Asterisk derives it from Contact.
async function transportOf(
  { localPort, tlsPort, sipPort, bound, callId, source }: ReportedCall,
  { protocolOf }: Pick<ReturnPath, 'protocolOf'>,
): Promise<ArrivalTransport> {
  if (bound.includes('tls') && localPort === tlsPort) return 'tls'
  if (localPort !== sipPort) return 'own-connection'
  if (!bound.includes('tcp')) return 'udp'
  return bound.includes('udp') ? protocolOf(callId, source) : 'tcp'
}

function replyPathOf(count: number, via: string): ReplyPath {
  // Asterisk writes maddr before the parameters that may be long, and truncates a long value.
  if (/;\s*maddr\s*=/i.test(via) || via.length > viaLengthMax) return 'maddr'
  return count === 1 ? 'direct' : 'relayed'
}

function refuse({ channel }: AriEvent, request: AriConnection['request']): void {
  const query = { reason_code: causes[486] }
  request({ method: 'DELETE', path: `channels/${channel?.id}`, query }).catch(() => undefined)
}

function decoded(text: string): string {
  return Buffer.from(text, 'base64').toString()
}

// The dialplan passes two values; with more headers than that the identity is unreadable.
function assertedIn(names: string, values: readonly string[]): string | undefined {
  const count = countOf(names, 'p-asserted-identity')
  return count > values.length ? '' : userOfAll(values.slice(0, count))
}

// Asterisk lists every header whose name starts with the requested one.
function countOf(names: string, header: string): number {
  return names.split(',').filter((name) => name.trim().toLowerCase() === header).length
}
