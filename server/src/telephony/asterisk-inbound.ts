// Calls that come in: what the dialplan of deploy/asterisk/extensions.conf says of each, made into the port's words.

import type { ArrivalTransport, ReplyPath } from '../domain/calls/inbound-call.ts'
import type { Trunk } from '../domain/trunks/trunk.ts'
import type { AriConnection, AriEvent } from './ari-connection.ts'
import { trunkOfInbound } from './asterisk-trunks.ts'
import { parseSipAddress, type SipAddress } from './hep.ts'
import type { ReturnPath } from './return-path.ts'
import { userOf, userOfAll } from './sip-identity.ts'
import type { InboundCall } from './switch.ts'

export type Inbound = {
  readonly calls: AsyncIterable<InboundCall>
  // True when the event was about a call that came in.
  readonly onEvent: (event: AriEvent, request: AriConnection['request']) => boolean
  readonly close: () => void
}

export type InboundDeps = {
  readonly node: string
  readonly trunks: () => readonly Trunk[]
  readonly returnPath: Pick<ReturnPath, 'protocolOf' | 'watch'>
}

// Q.850 causes, and the SIP status that Asterisk makes of each.
const causes = { 486: '17', 404: '1' } as const

// With the last word, which shows that none is missing.
const argumentCount = 17
const viaLengthMax = 1_000

export function createInbound({ node, trunks, returnPath }: InboundDeps): Inbound {
  const waiting: InboundCall[] = []
  let news = Promise.withResolvers<void>()
  let isClosed = false
  const reportOutcome = () => {
    news.resolve()
    news = Promise.withResolvers()
  }
  async function* calls(): AsyncGenerator<InboundCall> {
    for (;;) {
      const call = waiting.shift()
      if (call) yield call
      else if (isClosed) return
      else await news.promise
    }
  }
  return {
    calls: { [Symbol.asyncIterator]: calls },
    onEvent: (event, request) => {
      if (event.type !== 'StasisStart' || event.args?.[0] !== 'incoming') return false
      arrive(event, request).catch(() => refuse(event, request))
      return true
    },
    close: () => {
      isClosed = true
      reportOutcome()
    },
  }

  async function arrive(event: AriEvent, request: AriConnection['request']): Promise<void> {
    const call = await inboundCall(event, request)
    if (call && !isClosed) waiting.push(call)
    // Nobody will look after it, so its caller must not wait.
    else refuse(event, request)
    reportOutcome()
  }

  async function inboundCall(
    { channel, args = [] }: AriEvent,
    request: AriConnection['request'],
  ): Promise<InboundCall | undefined> {
    const trunk = trunkOfInbound(channel?.name ?? '')
    const said = readArguments(args)
    if (!channel || !said || trunk === undefined || channel.id.startsWith(`${node}.`)) return undefined
    const { callId, tag, source, ...call } = said
    const transport = await transportOf(said, returnPath)
    const allowsRelay = trunks().find(({ name }) => name === trunk)?.allowsRelay === true
    const { confirmed, refused } = returnPath.watch({ callId, tag, source, allowsRelay })
    const act = async (method: 'POST' | 'DELETE', path: string, query = {}) => {
      // The caller may have hung up meanwhile, and a ari that is down has nobody to emit.
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
    }
  }
}

// What the dialplan of deploy/asterisk/extensions.conf says of a call, in its order; undefined when it does not say all of it.
type Said = Pick<InboundCall, 'called' | 'from' | 'asserted' | 'isWithheld' | 'divertedBy' | 'replyPath'> & {
  readonly callId: string
  readonly tag: string
  readonly source: SipAddress
  readonly localPort: number
  // What Asterisk listens on: transports, the port of UDP and TCP, and that of TLS.
  readonly bound: readonly string[]
  readonly sipPort: number
  readonly tlsPort: number
}

function readArguments([, ...args]: readonly string[]): Said | undefined {
  // A header of some thousand letters cuts off what comes after it, and must not hide it.
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
    isWithheld: /\b(id|user|header|session)\b/i.test(privacy) || /anonymous/i.test(caller),
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

// By the port that the call came to, and where UDP and TCP share it, by what Asterisk saw of the packet. What the call says
// of itself is the sender's word, and CHANNEL(pjsip,secure) repeats it: Asterisk reads that from Contact.
async function transportOf(
  { localPort, tlsPort, sipPort, bound, callId, source }: Said,
  { protocolOf }: Pick<ReturnPath, 'protocolOf'>,
): Promise<ArrivalTransport> {
  if (bound.includes('tls') && localPort === tlsPort) return 'tls'
  if (localPort !== sipPort) return 'own-connection'
  if (!bound.includes('tcp')) return 'udp'
  return bound.includes('udp') ? protocolOf(callId, source) : 'tcp'
}

function replyPathOf(count: number, via: string): ReplyPath {
  // Asterisk writes maddr before what may be long, and cuts off what is too long.
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

// More than two say nothing that we could have read whole.
function assertedIn(names: string, values: readonly string[]): string | undefined {
  const count = countOf(names, 'p-asserted-identity')
  return count > values.length ? '' : userOfAll(values.slice(0, count))
}

// Asterisk names every header that begins like the one that was asked for.
function countOf(names: string, wanted: string): number {
  return names.split(',').filter((name) => name.trim().toLowerCase() === wanted).length
}
