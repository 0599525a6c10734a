// One outgoing call in Asterisk, emitted as a leg.
//
//   asked       Asterisk is asked to dial. If it refuses, no INVITE was sent: the leg ended by nobody's doing.
//   dialled     Ringing is what Asterisk says (a Dial with RINGING or a channel that is Ringing, whichever comes first) and
//               never what a cause of hanging up suggests. Early media is a Dial with PROGRESS.
//   answered    The channel came into our application. It can be spoken into.
//   ended       The channel is destroyed. Who ended it: we, if we had hung up; they, with the SIP status of a call that
//               was not answered; nobody, if timer B ran out before any word of theirs. What happened while the line was
//               down nobody knows: such a leg was ended by us, and so no other trunk is tried after it.

import type { AriChannel, AriEvent } from './ari-connection.ts'
import { createLegEvents } from './leg-events.ts'
import type { Leg, LegEvent } from './switch.ts'

export type AsteriskLeg = {
  readonly events: Leg['events']
  readonly onEvent: (event: AriEvent) => void
  // What a look at the channel shows after a time without events.
  readonly look: (channel: AriChannel) => void
  readonly end: (event: Omit<EndEvent, 'type'>) => void
  readonly wantEnd: () => void
  readonly isEndWanted: () => boolean
  readonly isUp: () => boolean
  // False when the leg ended before the playback did.
  readonly played: (playbackId: string) => Promise<boolean>
  readonly playbacks: () => readonly string[]
  readonly endPlayback: (playbackId: string, isWhole: boolean) => void
}

type EndEvent = Extract<LegEvent, { type: 'ended' }>

// As deploy/asterisk/pjsip.conf sets it.
const timerBMs = 6_400
// How late Asterisk's own timers are on a busy machine, and how early by the stamps of its events.
const timerEarlyMs = 100
const timerLateMs = 1_000

export function createAsteriskLeg(originateTimeoutMs: number, forget: () => void): AsteriskLeg {
  const legEvents = createLegEvents()
  const speaking = new Map<string, (isWhole: boolean) => void>()
  const emitted = new Set<LegEvent['type']>()
  let isEndWanted = false
  let isDiverted = false
  const emit = (event: LegEvent) => {
    if (emitted.has('ended') || emitted.has(event.type)) return
    emitted.add(event.type)
    legEvents.add(event)
    if (event.type !== 'ended') return
    for (const finish of speaking.values()) finish(false)
    forget()
  }
  const endPlayback = (playbackId: string, isWhole: boolean) => {
    speaking.get(playbackId)?.(isWhole)
    speaking.delete(playbackId)
  }
  return {
    events: legEvents.events,
    onEvent: (event) => {
      isDiverted ||= event.type === 'Dial' && Boolean(event.forward)
      if (event.type === 'Dial' && event.dialstatus === 'RINGING') emit({ type: 'ringing' })
      else if (event.type === 'Dial' && event.dialstatus === 'PROGRESS') emit({ type: 'early-media' })
      else if (event.type === 'ChannelStateChange' && event.channel?.state === 'Ringing') emit({ type: 'ringing' })
      else if (event.type === 'StasisStart') emit({ type: 'answered' })
      else if (event.type === 'PlaybackFinished')
        endPlayback(event.playback?.id ?? '', event.playback?.state === 'done')
      else if (event.type === 'ChannelDestroyed')
        emit(isDiverted ? diverted : endOf(event, emitted, isEndWanted, originateTimeoutMs))
    },
    look: ({ state }) => {
      if (state === 'Ringing') emit({ type: 'ringing' })
      if (state === 'Up') emit({ type: 'answered' })
    },
    end: (end) => emit({ type: 'ended', ...end }),
    wantEnd: () => {
      isEndWanted = true
    },
    isEndWanted: () => isEndWanted,
    isUp: () => emitted.has('answered'),
    played: (playbackId) =>
      new Promise((resolve) => {
        if (emitted.has('ended')) return resolve(false)
        speaking.set(playbackId, resolve)
      }),
    playbacks: () => [...speaking.keys()],
    endPlayback,
  }
}

// Asterisk does not always emit the status of it, nor which of the kinds it was.
const diverted: EndEvent = { type: 'ended', status: 302, by: 'them' }

function endOf(
  event: AriEvent,
  emitted: ReadonlySet<string>,
  isEndWanted: boolean,
  originateTimeoutMs: number,
): EndEvent {
  const status = event.tech_cause
  if (isEndWanted) return { type: 'ended', status: undefined, by: 'us' }
  if (emitted.has('answered')) return { type: 'ended', status: undefined, by: 'them' }
  // Asterisk is shutting down, or somebody else hung up for us.
  if (status === undefined || status < 300) return { type: 'ended', status: undefined, by: 'us' }
  const livedMs = Date.parse(event.timestamp) - Date.parse(event.channel?.creationtime ?? '')
  const isSilent = !emitted.has('ringing') && !emitted.has('early-media')
  // Asterisk makes up this very status when timer B ends a call; a carrier's own tells itself by coming at another moment.
  if (status === 408 && isSilent && isAbout(livedMs, timerBMs))
    return { type: 'ended', status: undefined, by: 'nobody' }
  // It makes up a status, too, for a call that it gave up itself.
  if (isAbout(livedMs, Math.ceil(originateTimeoutMs / 1_000) * 1_000))
    return { type: 'ended', status: undefined, by: 'us' }
  return { type: 'ended', status, by: 'them' }
}

function isAbout(passedMs: number, timerMs: number): boolean {
  return passedMs >= timerMs - timerEarlyMs && passedMs <= timerMs + timerLateMs
}
