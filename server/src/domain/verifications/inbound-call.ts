// Determines the caller of an inbound call and whether the call can match. The caller is taken from the header that the trunk
// trusts, read in the carrier's number format; nothing is guessed. An unreadable P-Asserted-Identity means no caller: From
// is used only if the carrier sent no such header, or if the trunk trusts only From.

import type { assurances } from '@ringproof/contract/lists/calls.ts'
import type { Slot } from '../core/slot.ts'
import { readNumber } from '../numbers/number-format.ts'
import type { PhoneNumber } from '../numbers/phone-number.ts'
import type { CallerRange } from '../trunks/caller-pool.ts'
import type { ConfirmationNumber } from '../trunks/confirmation-number.ts'
import type { Transport, Trunk } from '../trunks/trunk.ts'

// As the carrier spelled it.
export type SpelledCall = {
  readonly trunk: string
  readonly called: string
  // The user part of From, and of P-Asserted-Identity if the carrier sent one; empty if it cannot be parsed.
  readonly from: string
  readonly asserted: string | undefined
  readonly isWithheld: boolean
  // The number that forwarded the call to us, if any.
  readonly divertedBy: string | undefined
  readonly transport: ArrivalTransport
  readonly replyPath: ReplyPath
}

// The transport the call arrived over, whatever its headers claim. The carrier may also use a connection that we opened to
// it; undefined if unknown.
export type ArrivalTransport = Transport | 'own-connection' | undefined

// Where our replies go: directly back, through a relay (several Vias), or to an address named by the sender (maddr).
export type ReplyPath = 'direct' | 'relayed' | 'maddr'

// Our numbers and the trunks they belong to.
export type OwnNumbers = {
  readonly trunks: readonly Trunk[]
  readonly ranges: readonly CallerRange[]
  readonly confirmationNumbers: readonly ConfirmationNumber[]
}

// Why a call did not match.
//
//   withheld          the caller ID is withheld
//   malformed         the caller ID is not a number in this carrier's format
//   diverted          the call was forwarded to us
//   called-back       one of our caller numbers was called, not a confirmation number
//   wrong-trunk       it came over another trunk than the called number's
//   wrong-transport   it came over another transport than its trunk's
//   foreign-via       over UDP, and our replies would go to, or be relayed to, someone other than the sender
//   unconfirmed       over UDP, and the sender has not proved that it received our reply
//   not-ours          the called number or the trunk is not ours
//   no-request        there is no inbound request for this caller and number
//   expired           there was one, but it has ended
//   failed            the database or the vault was down; the subscriber may call again
export type UnmatchedReason =
  | 'withheld'
  | 'malformed'
  | 'diverted'
  | 'called-back'
  | 'wrong-trunk'
  | 'wrong-transport'
  | 'foreign-via'
  | 'unconfirmed'
  | 'not-ours'
  | 'no-request'
  | 'expired'
  | 'failed'

type EvaluatedCall =
  | { readonly caller: PhoneNumber; readonly called: number; readonly slot: Slot; readonly unmatched?: never }
  | { readonly unmatched: UnmatchedReason }

export function evaluateInboundCall(ours: OwnNumbers, call: SpelledCall): EvaluatedCall {
  const trunk = ours.trunks.find(({ name }) => name === call.trunk)
  const called = trunk && readNumber(trunk.inboundFormat, call.called)
  if (trunk && !isOverOwnTransport(trunk, call)) return { unmatched: 'wrong-transport' }
  if (trunk && isReplyForeign(trunk, call)) return { unmatched: 'foreign-via' }
  if (!trunk || called === undefined) return { unmatched: 'not-ours' }
  const number = ours.confirmationNumbers.find((one) => String(one.number) === called)
  if (!number) return { unmatched: isCallerNumber(ours, called) ? 'called-back' : 'not-ours' }
  // A caller ID asserted by another carrier is not trusted for this number.
  if (number.trunk !== trunk.name) return { unmatched: 'wrong-trunk' }
  if (call.divertedBy !== undefined && !isOurs(ours, readNumber(trunk.inboundFormat, call.divertedBy))) {
    return { unmatched: 'diverted' }
  }
  if (call.isWithheld) return { unmatched: 'withheld' }
  const named = trunk.identity === 'from' ? call.from : (call.asserted ?? call.from)
  const caller = readNumber(trunk.inboundFormat, named)
  if (caller === undefined) return { unmatched: 'malformed' }
  return { caller, called: number.number, slot: number.slot }
}

function isOurs(ours: OwnNumbers, number: PhoneNumber | undefined): boolean {
  if (number === undefined) return false
  return isCallerNumber(ours, number) || ours.confirmationNumbers.some((one) => String(one.number) === number)
}

function isCallerNumber({ ranges }: OwnNumbers, number: PhoneNumber): boolean {
  return ranges.some(({ first, last }) => first <= Number(number) && Number(number) <= last)
}

// Whether the sender of a call over this trunk must prove that it received our reply. Over TCP and TLS the connection itself
// proves it.
export function needsReturnPath({ transport }: Pick<Trunk, 'transport'>): boolean {
  return transport === 'udp'
}

export type Assurance = (typeof assurances)[number]

export function assuranceOf({ transport }: Pick<Trunk, 'transport'>, isConfirmed: boolean): Assurance {
  if (transport !== 'udp') return transport
  return isConfirmed ? 'ack' : 'none'
}

// An unknown transport is treated as the least trusted one, UDP.
function isOverOwnTransport(trunk: Trunk, { transport = 'udp' }: SpelledCall): boolean {
  return transport === 'own-connection' ? trunk.transport !== 'udp' : transport === trunk.transport
}

function isReplyForeign(trunk: Trunk, { replyPath }: SpelledCall): boolean {
  if (!needsReturnPath(trunk)) return false
  return replyPath === 'maddr' || (replyPath === 'relayed' && !trunk.allowsRelay)
}
