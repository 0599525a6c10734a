// One flash call over the edge.
//
//   sent       The INVITE is repeated until the edge responds with 100. The same branch is the same call, so nothing is dialled
//              twice. Without any reply we do not know whether it was dialled: the leg is ended by "us", and no other trunk is tried.
//   accepted   The carrier's replies arrive as they are. 401 and 407 are answered once, with the password.
//   answered   The edge has acknowledged and hung up: for us that is the end.
//   ended      Any final reply. 408 "Carrier Silent" and the edge's own 47x mean that no carrier replied: ended by "nobody". Its replies
//              may have been lost while a phone rings, so a CANCEL is sent anyway. What is left of the leg acknowledges repetitions.

import type { Clock } from '../../process/clock.ts'
import { createLegEvents } from '../leg-events.ts'
import { authorizationOf } from '../sip/digest.ts'
import type { Leg, LegEvent } from '../switch.ts'
import { dialogOf, type EdgeCall, type EdgeReply, type EdgeState, inviteText, requestText } from './messages.ts'

export type EdgeLeg = {
  readonly events: Leg['events']
  readonly onReply: (reply: EdgeReply) => void
  // The branch of its INVITE towards the carrier.
  readonly onBranch: (branch: string) => void
  readonly hangUp: () => void
  // The edge was started again and has lost this call. If it is asked to cancel before we notice, it says 481.
  readonly onEdgeLost: () => void
  readonly end: () => void
  readonly isEnded: () => boolean
  // Resolves when it has ended.
  readonly over: Promise<void>
}

// What is left of a leg that has ended, for a moment.
export type Trail = Pick<EdgeLeg, 'onReply' | 'onBranch'>

type EdgeLegDeps = {
  readonly call: EdgeCall
  readonly password: string | undefined
  readonly ringMs: number
  // Our own address.
  readonly via: string
  readonly edge: Pick<EdgeState, 'boot' | 'contact'>
  readonly clock: Clock
  readonly send: (text: string) => void
  readonly ended: (trail: Trail) => void
}

type Wire = Pick<EdgeLegDeps, 'call' | 'via' | 'edge' | 'clock' | 'send'>

// A CANCEL that nobody confirms.
const cancelGuardMs = 4_000

export function createEdgeLeg(deps: EdgeLegDeps): EdgeLeg {
  const { call, via, clock } = deps
  const repeater = createRepeater(deps, () => progress.endByUs())
  const progress = createProgress(() => {
    repeater.stop()
    guard?.stop()
    deps.ended(createTrail(deps, sequence, edgeBranch, isHungUp && !isCancelled))
  })
  let sequence = 0
  let [isAccepted, isHungUp, isCancelled] = [false, false, false]
  let edgeBranch: string | undefined
  let guard: { readonly stop: () => void } | undefined
  const invite = (authorization?: string) => {
    sequence++
    const { edge, ringMs } = deps
    const ring = { ringSeconds: Math.ceil(ringMs / 1_000), countsEarlyMedia: call.trunk.countsEarlyMedia }
    repeater.start(inviteText(call, { ...edge, ...ring, via, sequence, authorization }))
  }
  const cancel = () => {
    isCancelled = true
    repeater.start(cancelText(deps, sequence))
  }
  const onProvisional = (reply: EdgeReply) => {
    isAccepted = true
    if (isHungUp && !isCancelled) cancel()
    if (reply.status === 180) progress.emit({ type: 'ringing' })
    if (reply.status === 183) progress.emit({ type: 'early-media' })
  }
  const onRefusal = (reply: EdgeReply) => {
    acknowledge(deps, reply)
    const isOpen = sequence === 1 && !isHungUp && !progress.isEnded()
    const authorization = isOpen ? answerTo(reply, deps) : undefined
    if (authorization !== undefined) return invite(authorization)
    progress.emit(endOf(reply, isHungUp, progress.hasRung()))
    if (mayRing(reply)) cancelBlindly(deps, sequence, edgeBranch)
  }
  const endLost = () => {
    if (progress.isEnded()) return
    isHungUp = true
    progress.endByUs()
    cancelBlindly(deps, sequence, edgeBranch)
  }
  invite()
  return {
    ...progress,
    onReply: (reply) => {
      if (reply.sequence !== sequence) return
      repeater.stop()
      if (reply.method === 'CANCEL') {
        if (reply.status === 481) endLost()
      } else if (reply.status < 200) onProvisional(reply)
      else if (reply.status >= 300) onRefusal(reply)
      else {
        if (!isHungUp) progress.emit({ type: 'answered' })
        progress.endByUs()
      }
    },
    onBranch: (branch) => {
      edgeBranch = branch
    },
    hangUp: () => {
      if (isHungUp || progress.isEnded()) return
      isHungUp = true
      guard = clock.after(cancelGuardMs, progress.endByUs)
      if (isAccepted) cancel()
    },
    onEdgeLost: endLost,
    end: progress.endByUs,
  }
}

// Keeps nothing of the leg itself: after thousands of calls a second there are as many of these as of legs.
function createTrail(
  { call, via, edge, clock, send }: Wire,
  sequence: number,
  branch: string | undefined,
  isUncancelled: boolean,
): Trail {
  const wire = { call, via, edge, clock, send }
  let edgeBranch = branch
  let cancelling: ReturnType<typeof createRepeater> | undefined
  return {
    onReply: (reply) => {
      if (reply.sequence !== sequence) return
      cancelling?.stop()
      if (reply.method === 'CANCEL') return
      if (reply.status >= 300) {
        acknowledge(wire, reply)
        if (mayRing(reply)) cancelBlindly(wire, sequence, edgeBranch)
      } else if (reply.status < 200 && isUncancelled && cancelling === undefined) {
        cancelling = createRepeater(wire, () => undefined)
        cancelling.start(cancelText(wire, sequence))
      }
    },
    onBranch: (late) => {
      edgeBranch = late
    },
  }
}

function acknowledge({ call, via, send }: Wire, { sequence, to }: EdgeReply): void {
  send(requestText(dialogOf(call), { method: 'ACK', via, sequence, to }))
}

function cancelText({ call, via, edge }: Wire, sequence: number, branch?: string): string {
  const lost = branch === undefined ? [] : [`X-Edge-Branch: ${edge.contact};branch=${branch}`]
  return requestText(dialogOf(call), { method: 'CANCEL', via, sequence, headers: ['Reason: Q.850;cause=16', ...lost] })
}

function createProgress(ended: () => void) {
  const events = createLegEvents()
  let emitted: readonly LegEvent['type'][] = []
  const over = Promise.withResolvers<void>()
  const emit = (event: LegEvent) => {
    if (emitted.includes('ended') || emitted.includes(event.type)) return
    emitted = [...emitted, event.type]
    events.add(event)
    if (event.type !== 'ended') return
    over.resolve()
    ended()
  }
  return {
    events: events.events,
    emit,
    endByUs: () => emit({ type: 'ended', status: undefined, by: 'us' }),
    isEnded: () => emitted.includes('ended'),
    hasRung: () => emitted.includes('ringing'),
    over: over.promise,
  }
}

// An edge without the transaction sends a CANCEL once and sees no reply, so it is asked so often that one arrives even if every seventh
// packet is lost.
function cancelBlindly(wire: Wire, sequence: number, branch: string | undefined): void {
  if (branch === undefined) return
  const { clock, send } = wire
  const text = cancelText(wire, sequence, branch)
  send(text)
  for (const afterMs of [100, 300, 600, 1_000, 1_500, 2_100, 3_000]) clock.after(afterMs, () => send(text))
}

// 0.2, 0.4, 0.8 … s after each other, 12.6 s in all.
const repeatMs = 200
const repeatsMax = 5

// Sends a request until something is replied.
function createRepeater({ clock, send }: Pick<Wire, 'clock' | 'send'>, gaveUp: () => void) {
  let timer: { readonly stop: () => void } | undefined
  const sendAgain = (text: string, repeats: number) => {
    send(text)
    timer = clock.after(repeatMs * 2 ** repeats, () => {
      if (repeats < repeatsMax) sendAgain(text, repeats + 1)
      else gaveUp()
    })
  }
  // Forgets the timer, too: it holds the text.
  const stop = () => {
    timer?.stop()
    timer = undefined
  }
  return {
    start: (text: string) => {
      stop()
      sendAgain(text, 0)
    },
    stop,
  }
}

function answerTo({ status, text }: EdgeReply, { password, call }: EdgeLegDeps): string | undefined {
  const { trunk } = call
  if ((status !== 401 && status !== 407) || trunk.user === null || password === undefined) return undefined
  return authorizationOf(text, { method: 'INVITE', uri: dialogOf(call).uri, user: trunk.user, password })
}

// As deploy/edge/kamailio.cfg says it.
const carrierSilent = 'Carrier Silent'
const ringTimeout = 'Ring Timeout'
const otherEdge = 'Edge Restarted'

// The phone may ring although the edge has no call: every reply of the carrier was lost, or the edge before dialled.
function mayRing({ reason }: EdgeReply): boolean {
  return reason === carrierSilent || reason === otherEdge
}

function endOf({ status, reason }: EdgeReply, isHungUp: boolean, hasRung: boolean): LegEvent {
  // The edge cancels, too, when we are late.
  const isOurs = isHungUp || (status === 487 && hasRung)
  // Kamailio adds "(477/TM)" and the like to what it refuses itself: nothing was sent.
  const isSilent = reason === carrierSilent || /\(\d+\/(TM|SL)\)$/.test(reason)
  // Another edge may have dialled before it was killed: no other trunk is tried.
  if (isOurs || reason === ringTimeout || reason === otherEdge) return { type: 'ended', status: undefined, by: 'us' }
  if (isSilent) return { type: 'ended', status: undefined, by: 'nobody' }
  return { type: 'ended', status, by: 'them' }
}
