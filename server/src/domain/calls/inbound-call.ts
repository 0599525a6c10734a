// Who calls, and whether that may prove anything. The caller is who the carrier names in the header that its trunk trusts,
// read in the way this carrier spells numbers; nothing is guessed. A P-Asserted-Identity that cannot be read names nobody:
// From is believed only where the carrier sent no such header, or where the trunk trusts From alone.

import { readNumber } from '../numbers/number-format.ts'
import type { PhoneNumber } from '../numbers/phone-number.ts'
import type { Slot } from '../slot.ts'
import type { CallerRange } from '../trunks/caller-pool.ts'
import type { ConfirmationNumber } from '../trunks/confirmation-number.ts'
import type { Transport, Trunk } from '../trunks/trunk.ts'

// As the carrier spelled it.
export type SpelledCall = {
  readonly trunk: string
  readonly called: string
  readonly from: string
  readonly asserted: string | undefined
  readonly isWithheld: boolean
  readonly divertedBy: string | undefined
  readonly transport: ArrivalTransport
  readonly replyPath: ReplyPath
}

// What carried the call, whatever the call says of itself. A connection that we opened to the carrier ourselves may be used
// by it for calls to us; undefined when it is not known.
export type ArrivalTransport = Transport | 'own-connection' | undefined

// Where our replies go: straight back; or through somebody who passes them on (several Vias); or to an address that the
// sender has named (maddr).
export type ReplyPath = 'direct' | 'relayed' | 'maddr'

// Our own numbers, and the trunks they are reached over.
export type OwnNumbers = {
  readonly trunks: readonly Trunk[]
  readonly ranges: readonly CallerRange[]
  readonly confirmationNumbers: readonly ConfirmationNumber[]
}

// Why a call proved nothing.
//
//   withheld       the caller hides
//   malformed      the caller's number is none in this carrier's spelling
//   diverted       somebody passed the call on to us, and it was not we
//   called-back    a caller number of ours was called, not a confirmation number
//   wrong-trunk    it came over another trunk than the number belongs to
//   wrong-transport   it came over another transport than its trunk's
//   foreign-via    over UDP, and our replies would go or be passed on to somebody else than who sent it
//   unconfirmed    over UDP, and its sender has not shown that it received our reply
//   not-ours       no number of ours was called, or over no trunk of ours
//   no-request        nobody waits for this caller at this number
//   expired        somebody did, but no longer
//   failed         the database or the vault was away; the subscriber may call again
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

export type EvaluatedCall =
  | { readonly caller: PhoneNumber; readonly called: number; readonly slot: Slot; readonly unmatched?: never }
  | { readonly unmatched: UnmatchedReason }

export function evaluateInboundCall(own: OwnNumbers, call: SpelledCall): EvaluatedCall {
  const trunk = own.trunks.find(({ name }) => name === call.trunk)
  const called = trunk && readNumber(trunk.inboundFormat, call.called)
  if (trunk && !isOverOwnTransport(trunk, call)) return { unmatched: 'wrong-transport' }
  if (trunk && isReplyForeign(trunk, call)) return { unmatched: 'foreign-via' }
  if (!trunk || called === undefined) return { unmatched: 'not-ours' }
  const number = own.confirmationNumbers.find((one) => String(one.number) === called)
  if (!number) return { unmatched: isCallerNumber(own, called) ? 'called-back' : 'not-ours' }
  // Another carrier's word about the caller is not worth what this number's own is.
  if (number.trunk !== trunk.name) return { unmatched: 'wrong-trunk' }
  if (call.divertedBy !== undefined && !isOurs(own, readNumber(trunk.inboundFormat, call.divertedBy))) {
    return { unmatched: 'diverted' }
  }
  if (call.isWithheld) return { unmatched: 'withheld' }
  const named = trunk.identity === 'from' ? call.from : (call.asserted ?? call.from)
  const caller = readNumber(trunk.inboundFormat, named)
  if (caller === undefined) return { unmatched: 'malformed' }
  return { caller, called: number.number, slot: number.slot }
}

function isOurs(own: OwnNumbers, number: PhoneNumber | undefined): boolean {
  if (number === undefined) return false
  return isCallerNumber(own, number) || own.confirmationNumbers.some((one) => String(one.number) === number)
}

function isCallerNumber({ ranges }: OwnNumbers, number: PhoneNumber): boolean {
  return ranges.some(({ first, last }) => first <= Number(number) && Number(number) <= last)
}

// Whether a call over this trunk has to show that its sender received our reply. Over TCP and TLS there is no connection
// with somebody who does not.
export function needsReturnPath({ transport }: Pick<Trunk, 'transport'>): boolean {
  return transport === 'udp'
}

// A call of unknown transport counts as the least that it may be, a datagram.
function isOverOwnTransport(trunk: Trunk, { transport = 'udp' }: SpelledCall): boolean {
  return transport === 'own-connection' ? trunk.transport !== 'udp' : transport === trunk.transport
}

function isReplyForeign(trunk: Trunk, { replyPath }: SpelledCall): boolean {
  if (!needsReturnPath(trunk)) return false
  return replyPath === 'maddr' || (replyPath === 'relayed' && !trunk.allowsRelay)
}
