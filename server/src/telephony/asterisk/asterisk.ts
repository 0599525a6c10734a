// The switch on top of one Asterisk. Only this directory speaks ARI: connection, legs, trunks and INVITEs are in the files
// beside this one.
//
// Each time ARI connects, our state is reconciled with Asterisk's. Missing or different trunks are pushed. A leg whose
// channel exists continues; a leg whose channel is gone has ended; a channel of ours without a leg, because the process that
// dialled it died, is hung up. A restarted Asterisk has lost everything.
//
// Load is limited by a token bucket of calls per second, and no call is placed while Asterisk is slow to accept calls: an
// overloaded Asterisk refuses nothing, it just lets phones ring on.

import { asteriskVersionMin, isOlder } from '../../domain/installation/schema-version.ts'
import type { Transport, Trunk, TrunkState } from '../../domain/trunks/trunk.ts'
import type { TrunkSignals } from '../../domain/trunks/trunk-health.ts'
import { createTokenBucket } from '../../domain/values/token-bucket.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import { asteriskKey, edgeKeys } from '../edge/key.ts'
import { outsideCopies } from '../edge/outside-copies.ts'
import { createReturnPath, type ReturnPath, type SipReader } from '../edge/return-path.ts'
import type { SipCapture } from '../sip/capture.ts'
import { hepKey, type SipAddress } from '../sip/hep.ts'
import { createSignalReader } from '../sip/trunk-signals.ts'
import type { Dial, Leg, Switch } from '../switch.ts'
import { type AriChannel, type AriConnection, type AriEvent, createAriConnection } from './ari-connection.ts'
import { createInbound } from './inbound.ts'
import { channelOf, inviteRequest } from './invite.ts'
import { createLatencyMonitor, type LatencyMonitor } from './latency-monitor.ts'
import { type AsteriskLeg, createAsteriskLeg, type Playback } from './leg.ts'
import { createTrunkPushes } from './push.ts'
import { readRegistrations } from './registrations.ts'
import type { EdgeProxy } from './trunks.ts'

export type AsteriskDeps = {
  readonly url: string
  readonly user: string
  readonly password: string
  // CA of an https:// Asterisk, if it is not one that Node trusts by default.
  readonly caFile?: string | undefined
  // Name of the node and of its ARI application; unique.
  readonly node: string
  // A guest neither changes existing trunks nor ends other processes' calls.
  readonly isGuest: boolean
  // What Asterisk listens on, and the loopback port for its copies of SIP messages; undefined for a guest, which takes no
  // inbound calls.
  readonly sipTransports: readonly Transport[]
  readonly hepPort: number | undefined
  // Keeps the SIP messages of outgoing calls until their end.
  readonly capture: SipCapture
  // Asterisk's outbound proxy. Its copies of SIP messages arrive on the same port.
  readonly edge?: SipAddress | undefined
  readonly callsPerSecond: number
  readonly trunks: () => readonly Trunk[]
  readonly passwordOf: (trunk: Trunk) => string | undefined
  readonly clock: Clock
  readonly log: Logger
  // Called once if this switch can never work: another process uses its name, or Asterisk is too old.
  readonly failed: (why: string) => void
}

export type AsteriskSwitch = Switch & {
  readonly trunkStates: () => Promise<ReadonlyMap<string, TrunkState>>
  readonly signalsOf: (trunk: Trunk) => TrunkSignals
  // Resolves once ARI is connected and the trunks are pushed.
  readonly opened: Promise<void>
}

const pushMs = 1_000

export function createAsterisk(deps: AsteriskDeps): AsteriskSwitch {
  const { node, clock, log } = deps
  const legs = new Map<string, AsteriskLeg>()
  const signals = createSignalReader(clock)
  const returnPath = readCopies(deps, signals)
  // It is sent to over UDP.
  const proxy = deps.sipTransports.includes('udp') ? proxyOf(deps) : undefined
  const inbound = createInbound({ ...deps, returnPath })
  const tokens = createTokenBucket(clock.monotonicMs())
  const latency = createLatencyMonitor(clock)
  const opened = Promise.withResolvers<void>()
  const pushes = createTrunkPushes({ ...deps, proxy, readRegistrations: () => readRegistrations(deps) })
  let startedAt: string | undefined
  let isClosed = false
  let hasFailed = false
  const failOnce = (why: string) => {
    if (!hasFailed) deps.failed(why)
    hasFailed = true
  }
  const onConnect = async (request: AriConnection['request']) => {
    const bootedAt = await assertVersion(request, failOnce)
    if (bootedAt !== startedAt) {
      pushes.forget()
      for (const leg of legs.values()) leg.end({ status: undefined, by: 'us' })
    }
    startedAt = bootedAt
    await reconcile(request, deps, legs)
    await pushes.push(request)
    opened.resolve()
  }
  const onEvent = (event: AriEvent) => {
    if (inbound.onEvent(event, ari.request)) return
    legOf(legs, event)?.onEvent(event)
  }
  const onReplaced = () => {
    failOnce(`another process uses this node's name, ${node}: set a different RINGPROOF_NODE`)
    ari.close().catch(() => undefined)
  }
  const ari = createAriConnection({ ...deps, application: node, onEvent, onConnect, onReplaced })
  const pushing = clock.every(pushMs, () => {
    if (ari.isUp()) pushes.push(ari.request).catch((error: unknown) => log.warn({ err: error }, 'trunk push failed'))
  })
  const isReady = () =>
    !isClosed && ari.isUp() && !latency.isSlow() && tokens.available(deps.callsPerSecond, clock.monotonicMs()) > 0
  return {
    isReady,
    opened: opened.promise,
    inbound: inbound.calls,
    // Of a node that has never been connected nothing is known.
    trunkStates: async () =>
      startedAt === undefined ? new Map() : pushes.states(ari.isUp() ? ari.request : undefined),
    signalsOf: signals.of,
    dial: (call) => {
      if (isClosed) throw new Error('the switch is closed')
      if (legs.has(channelOf(node, call.channelId))) throw new Error(`channel ${call.channelId} is already dialled`)
      tokens.spend()
      return dial({ ...deps, proxy, ari, legs, latency }, call)
    },
    close: async () => {
      isClosed = true
      pushing.stop()
      await hangUpAll(ari, legs)
      if (deps.isGuest) await pushes.withdraw(ari.request).catch(() => undefined)
      inbound.close()
      await returnPath.close()
      await ari.close()
      for (const leg of legs.values()) leg.end({ status: undefined, by: 'us' })
    },
  }
}

function proxyOf({ edge, password }: AsteriskDeps): EdgeProxy | undefined {
  return edge && { ...edge, key: asteriskKey(edgeKeys(password)) }
}

function readCopies(deps: AsteriskDeps, signals: SipReader): ReturnPath {
  const { edge, password, hepPort: port } = deps
  const copies = outsideCopies(edge, [deps.capture, signals])
  const ofEdge = edge && { ...copies, key: hepKey(password, 'edge') }
  return createReturnPath({ ...deps, port, key: hepKey(password, 'asterisk'), readers: [copies], edge: ofEdge })
}

type DialDeps = AsteriskDeps & {
  readonly proxy: SipAddress | undefined
  readonly ari: AriConnection
  readonly legs: Map<string, AsteriskLeg>
  readonly latency: LatencyMonitor
}

function dial({ node, trunks, proxy, ari, legs, latency, capture, log, clock }: DialDeps, request: Dial): Leg {
  const call = { ...request, originateTimeoutMs: clock.scaledMs(request.originateTimeoutMs) }
  const id = channelOf(node, call.channelId)
  const captured = capture.start(call)
  const leg = createAsteriskLeg(call.originateTimeoutMs, captured.claim, () => {
    legs.delete(id)
    captured.end()
  })
  legs.set(id, leg)
  const trunk = trunks().find(({ name }) => name === call.trunk)
  const startedMs = clock.monotonicMs()
  const originate = async () => {
    if (!trunk || !ari.isUp()) return leg.end({ status: undefined, by: 'nobody' })
    const response = await ari.request(inviteRequest(node, trunk, call, proxy))
    latency.add(clock.monotonicMs() - startedMs)
    if (response.status < 300) return undefined
    // No INVITE was sent: Asterisk does not have the trunk, or its carrier has not replied to OPTIONS.
    log.warn({ trunk: call.trunk, http_status: response.status }, 'originate refused')
    return leg.end({ status: undefined, by: 'nobody' })
  }
  // If ARI is lost now, we do not know whether it was dialled; the next onConnect finds out.
  originate().catch((error: unknown) => log.warn({ err: error, trunk: call.trunk }, 'originate failed'))
  return {
    events: leg.events,
    hangUp: () => {
      if (leg.isHungUp()) return
      leg.markHungUp()
      // If ARI is down, the next onConnect hangs up.
      hangUp(ari.request, id, leg).catch(() => undefined)
    },
    speak: (digits, language) => speak(ari, id, leg, digits, language),
    messages: captured.messages,
    messagesSoFar: captured.messagesSoFar,
  }
}

// A missing channel has already ended; if its last event was lost, this ends the leg.
async function hangUp(request: AriConnection['request'], id: string, leg: AsteriskLeg): Promise<void> {
  const { status } = await request({ method: 'DELETE', path: `channels/${id}`, query: { reason_code: '16' } })
  if (status === 404) leg.end({ status: undefined, by: 'us' })
}

let playbackSerial = 0

// Carriers cut off the first moment of audio, so one second of silence is played first.
async function speak(
  ari: AriConnection,
  id: string,
  leg: AsteriskLeg,
  digits: string,
  language: Parameters<Leg['speak']>[1],
): Promise<boolean> {
  if (!/^\d+$/.test(digits)) throw new RangeError('only digits are spoken')
  const playbackId = `${id}.${playbackSerial++}`
  if (!leg.isUp()) throw new Error('cannot speak: the call is not answered')
  const played = leg.played(playbackId, digits, language)
  // If ARI is lost now, the next onConnect asks again.
  play(ari.request, id, leg, { id: playbackId, digits, language }).catch(() => undefined)
  return played
}

async function play(
  request: AriConnection['request'],
  channelId: string,
  leg: AsteriskLeg,
  { id, digits, language }: Pick<Playback, 'id' | 'digits' | 'language'>,
): Promise<void> {
  const query = { media: ['sound:silence/1', `digits:${digits}`], lang: language }
  const { status } = await request({ method: 'POST', path: `channels/${channelId}/play/${id}`, query })
  if (status < 300) leg.noteAccepted(id)
  else leg.endPlayback(id, false)
}

// Returns Asterisk's start time: if it has changed, Asterisk has lost all its state.
async function assertVersion(request: AriConnection['request'], failed: (why: string) => void): Promise<string> {
  const { status, body } = await request({ method: 'GET', path: 'asterisk/info' })
  // Until it is fully booted it responds with an error.
  if (status !== 200) throw new Error(`Asterisk info request failed with status ${status}`)
  const info = body as { system?: { version?: string }; status?: { startup_time?: string } }
  const version = /^\d+\.\d+\.\d+/.exec(info.system?.version ?? '')?.[0] ?? 'unknown'
  if (isOlder(version, asteriskVersionMin)) {
    failed(`Asterisk ${version} is too old: version ${asteriskVersionMin} or newer is required`)
    throw new Error('Asterisk is too old')
  }
  return info.status?.startup_time ?? ''
}

async function reconcile(
  request: AriConnection['request'],
  { node, isGuest, log }: AsteriskDeps,
  legs: ReadonlyMap<string, AsteriskLeg>,
): Promise<void> {
  const { body } = await request({ method: 'GET', path: 'channels' })
  const channels = new Map((body as AriChannel[]).map((channel) => [channel.id, channel]))
  const orphans = [...channels.values()].filter(
    ({ id, name }) => !legs.has(id) && (id.startsWith(`${node}.`) || (!isGuest && name.includes('_in-'))),
  )
  if (orphans.length > 0) log.warn({ node, count: orphans.length }, 'orphaned calls hung up')
  for (const { id } of orphans) {
    // An inbound call gets busy (17), an outgoing one a normal clearing (16).
    const query = { reason_code: id.startsWith(`${node}.`) ? '16' : '17' }
    await request({ method: 'DELETE', path: `channels/${id}`, query })
  }
  for (const [id, leg] of legs) {
    const channel = channels.get(id)
    if (!channel) leg.end({ status: undefined, by: 'us' })
    else if (leg.isHungUp()) await hangUp(request, id, leg)
    else {
      leg.catchUp(channel)
      await reconcilePlaybacks(request, id, leg)
    }
  }
}

// A playback that does not exist finished while ARI was down, or Asterisk never received the order. Speaking it once too
// often is better than counting a code as spoken that nobody received.
async function reconcilePlaybacks(
  request: AriConnection['request'],
  channelId: string,
  leg: AsteriskLeg,
): Promise<void> {
  for (const playback of leg.playbacks()) {
    const { status } = await request({ method: 'GET', path: `playbacks/${playback.id}` })
    if (status !== 404) leg.noteAccepted(playback.id)
    else if (playback.isAccepted) leg.endPlayback(playback.id, true)
    else await play(request, channelId, leg, playback)
  }
}

function legOf(legs: ReadonlyMap<string, AsteriskLeg>, event: AriEvent): AsteriskLeg | undefined {
  if (event.playback) return legs.get(event.playback.id.replace(/\.\d+$/, ''))
  return legs.get(event.channel?.id ?? event.peer?.id ?? '')
}

async function hangUpAll(ari: AriConnection, legs: ReadonlyMap<string, AsteriskLeg>): Promise<void> {
  const ends = [...legs].map(async ([id, leg]) => {
    leg.markHungUp()
    await hangUp(ari.request, id, leg)
  })
  await Promise.allSettled(ends)
}
