// One verification as a sentence: timeline, ending, charge. It contains the mask of the subscriber's number and no code.

import type { CallMode } from '@ringproof/contract/methods.ts'
import { type ServiceId, secondOfVerification, type VerificationId } from '../core/slot.ts'
import type { MicroAmount } from '../money/money.ts'
import type { CallProgress, OutcomeReason } from './call-outcome.ts'
import { chargeOf, type VerificationState } from './verification.ts'

export type DescribedVerification = {
  readonly id: VerificationId
  readonly serviceId: ServiceId
  readonly mode: CallMode | 'inbound'
  readonly state: VerificationState
  readonly isTest: boolean
  readonly phoneMask: string
  readonly country: string
  readonly price: MicroAmount
  readonly chargesFailed: boolean
  readonly attempt: number
  readonly trunk: string | null
  readonly callerNumber: number | null
  readonly dialledAt: Date | null
  readonly rangAt: Date | null
  readonly reason: string | null
  readonly sipStatus: number | null
  readonly postDialMs: number | null
  readonly ringMs: number | null
}

// Outcomes of a call, and the reasons the database writes for calls without an outcome.
export type EndReason =
  | OutcomeReason
  | 'not-dispatched'
  | 'not-started'
  | 'lost'
  | 'lost-ringing'
  | 'called'
  | 'not-called'

// How people read an amount.
type Money = (amount: MicroAmount) => string

type Ending = {
  readonly words: string
  // Used when the other side ended the call with a SIP status.
  readonly withStatus?: string
}

export const endings: Readonly<Record<EndReason, Ending>> = {
  rang: { words: 'hung up by us', withStatus: 'ended by the other side with {status}' },
  rejected: { words: 'rejected by the subscriber' },
  spoken: { words: 'the code was spoken' },
  'not-answered': { words: 'not answered' },
  'hung-up-early': { words: 'hung up by the subscriber before the code was spoken' },
  'broke-off': { words: 'ended within a second', withStatus: 'ended within a second with {status}' },
  announcement: { words: 'early media instead of ringing' },
  'answered-unseen': { words: 'answered without ringing, so no caller ID was shown' },
  'no-ringing': { words: 'did not ring before the timeout' },
  refused: { words: 'refused', withStatus: 'refused with {status}' },
  silence: { words: 'no response from the carrier' },
  'not-dispatched': { words: 'could not be dispatched, undone' },
  'not-started': { words: 'not started in time' },
  lost: { words: 'node lost before ringing' },
  'lost-ringing': { words: 'node lost while ringing' },
  called: { words: 'called by the subscriber' },
  'not-called': { words: 'not called by the subscriber in time' },
}

// Where no calls are sold there is no money.
export function describeVerification(verification: DescribedVerification, money: Money | undefined): string {
  const { id, serviceId, phoneMask, mode, country } = verification
  const events = [
    acceptance(id),
    ...waiting(verification),
    ...dialling(verification),
    ...ringing(verification),
    ending(verification),
  ]
  const head = `Verification ${id} of service ${serviceId} ${mode === 'inbound' ? 'from' : 'to'} ${phoneMask} (${mode}, ${country})`
  return `${head}: ${[...events, ...(money === undefined ? [] : [charge(verification, money)])].join(', ')}.`
}

// A call without a verification, from dialling on.
export function describePlacedCall(progress: CallProgress, reason: OutcomeReason): string {
  const { rangAtMs, earlyMediaAtMs, answeredAtMs, endedAtMs, status } = progress
  const events = [
    ...(earlyMediaAtMs === undefined ? [] : [`early media after ${inSeconds(earlyMediaAtMs)}`]),
    ...(rangAtMs === undefined
      ? []
      : [`rang after ${inSeconds(rangAtMs)} for ${inSeconds((answeredAtMs ?? endedAtMs) - rangAtMs)}`]),
    ...(answeredAtMs === undefined ? [] : [`answered after ${inSeconds(answeredAtMs)}`]),
  ]
  return [...events, endingWords(reason, status ?? null)].join(', ')
}

// The ID contains the second.
function acceptance(id: VerificationId): string {
  return `accepted ${new Date(secondOfVerification(id) * 1000).toISOString().replace('.000', '')}`
}

function waiting({ mode, callerNumber, trunk }: DescribedVerification): string[] {
  return mode === 'inbound' ? [`waiting for a call to ${callerNumber ?? 'no number'} over ${trunk ?? 'no trunk'}`] : []
}

// The row names the planned trunk from the start; it was dialled only after a claim.
function dialling({ dialledAt, trunk, callerNumber, attempt }: DescribedVerification): string[] {
  if (!dialledAt) return []
  const from = callerNumber === null ? '' : ` from ${callerNumber}`
  return [`dialled over ${trunk ?? 'no trunk'}${from} (attempt ${attempt})`]
}

// The worker measures it. If the worker was lost, the database still knows when ringing began.
function ringing({ dialledAt, rangAt, postDialMs, ringMs }: DescribedVerification): string[] {
  if (!dialledAt || (!rangAt && postDialMs === null)) return []
  const afterMs = postDialMs ?? (rangAt ?? dialledAt).getTime() - dialledAt.getTime()
  return [`rang after ${inSeconds(afterMs)}${ringMs === null ? '' : ` for ${inSeconds(ringMs)}`}`]
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function ending({ mode, state, reason, sipStatus }: DescribedVerification): string {
  if (state === 'accepted') return mode === 'inbound' ? 'not called yet' : 'not dialled yet'
  if (state === 'dialling') return 'in progress'
  // A newer version may have written a reason that this one does not know.
  if (reason === null || !isEndReason(reason)) return `ended: ${reason ?? 'unknown reason'}`
  return endingWords(reason, sipStatus)
}

function endingWords(reason: EndReason, sipStatus: number | null): string {
  const { words, withStatus } = endings[reason]
  return sipStatus === null || withStatus === undefined ? words : withStatus.replace('{status}', String(sipStatus))
}

function charge(verification: DescribedVerification, money: Money): string {
  if (verification.isTest) return 'test call, free'
  const amount = chargeOf(verification)
  if (amount === 0) return 'nothing was charged'
  return isEnded(verification) ? `charged ${money(amount)}` : `${money(amount)} is held`
}

function isEnded({ state }: DescribedVerification): boolean {
  return state === 'succeeded' || state === 'failed'
}

function isEndReason(reason: string): reason is EndReason {
  return Object.hasOwn(endings, reason)
}
