// The switch over one Asterisk, the only place that speaks ARI (its ari, legs, trunks and INVITEs stand beside it).
//
// What is there is compared with what is known whenever the ari comes up. Trunks that Asterisk has not, or has otherwise,
// are pushed to it. A leg whose channel is there goes on; one whose channel is gone has ended; a channel of ours that
// nobody knows any more, because the process that dialled it is dead, is hung up. Asterisk that was started again has
// forgotten everything.
//
// How much it takes: so many calls a second by a bucket of tokens, and nothing while its answers to our calls are slow,
// because an Asterisk that is overloaded refuses nothing and lets phones ring on instead.

import type { Clock } from '../clock.ts'
import { createTokenBucket } from '../domain/token-bucket.ts'
import type { Transport, Trunk } from '../domain/trunks/trunk.ts'
import type { Logger } from '../log.ts'
import { type AriChannel, type AriConnection, type AriEvent, createAriConnection } from './ari-connection.ts'
import { createInbound } from './asterisk-inbound.ts'
import { channelOf, inviteRequest } from './asterisk-invite.ts'
import { type AsteriskLeg, createAsteriskLeg } from './asterisk-leg.ts'
import { createTrunkPushes } from './asterisk-push.ts'
import { readRegistrations } from './asterisk-registrations.ts'
import type { TrunkState } from './asterisk-trunks.ts'
import { hepKey } from './hep.ts'
import { createReturnPath } from './return-path.ts'
import type { Dial, Leg, Switch } from './switch.ts'

export type AsteriskDeps = {
  readonly url: string
  readonly user: string
  readonly password: string
  // Who vouches for an https:// Asterisk, when it is not one of those that Node knows.
  readonly caFile?: string | undefined
  // Name of the node and of its ARI application: nobody else's.
  readonly node: string
  // A guest leaves alone what is there: it neither changes trunks nor ends calls of others.
  readonly isGuest: boolean
  // What Asterisk listens on, and where at loopback it sends copies of SIP messages; undefined for a guest, who takes no calls.
  readonly sipTransports: readonly Transport[]
  readonly hepPort: number | undefined
  readonly callsPerSecond: number
  readonly trunks: () => readonly Trunk[]
  readonly passwordOf: (trunk: Trunk) => string | undefined
  readonly clock: Clock
  readonly log: Logger
  // Told once when this switch can never work: another process has its name, or Asterisk is too old.
  readonly failed: (why: string) => void
}

export type AsteriskSwitch = Switch & {
  readonly trunkStates: () => Promise<ReadonlyMap<string, TrunkState>>
  // Resolves when Asterisk has been reached and knows the trunks.
  readonly opened: Promise<void>
}

const versionMin = '22.10.1'
const pushMs = 1_000
const slowMs = 50
const slowSamplesMin = 8
const slowWindowMs = 1_000

export function createAsterisk(deps: AsteriskDeps): AsteriskSwitch {
  const { node, clock, log } = deps
  const legs = new Map<string, AsteriskLeg>()
  const returnPath = createReturnPath({ ...deps, port: deps.hepPort, key: hepKey(deps.password) })
  const inbound = createInbound({ ...deps, returnPath })
  const tokens = createTokenBucket(clock.monotonicMs())
  const slowness = createSlowness(clock)
  const opened = Promise.withResolvers<void>()
  const pushes = createTrunkPushes({ ...deps, readRegistrations: () => readRegistrations(deps) })
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
  const replaced = () => {
    failOnce(`another process uses the name of this node, ${node}`)
    ari.close().catch(() => undefined)
  }
  const ari = createAriConnection({ ...deps, application: node, onEvent, onConnect, replaced })
  const pushing = clock.every(pushMs, () => {
    if (ari.isUp()) pushes.push(ari.request).catch((error: unknown) => log.warn({ err: error }, 'trunk push failed'))
  })
  const isReady = () =>
    !isClosed && ari.isUp() && !slowness.isSlow() && tokens.has(deps.callsPerSecond, clock.monotonicMs())
  return {
    isReady,
    opened: opened.promise,
    inbound: inbound.calls,
    trunkStates: () => pushes.states(ari.request),
    dial: (call) => {
      if (isClosed) throw new Error('dialled on a switch that is closed')
      if (legs.has(channelOf(node, call.channelId))) throw new Error(`the channel ${call.channelId} is dialled already`)
      tokens.spend()
      return dial({ ...deps, ari, legs, slowness }, call)
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

type DialDeps = AsteriskDeps & {
  readonly ari: AriConnection
  readonly legs: Map<string, AsteriskLeg>
  readonly slowness: Slowness
}

function dial({ node, trunks, ari, legs, slowness, log, clock }: DialDeps, asked: Dial): Leg {
  const call = { ...asked, originateTimeoutMs: clock.scaledMs(asked.originateTimeoutMs) }
  const id = channelOf(node, call.channelId)
  const leg = createAsteriskLeg(call.originateTimeoutMs, () => legs.delete(id))
  legs.set(id, leg)
  const trunk = trunks().find(({ name }) => name === call.trunk)
  const startedMs = clock.monotonicMs()
  const ask = async () => {
    if (!trunk || !ari.isUp()) return leg.end({ status: undefined, by: 'nobody' })
    const response = await ari.request(inviteRequest(node, trunk, call))
    slowness.note(clock.monotonicMs() - startedMs)
    if (response.status < 300) return undefined
    // Nothing was sent: the trunk is not there, or its carrier has not answered our OPTIONS.
    log.warn({ trunk: call.trunk, http_status: response.status }, 'originate refused')
    return leg.end({ status: undefined, by: 'nobody' })
  }
  // A ari that is lost just now leaves open whether it was dialled; the next greeting finds out.
  ask().catch((error: unknown) => log.warn({ err: error, trunk: call.trunk }, 'originate failed'))
  return {
    events: leg.events,
    hangUp: () => {
      if (leg.isEndWanted()) return
      leg.wantEnd()
      // Where the ari is down, the next greeting hangs up.
      hangUp(ari.request, id, leg).catch(() => undefined)
    },
    speak: (digits, language) => speak(ari, id, leg, digits, language),
  }
}

// A channel that is not there has ended already; should its last event be lost, this is its end.
async function hangUp(request: AriConnection['request'], id: string, leg: AsteriskLeg): Promise<void> {
  const { status } = await request({ method: 'DELETE', path: `channels/${id}`, query: { reason_code: '16' } })
  if (status === 404) leg.end({ status: undefined, by: 'us' })
}

let playbackSerial = 0

// Carriers cut off the first moment of what is said, so a second of silence goes before.
async function speak(
  ari: AriConnection,
  id: string,
  leg: AsteriskLeg,
  digits: string,
  language: Parameters<Leg['speak']>[1],
): Promise<boolean> {
  if (!/^\d+$/.test(digits)) throw new RangeError('only digits are spoken')
  const playbackId = `${id}.${playbackSerial++}`
  const played = leg.played(playbackId)
  if (!leg.isUp()) throw new Error('spoke into a call that nobody has answered')
  const query = { media: ['sound:silence/1', `digits:${digits}`], lang: language }
  const asked = ari.request({ method: 'POST', path: `channels/${id}/play/${playbackId}`, query })
  asked.then(
    ({ status }) => (status >= 300 ? leg.endPlayback(playbackId, false) : undefined),
    () => undefined,
  )
  return played
}

// Asterisk's start time: when it is another than before, everything that it knew is gone.
async function assertVersion(request: AriConnection['request'], failed: (why: string) => void): Promise<string> {
  const { status, body } = await request({ method: 'GET', path: 'asterisk/info' })
  // It says so until it is fully booted.
  if (status !== 200) throw new Error(`Asterisk answers ${status}`)
  const info = body as { system?: { version?: string }; status?: { startup_time?: string } }
  const version = /^\d+\.\d+\.\d+/.exec(info.system?.version ?? '')?.[0] ?? 'unknown'
  if (version.localeCompare(versionMin, 'en', { numeric: true }) < 0) {
    failed(`Asterisk ${versionMin} or newer is needed, and this is ${version}`)
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
    // Whoever called us hears that we are busy; whom we called hears nothing more.
    const query = { reason_code: id.startsWith(`${node}.`) ? '16' : '17' }
    await request({ method: 'DELETE', path: `channels/${id}`, query })
  }
  for (const [id, leg] of legs) {
    const channel = channels.get(id)
    if (!channel) leg.end({ status: undefined, by: 'us' })
    else if (leg.isEndWanted()) await hangUp(request, id, leg)
    else {
      leg.look(channel)
      await lookAtPlaybacks(request, leg)
    }
  }
}

// A playback that is not there any more was played to its end while nobody listened.
async function lookAtPlaybacks(request: AriConnection['request'], leg: AsteriskLeg): Promise<void> {
  for (const playbackId of leg.playbacks()) {
    const { status } = await request({ method: 'GET', path: `playbacks/${playbackId}` })
    if (status === 404) leg.endPlayback(playbackId, true)
  }
}

function legOf(legs: ReadonlyMap<string, AsteriskLeg>, event: AriEvent): AsteriskLeg | undefined {
  if (event.playback) return legs.get(event.playback.id.replace(/\.\d+$/, ''))
  return legs.get(event.channel?.id ?? event.peer?.id ?? '')
}

async function hangUpAll(ari: AriConnection, legs: ReadonlyMap<string, AsteriskLeg>): Promise<void> {
  const ends = [...legs].map(async ([id, leg]) => {
    leg.wantEnd()
    await hangUp(ari.request, id, leg)
  })
  await Promise.allSettled(ends)
}

type Slowness = { readonly note: (tookMs: number) => void; readonly isSlow: () => boolean }

// By the middle of the last second's answers. When nothing is asked for a second, nothing is known, and it is tried again.
function createSlowness(clock: Clock): Slowness {
  let recent: { readonly atMs: number; readonly tookMs: number }[] = []
  return {
    note: (tookMs) => {
      recent.push({ atMs: clock.monotonicMs(), tookMs })
    },
    isSlow: () => {
      const sinceMs = clock.monotonicMs() - slowWindowMs
      recent = recent.filter(({ atMs }) => atMs >= sinceMs)
      if (recent.length < slowSamplesMin) return false
      const sorted = recent.map(({ tookMs }) => tookMs).toSorted((one, other) => one - other)
      return (sorted[Math.floor(sorted.length / 2)] ?? 0) > slowMs
    },
  }
}
