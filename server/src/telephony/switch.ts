// The interface to the phone network. A switch dials and reports events; it decides nothing. The code that uses it decides
// how long a phone rings, what an answer means and whether a call succeeded.

import type { PromptLanguage } from '../domain/accounts/modes.ts'
import type { Ender } from '../domain/verifications/call-outcome.ts'
import type { SpelledCall } from '../domain/verifications/inbound-call.ts'
import type { SipMessage } from '../domain/verifications/sip-message.ts'

export type Dial = {
  // Chosen by us, unique: the same call is never dialled twice.
  readonly channelId: string
  readonly trunk: string
  readonly to: string
  readonly from: string
  // The switch itself ends an unanswered call after this, in case our process is gone.
  readonly originateTimeoutMs: number
  // How long a flash call may ring; undefined for a call that may be answered.
  readonly flashRingMs?: number | undefined
}

export type LegEvent =
  | { readonly type: 'ringing' }
  | { readonly type: 'early-media' }
  | { readonly type: 'answered' }
  // The last event of every leg. Status is the final SIP status of a refused call.
  | { readonly type: 'ended'; readonly status: number | undefined; readonly by: Ender }

export type Leg = {
  // In order, ending with 'ended'; never throws.
  readonly events: AsyncIterable<LegEvent>
  // Cancels a ringing call, ends an answered one; harmless on an ended leg.
  readonly hangUp: () => void
  // Speaks the digits once into an answered leg; false if the leg ended before the last digit.
  readonly speak: (digits: string, language: PromptLanguage) => Promise<boolean>
  // What was said on the wire, without numbers; resolves a moment after the end. Empty if nothing was captured.
  readonly messages: () => Promise<readonly SipMessage[]>
  // While it lasts.
  readonly messagesSoFar: () => readonly SipMessage[]
}

// A call to one of our numbers, which is never answered. Numbers are as the carrier spelled them; evaluateInboundCall reads
// them in the trunk's format.
export type InboundCall = SpelledCall & {
  readonly channelId: string
  // Resolves when the switch has accepted the command, even if the caller has hung up.
  readonly ring: () => Promise<void>
  readonly reject: (status: 486 | 404) => void
  // Resolves a few seconds after the rejection: whether the sender has proved that it received our 486.
  readonly isConfirmed: Promise<boolean>
  // Nothing more will be done about it: a switch that repeats what it reported may stop.
  readonly handled: () => void
}

export type Switch = {
  readonly dial: (call: Dial) => Leg
  // Whether a call of this kind can be placed now, or any call. Workers check before they take an order, so that no order waits here.
  readonly isReady: (kind?: 'flash' | 'spoken') => boolean
  // Inbound calls as they arrive; ends when the switch is closed; one reader only.
  readonly inbound: AsyncIterable<InboundCall>
  readonly close: () => Promise<void>
}
