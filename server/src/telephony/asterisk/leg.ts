// Turns the ARI events of one outgoing channel into leg events.
//
//   requested   Asterisk is asked to dial. If it refuses, no INVITE was sent: the leg is ended by "nobody".
//   dialled     Ringing is what Asterisk reports (a Dial event with RINGING or a channel in state Ringing, whichever comes
//               first), never derived from the hang-up cause. Early media is a Dial event with PROGRESS.
//   answered    The channel entered our Stasis application. The code can be played.
//   ended       The channel is destroyed. By "us" if we hung up; by "them" with the SIP status of an unanswered call; by
//               "nobody" if timer B expired without any reply. If it ended while ARI was down, the cause is unknown: that
//               counts as "us", so no other trunk is tried.

import { createLegEvents } from '../leg-events.ts'
import type { Leg, LegEvent } from '../switch.ts'
import type { AriChannel, AriEvent } from './ari-connection.ts'

export type AsteriskLeg = {
  readonly events: Leg['events']
  readonly onEvent: (event: AriEvent) => void
  // Applies the channel's current state after a gap without events.
  readonly catchUp: (channel: AriChannel) => void
  readonly end: (event: Omit<EndEvent, 'type'>) => void
  readonly markHungUp: () => void
  readonly isHungUp: () => boolean
  readonly isUp: () => boolean
  // False if the leg ended before the playback did.
  readonly played: (playbackId: string, digits: string, language: SpokenLanguage) => Promise<boolean>
  readonly playbacks: () => readonly Playback[]
  readonly noteAccepted: (playbackId: string) => void
  readonly endPlayback: (playbackId: string, isWhole: boolean) => void
}

type SpokenLanguage = Parameters<Leg['speak']>[1]

export type Playback = {
  readonly id: string
  readonly digits: string
  readonly language: SpokenLanguage
  // Asterisk has accepted the order to play.
  isAccepted: boolean
  readonly resolve: (isWhole: boolean) => void
}

type EndEvent = Extract<LegEvent, { type: 'ended' }>

// As deploy/asterisk/pjsip.conf sets it.
const timerBMs = 6_400
// How late timers fire on a busy machine, and how early they appear by the timestamps of events; the edge counts sixteenths of a second.
const timerEarlyMs = 200
const timerLateMs = 1_000

export function createAsteriskLeg(
  originateTimeoutMs: number,
  // Asterisk reports the Call-ID with its first event.
  noteCallId: (callId: string) => void,
  forget: () => void,
): AsteriskLeg {
  const events = createLegEvents()
  const playing = new Map<string, Playback>()
  const emitted = new Set<LegEvent['type']>()
  let isHungUp = false
  let isForwarded = false
  const emit = (event: LegEvent) => {
    if (emitted.has('ended') || emitted.has(event.type)) return
    emitted.add(event.type)
    events.add(event)
    if (event.type !== 'ended') return
    for (const { resolve } of playing.values()) resolve(false)
    forget()
  }
  const endPlayback = (playbackId: string, isWhole: boolean) => {
    playing.get(playbackId)?.resolve(isWhole)
    playing.delete(playbackId)
  }
  return {
    events: events.events,
    onEvent: (event) => {
      const callId = (event.channel ?? event.peer)?.protocol_id
      if (callId) noteCallId(callId)
      isForwarded ||= event.type === 'Dial' && Boolean(event.forward)
      if (event.type === 'Dial' && event.dialstatus === 'RINGING') emit({ type: 'ringing' })
      else if (event.type === 'Dial' && event.dialstatus === 'PROGRESS') emit({ type: 'early-media' })
      else if (event.type === 'ChannelStateChange' && event.channel?.state === 'Ringing') emit({ type: 'ringing' })
      else if (event.type === 'StasisStart') emit({ type: 'answered' })
      else if (event.type === 'PlaybackFinished')
        endPlayback(event.playback?.id ?? '', event.playback?.state === 'done')
      else if (event.type === 'ChannelDestroyed')
        emit(isForwarded ? forwarded : endOf(event, emitted, isHungUp, originateTimeoutMs))
    },
    catchUp: ({ state }) => {
      if (state === 'Ringing') emit({ type: 'ringing' })
      if (state === 'Up') emit({ type: 'answered' })
    },
    end: (end) => emit({ type: 'ended', ...end }),
    markHungUp: () => {
      isHungUp = true
    },
    isHungUp: () => isHungUp,
    isUp: () => emitted.has('answered'),
    played: (id, digits, language) =>
      new Promise((resolve) => {
        if (emitted.has('ended')) return resolve(false)
        playing.set(id, { id, digits, language, isAccepted: false, resolve })
      }),
    playbacks: () => [...playing.values()],
    noteAccepted: (playbackId) => {
      const playback = playing.get(playbackId)
      if (playback) playback.isAccepted = true
    },
    endPlayback,
  }
}

// Asterisk does not always report the status of a redirect, nor which 3xx it was.
const forwarded: EndEvent = { type: 'ended', status: 302, by: 'them' }

function endOf(event: AriEvent, emitted: ReadonlySet<string>, isHungUp: boolean, originateTimeoutMs: number): EndEvent {
  const status = event.tech_cause
  if (isHungUp) return { type: 'ended', status: undefined, by: 'us' }
  if (emitted.has('answered')) return { type: 'ended', status: undefined, by: 'them' }
  // Asterisk is shutting down, or another ARI client hung up.
  if (status === undefined || status < 300) return { type: 'ended', status: undefined, by: 'us' }
  const livedMs = Date.parse(event.timestamp) - Date.parse(event.channel?.creationtime ?? '')
  const isSilent = !emitted.has('ringing') && !emitted.has('early-media')
  // Asterisk reports 408 itself when timer B ends a call. A carrier's 408 differs by arriving at another time.
  if (status === 408 && isSilent && isAbout(livedMs, timerBMs))
    return { type: 'ended', status: undefined, by: 'nobody' }
  // Asterisk also makes up a status when its originate timeout ends the call.
  if (isAbout(livedMs, Math.ceil(originateTimeoutMs / 1_000) * 1_000))
    return { type: 'ended', status: undefined, by: 'us' }
  return { type: 'ended', status, by: 'them' }
}

function isAbout(elapsedMs: number, timerMs: number): boolean {
  return elapsedMs >= timerMs - timerEarlyMs && elapsedMs <= timerMs + timerLateMs
}
