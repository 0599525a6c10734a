// The port to the phone network. A switch dials and tells what happens; it decides nothing. How long a phone may ring,
// what an answer means and whether a call was made are the caller's business.

import type { Clock } from '../clock.ts'
import type { ArrivalTransport, ReplyPath } from '../domain/calls/inbound-call.ts'
import type { PromptLanguage } from '../domain/calls/prompt-language.ts'

export type Dial = {
  // Ours, and unique: the same call is never dialled twice under it.
  readonly channelId: string
  readonly trunk: string
  readonly to: string
  readonly from: string
  // After this the switch itself gives up a call that nobody has answered: for the case that we are not there any more.
  readonly originateTimeoutMs: number
}

export type LegEvent =
  | { readonly type: 'ringing' }
  | { readonly type: 'early-media' }
  | { readonly type: 'answered' }
  // The last event of every leg. The status is the final SIP status of a call that was refused.
  | { readonly type: 'ended'; readonly status: number | undefined; readonly by: 'us' | 'them' | 'nobody' }

export type Leg = {
  // In their order, ending with 'ended'; it never throws.
  readonly events: AsyncIterable<LegEvent>
  // Cancels what rings, ends what was answered; harmless on a leg that has ended.
  readonly hangUp: () => void
  // Speaks the digits once into an answered leg; false when the leg ended before the last of them.
  readonly speak: (digits: string, language: PromptLanguage) => Promise<boolean>
}

// A call that somebody makes to one of our numbers; nobody has answered it, and nobody will. Numbers are as the carrier
// spelled them: whoever decides reads them in the trunk's format.
export type InboundCall = {
  readonly channelId: string
  readonly trunk: string
  readonly called: string
  // The user part of From, and of P-Asserted-Identity where the carrier sent one; empty where there is none to read.
  readonly from: string
  readonly asserted: string | undefined
  readonly isWithheld: boolean
  // Who diverted the call to us, where somebody did.
  readonly divertedBy: string | undefined
  // What carried it, and where our replies to it go.
  readonly transport: ArrivalTransport
  readonly replyPath: ReplyPath
  // Resolves when the switch has taken the order, also where there is nobody left to ring for.
  readonly ring: () => Promise<void>
  readonly reject: (status: 486 | 404) => void
  // Known some seconds after the call was rejected: whether its sender has shown that it received our 486.
  readonly isConfirmed: Promise<boolean>
}

export type Switch = {
  readonly dial: (call: Dial) => Leg
  // Whether a call could be placed now: whoever takes work asks before, so that nothing waits here.
  readonly isReady: () => boolean
  // Calls to us, as they come; it ends when the switch is closed, and has one reader.
  readonly inbound: AsyncIterable<InboundCall>
  readonly close: () => Promise<void>
}

export type OpenSwitch = (clock: Clock) => Switch
