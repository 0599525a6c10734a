// The life of one verification in plain words, for whoever is asked what became of a call. The subscriber's number is told
// by its mask only, and the code is not told.

import type { CallMode } from '@ringproof/contract/methods.ts'
import { formatRoubles, type MicroRoubles } from '../money/money.ts'
import { type ServiceId, secondOfVerification, type VerificationId } from '../slot.ts'
import type { CallProgress, OutcomeReason } from './call-outcome.ts'

export type DescribedVerification = {
  readonly id: VerificationId
  readonly serviceId: ServiceId
  readonly mode: CallMode | 'inbound'
  readonly state: 'accepted' | 'dialling' | 'succeeded' | 'failed'
  readonly isTest: boolean
  readonly phoneMask: string
  readonly country: string
  readonly price: MicroRoubles
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

// Decisions on a call, and what the database says of calls that nobody saw the end of.
export type EndReason =
  | OutcomeReason
  | 'not-dispatched'
  | 'not-started'
  | 'lost'
  | 'lost-ringing'
  | 'called'
  | 'not-called'

type Ending = {
  readonly words: string
  // Where the other side ended the call with a status.
  readonly withStatus?: string
}

export const endings: Readonly<Record<EndReason, Ending>> = {
  rang: { words: 'hung up by us', withStatus: 'ended by the other side with {status}' },
  rejected: { words: 'rejected by the subscriber' },
  spoken: { words: 'the code was spoken' },
  'not-answered': { words: 'not answered' },
  'hung-up-early': { words: 'hung up by the subscriber before the code was spoken' },
  'broke-off': { words: 'broke off at once', withStatus: 'broke off at once with {status}' },
  announcement: { words: 'an announcement was played instead of ringing' },
  'answered-unseen': { words: 'answered without ringing, so the subscriber saw nothing' },
  'no-ringing': { words: 'never rang, given up by us' },
  refused: { words: 'refused', withStatus: 'refused with {status}' },
  silence: { words: 'the carrier never answered' },
  'not-dispatched': { words: 'could not be dispatched, taken back' },
  'not-started': { words: 'not started in time' },
  lost: { words: 'lost sight of before it rang' },
  'lost-ringing': { words: 'lost sight of while it rang' },
  called: { words: 'called by the subscriber' },
  'not-called': { words: 'not called by the subscriber in time' },
}

export function describeVerification(verification: DescribedVerification): string {
  const { id, serviceId, phoneMask, mode, country } = verification
  const told = [
    acceptance(id),
    ...waiting(verification),
    ...dialling(verification),
    ...ringing(verification),
    ending(verification),
  ]
  const head = `Verification ${id} of service ${serviceId} ${mode === 'inbound' ? 'from' : 'to'} ${phoneMask} (${mode}, ${country})`
  return `${head}: ${[...told, charge(verification)].join(', ')}.`
}

// A call that is nobody's verification, from dialling on.
export function describePlacedCall(description: CallProgress, reason: OutcomeReason): string {
  const { rangAtMs, earlyMediaAtMs, answeredAtMs, endedAtMs, status } = description
  const told = [
    ...(earlyMediaAtMs === undefined ? [] : [`early sound after ${inSeconds(earlyMediaAtMs)}`]),
    ...(rangAtMs === undefined
      ? []
      : [`rang after ${inSeconds(rangAtMs)} for ${inSeconds((answeredAtMs ?? endedAtMs) - rangAtMs)}`]),
    ...(answeredAtMs === undefined ? [] : [`answered after ${inSeconds(answeredAtMs)}`]),
  ]
  return [...told, endingWords(reason, status ?? null)].join(', ')
}

// The id knows the second, and no more.
function acceptance(id: VerificationId): string {
  return `accepted ${new Date(secondOfVerification(id) * 1000).toISOString().replace('.000', '')}`
}

function waiting({ mode, callerNumber, trunk }: DescribedVerification): string[] {
  return mode === 'inbound' ? [`to be called at ${callerNumber ?? 'no number'} over ${trunk ?? 'no trunk'}`] : []
}

// From the beginning the row names the trunk that is planned; only a claim makes it one that was dialled over.
function dialling({ dialledAt, trunk, callerNumber, attempt }: DescribedVerification): string[] {
  if (!dialledAt) return []
  const from = callerNumber === null ? '' : ` from ${callerNumber}`
  return [`dialled over ${trunk ?? 'no trunk'}${from} (attempt ${attempt})`]
}

// Whoever dialled knows it best; where nobody saw the end, the database has noted the beginning.
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
  if (state === 'dialling') return 'still going on'
  // A newer program may have ended it for a reason that this one has no words for.
  if (reason === null || !isEndReason(reason)) return `ended: ${reason ?? 'nobody knows why'}`
  return endingWords(reason, sipStatus)
}

function endingWords(reason: EndReason, sipStatus: number | null): string {
  const { words, withStatus } = endings[reason]
  return sipStatus === null || withStatus === undefined ? words : withStatus.replace('{status}', String(sipStatus))
}

function charge({ isTest, state, price }: DescribedVerification): string {
  if (isTest) return 'a test, free'
  if (state === 'failed' || price === 0) return 'nothing was charged'
  return state === 'succeeded' ? `charged ${asPrice(price)}` : `${asPrice(price)} is held`
}

// As prices are read: two decimals at least.
function asPrice(amount: MicroRoubles): string {
  const [whole = '', fraction = ''] = formatRoubles(amount).split('.')
  return `${whole}.${fraction.padEnd(2, '0')}`
}

function isEndReason(reason: string): reason is EndReason {
  return Object.hasOwn(endings, reason)
}
