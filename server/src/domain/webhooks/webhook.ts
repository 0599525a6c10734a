// The life of a webhook.
//
//   due          It waits for its next attempt, or somebody is at it: whoever claims it moves its due time to the end of a
//                lease, and if they die it is due again by itself. So it may arrive twice; its id stays the same.
//   delivered    The receiver answered 2xx. The number is erased at once. Final.
//   dead         410, no attempt left, or the number was erased first. Whoever has mended the receiver may have it sent
//                anew while the number is still there.
//
//   due   — 2xx →                                                            delivered
//   due   — 410 →                                                            dead, gone
//   due   — anything else, and the next attempt lies in the number's life →  due again, by the schedule
//   due   — anything else →                                                  dead, given up
//   due   — the number's life is over →                                      dead, erased
//   dead  — sent anew in the number's life →                                 due, the schedule from its beginning
//
// A receiver may ask for more time than the schedule gives (Retry-After), never for less.

import { lookupNumber } from '../numbers/number-info.ts'
import { describeNumber } from '../numbers/number-plan.ts'
import type { NumberingIndex } from '../numbers/numbering-index.ts'
import type { PhoneNumber } from '../numbers/phone-number.ts'
import type { VerificationId } from '../slot.ts'

export const retrySeconds = [2, 5, 15, 30, 60, 120, 300, 600] as const

// How long a receiver may take, and how much of its answer is read.
export const responseTimeoutSeconds = 10
export const responseBytesMax = 64 * 1024

export type DeadReason = 'gone' | 'given-up' | 'erased'

export type NextStep =
  | { readonly state: 'delivered' }
  | { readonly state: 'dead'; readonly reason: DeadReason }
  | { readonly state: 'due'; readonly inSeconds: number }

// After the n-th attempt of the schedule, from 1; without a status the receiver did not answer.
export function afterAttempt(
  nth: number,
  { status, askedSeconds }: { readonly status: number | undefined; readonly askedSeconds: number | undefined },
  lifeLeftSeconds: number,
): NextStep {
  if (status !== undefined && status >= 200 && status < 300) return { state: 'delivered' }
  if (status === 410) return { state: 'dead', reason: 'gone' }
  const planned = retrySeconds[nth - 1]
  if (planned === undefined) return { state: 'dead', reason: 'given-up' }
  const inSeconds = Math.max(planned, askedSeconds ?? 0)
  return inSeconds < lifeLeftSeconds ? { state: 'due', inSeconds } : { state: 'dead', reason: 'given-up' }
}

// Seconds, or a moment of the wall clock; undefined for what is neither.
export function readRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  // The one form that is still written; Date.parse would take many more for one.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1000))
}

// As the contract has it, and the same at every attempt unless other numbering data came into force between two.
// Providers are told of a ported number only.
export function webhookBody(
  id: VerificationId,
  callbackUrl: string,
  number: PhoneNumber,
  confirmationNumber: number,
  index: NumberingIndex,
): string {
  const { isPorted, provider, currentProvider, region } = lookupNumber(
    number,
    describeNumber(number, index).country,
    index,
  )
  return JSON.stringify({
    callId: String(id),
    callbackLink: callbackUrl,
    clientNumber: number,
    confirmationNumber: String(confirmationNumber),
    isMnp: isPorted,
    operatorName: isPorted ? (provider ?? '') : '',
    operatorNameMnp: isPorted ? (currentProvider ?? '') : '',
    regionName: region ?? '',
  })
}

const keptBytes = 200

// The beginning of a receiver's answer, for whoever looks for its fault. It may repeat the number in any spelling, so
// digits of every script are left out, and so are long words that could be an encoding of it.
export function redactResponse(answer: Buffer): string {
  const start = answer.subarray(0, keptBytes).toString('utf8')
  // A word that is cut off may be half of such an encoding.
  const whole = answer.length > keptBytes ? start.replace(/[\w+/=%-]*\ufffd?$/, '') : start
  return whole
    .replaceAll(/[\w+/=%-]{12,}/g, (word) => (/^[A-Za-z]+$/.test(word) && word === word.toLowerCase() ? word : '…'))
    .replaceAll(/\p{N}/gu, '#')
    .replaceAll(/[\p{Cc}\p{Cs}\ufffd]+/gu, ' ')
    .trim()
}
