// Flash calls over one signalling edge (Kamailio, deploy/edge/): we are a very small SIP user agent, and the edge is a proxy of
// ours. It repeats, cancels, acknowledges and hangs up towards the carrier, also when this process is gone.
//
// We ask the edge several times a second when it was started. After a restart it knows nothing of the phones that ring: each is
// cancelled by the branch of its INVITE, which the edge reports before the INVITE leaves. It also refuses an INVITE that was written
// before the restart, because that one may have been dialled.

import { randomBytes, randomUUID } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import type { Trunk } from '../../domain/trunks/trunk.ts'
import { createTokenBucket } from '../../domain/values/token-bucket.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import { createLegEvents } from '../leg-events.ts'
import type { SipCapture } from '../sip/capture.ts'
import type { Dial, Leg, Switch } from '../switch.ts'
import { createEdgeInbound } from './inbound.ts'
import { type EdgeKeys, signRequest } from './key.ts'
import { createEdgeLeg, type EdgeLeg, type Trail } from './leg.ts'
import {
  callIdOf,
  type Dialog,
  type EdgeReply,
  type EdgeState,
  edgeCall,
  parseBranch,
  parseReply,
  parseState,
  requestText,
} from './messages.ts'

type EdgeDeps = {
  readonly host: string
  readonly port: number
  readonly keys: EdgeKeys
  readonly callsPerSecond: number
  readonly trunks: () => readonly Trunk[]
  readonly passwordOf: (trunk: Trunk) => string | undefined
  // A guest takes no inbound calls.
  readonly isGuest: boolean
  readonly capture: SipCapture
  readonly clock: Clock
  readonly log: Logger
}

// For the metrics: whether it responds, calls in progress, and how often it was started again while this process ran.
export type EdgeFigures = { readonly isUp: boolean; readonly legs: number; readonly restarts: number }

export type Edge = {
  // Flash calls only.
  readonly dial: Switch['dial']
  readonly inbound: Switch['inbound']
  readonly isReady: () => boolean
  readonly figures: () => EdgeFigures
  // Resolves once the edge has responded.
  readonly opened: Promise<void>
  readonly close: () => Promise<void>
}

const watchMs = 250
const silenceMaxMs = 1_000
// An ended leg still acknowledges repetitions of its final reply, and takes memory at the edge.
const trailingMs = 5_000
// Shared memory is the limit of the edge, and it is bad at refusing: 512 MB at 16 kB a leg are twice of this.
const legsMax = 16_000
const closeMs = 5_000

export function createEdge(deps: EdgeDeps): Edge {
  const { clock, log, keys } = deps
  const run = randomUUID()
  const calls: Calls = { legs: new Map(), trails: new Map(), channels: new Set() }
  const { legs, channels } = calls
  const find = (callId: string) => legs.get(callId) ?? calls.trails.get(callId)
  const tokens = createTokenBucket(clock.monotonicMs())
  const opened = Promise.withResolvers<void>()
  let state: EdgeState | undefined
  let [isClosed, isUp] = [false, false]
  let [restarts, watches] = [0, 0]
  const onForeignState = warnOnce(log)
  const onState = (now: EdgeState) => {
    const before = state
    state = now
    if (!isUp) log.info({}, 'edge connected')
    isUp = true
    opened.resolve()
    if (before?.boot === now.boot) return
    inbound?.onEdgeStarted()
    if (before === undefined) return
    restarts += 1
    log.warn({ count: channels.size }, 'edge restarted')
    for (const leg of legs.values()) leg.onEdgeLost()
  }
  const onSilence = () => {
    if (isUp) log.warn({}, 'edge lost')
    isUp = false
  }
  const onReply = (reply: EdgeReply) => {
    if (!reply.callId.startsWith(`watch-${run}`)) return find(reply.callId)?.onReply(reply)
    const now = parseState(reply, clock.monotonicMs(), keys)
    return now ? onState(now) : onForeignState()
  }
  const onPacket = (packet: Buffer) => {
    const reply = parseReply(packet)
    if (reply) return onReply(reply)
    const sent = parseBranch(packet, keys)
    if (sent) return find(sent.callId)?.onBranch(sent.branch)
    return inbound?.onPacket(packet)
  }
  const wire = openWire(deps, onPacket, onSilence)
  const publish = (headers: readonly string[]) => wire.send(publishText(wire.address(), `publish-${run}`, headers))
  const inbound = deps.isGuest ? undefined : createEdgeInbound({ ...deps, publish })
  const watching = clock.every(watchMs, () => {
    wire.send(watchText(wire.address(), `watch-${run}-${watches++}`))
    if (state !== undefined && clock.monotonicMs() - state.atMs > silenceMaxMs) onSilence()
  })
  return {
    opened: opened.promise,
    inbound: inbound?.calls ?? noCalls(),
    isReady: () =>
      !isClosed && isUp && hasRoom(calls) && tokens.available(deps.callsPerSecond, clock.monotonicMs()) > 0,
    figures: () => ({ isUp, legs: channels.size, restarts }),
    dial: (call) => {
      if (isClosed) throw new Error('the switch is closed')
      if (channels.has(call.channelId)) throw new Error(`channel ${call.channelId} is already dialled`)
      tokens.spend()
      return dial({ ...deps, wire, edge: state, calls }, call)
    },
    close: async () => {
      if (isClosed) return
      isClosed = true
      inbound?.close()
      await hangUpAll(clock, legs)
      watching.stop()
      await wire.close()
    },
  }
}

function warnOnce(log: Logger): () => void {
  let hasWarned = false
  return () => {
    if (!hasWarned) log.warn({ fix: 'ringproof edge prepare' }, 'edge has another key')
    hasWarned = true
  }
}

// By Call-ID, legs and what is left of them; the channels of legs.
type Calls = {
  readonly legs: Map<string, EdgeLeg>
  readonly trails: Map<string, Trail>
  readonly channels: Set<string>
}

type DialDeps = EdgeDeps & { readonly wire: Wire; readonly edge: EdgeState | undefined; readonly calls: Calls }

function dial(deps: DialDeps, request: Dial): Leg {
  const { wire, edge, clock, calls } = deps
  const { flashRingMs: ringMs } = request
  if (ringMs === undefined) throw new RangeError('only flash calls go over the edge')
  const trunk = deps.trunks().find(({ name }) => name === request.trunk)
  if (trunk === undefined || edge === undefined) return unplaced()
  const call = edgeCall(trunk, request, randomBytes(16).toString('hex'))
  const callId = callIdOf(call)
  const captured = deps.capture.start(request)
  captured.claim(callId)
  calls.channels.add(request.channelId)
  const leg = createEdgeLeg({
    call,
    password: deps.passwordOf(trunk),
    ringMs,
    via: wire.address(),
    edge,
    clock,
    send: wire.send,
    ended: (trail) => {
      captured.end()
      calls.channels.delete(request.channelId)
      calls.legs.delete(callId)
      leaveTrail(calls, clock, callId, trail)
    },
  })
  calls.legs.set(callId, leg)
  const speak = async (): Promise<never> => {
    throw new Error('a flash call does not speak')
  }
  const { messages, messagesSoFar } = captured
  return { events: leg.events, hangUp: leg.hangUp, speak, messages, messagesSoFar }
}

function hasRoom({ legs, trails }: Calls): boolean {
  return legs.size + trails.size < legsMax
}

// Apart from the leg, so that the timer holds nothing of it.
function leaveTrail({ trails }: Calls, clock: Clock, callId: string, trail: Trail): void {
  trails.set(callId, trail)
  clock.after(trailingMs, () => trails.delete(callId))
}

async function hangUpAll(clock: Clock, legs: ReadonlyMap<string, EdgeLeg>): Promise<void> {
  const open = [...legs.values()]
  for (const leg of open) leg.hangUp()
  const over = new AbortController()
  await Promise.race([Promise.all(open.map((leg) => leg.over)), clock.sleep(closeMs, over.signal)])
  over.abort()
  for (const leg of open) leg.end()
}

type Wire = {
  readonly address: () => string
  readonly send: (text: string) => void
  readonly close: () => Promise<void>
}

const bufferBytes = 4 * 1024 * 1024
// The edge passes on no message of more than 8192 bytes; an event has a head before it.
const packetBytesMax = 9_216

// Connected, so that the kernel chooses our address towards the edge, and drops what other addresses send. Addresses can be forged.
function openWire(
  { host, port, keys, log }: EdgeDeps,
  onPacket: (packet: Buffer) => void,
  onRefused: () => void,
): Wire {
  const type = isIPv6(host) ? 'udp6' : 'udp4'
  const socket = createSocket({ type, recvBufferSize: bufferBytes, sendBufferSize: bufferBytes })
  let address = ''
  socket.on('message', (packet) => {
    if (packet.length <= packetBytesMax) onPacket(packet)
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') onRefused()
    else log.warn({ err: error }, 'edge socket failed')
  })
  socket.connect(port, host, () => {
    address = addressOf(socket)
  })
  return {
    address: () => address,
    send: (text) => {
      if (address !== '') socket.send(signRequest(keys, text), (error) => error && socket.emit('error', error))
    },
    close: async () => {
      address = ''
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}

function addressOf(socket: Socket): string {
  const { address, port } = socket.address()
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`
}

export function watchText(via: string, name: string): string {
  return requestText(toEdge(name), { method: 'OPTIONS', via, sequence: 1 })
}

// The edge does not reply: what matters is sent again.
function publishText(via: string, name: string, headers: readonly string[]): string {
  return requestText(toEdge(name), { method: 'PUBLISH', via, sequence: 1, headers })
}

function toEdge(name: string): Dialog {
  const from = `<sip:ringproof@edge.invalid>;tag=${name}`
  return { uri: 'sip:edge.invalid', callId: name, from, to: '<sip:edge.invalid>', name }
}

async function* noCalls(): AsyncGenerator<never> {}

// Nothing was sent.
function unplaced(): Leg {
  const events = createLegEvents()
  events.add({ type: 'ended', status: undefined, by: 'nobody' })
  return {
    events: events.events,
    hangUp: () => undefined,
    speak: async () => false,
    messages: async () => [],
    messagesSoFar: () => [],
  }
}
