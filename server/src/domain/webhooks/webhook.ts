// The states of a webhook.
//
//   due          It waits for its next attempt, or an attempt is in flight: the claim moves its due time to the end of a
//                lease, so if the process dies it is due again. It may therefore arrive twice, with the same ID.
//   delivered    The receiver responded with 2xx. The number is erased at once. Final.
//   dead         410, no attempts left, or the number expired first. After fixing the receiver, the operator can resend it
//                until the number expires.
//
//   due   — 2xx →                                                            delivered
//   due   — 410 →                                                            dead, gone
//   due   — anything else, next attempt before the number expires →          due again, by the schedule
//   due   — anything else →                                                  dead, given up
//   due   — the number expires →                                             dead, erased
//   dead  — resent before the number expires →                               due, schedule restarted
//
// A receiver may ask for more time than the schedule gives (Retry-After), never for less.

import { webhookRetrySeconds } from '@ringproof/contract/limits.ts'
import type { deliveryFailures, webhookStates } from '@ringproof/contract/lists/requests.ts'
import type { InboundCall } from '@ringproof/contract/webhook.ts'
import type { VerificationId } from '../core/slot.ts'
import { lookupNumber } from '../numbers/number-info.ts'
import { describeNumber } from '../numbers/number-plan.ts'
import type { NumberingIndex } from '../numbers/numbering-index.ts'
import type { PhoneNumber } from '../numbers/phone-number.ts'

export type WebhookState = (typeof webhookStates)[number]

export type DeliveryFailure = (typeof deliveryFailures)[number]

// How long a receiver may take to respond, and how much of its response is read.
export const responseTimeoutSeconds = 10

export const responseBytesMax = 64 * 1024

type DeadReason = 'gone' | 'given-up' | 'erased'

export type NextStep =
  | { readonly state: 'delivered' }
  | { readonly state: 'dead'; readonly reason: DeadReason }
  | { readonly state: 'due'; readonly inSeconds: number }

// After the nth attempt of the schedule, from 1; without a status the receiver did not respond.
export function afterAttempt(
  nth: number,
  {
    status,
    retryAfterSeconds,
  }: { readonly status: number | undefined; readonly retryAfterSeconds: number | undefined },
  lifeLeftSeconds: number,
): NextStep {
  if (status !== undefined && status >= 200 && status < 300) return { state: 'delivered' }
  if (status === 410) return { state: 'dead', reason: 'gone' }
  const planned = webhookRetrySeconds[nth - 1]
  if (planned === undefined) return { state: 'dead', reason: 'given-up' }
  const inSeconds = Math.max(planned, retryAfterSeconds ?? 0)
  return inSeconds < lifeLeftSeconds ? { state: 'due', inSeconds } : { state: 'dead', reason: 'given-up' }
}

// Seconds or an HTTP date; undefined for anything else.
export function readRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  // The only date format in use; Date.parse would accept many more.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1000))
}

// The body defined by the contract. It is the same at every attempt, unless new numbering data was loaded in between.
// Providers are included only for a ported number.
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
  const body: InboundCall = {
    callId: String(id),
    callbackLink: callbackUrl,
    clientNumber: number,
    confirmationNumber: String(confirmationNumber),
    isMnp: isPorted,
    operatorName: isPorted ? (provider ?? '') : '',
    operatorNameMnp: isPorted ? (currentProvider ?? '') : '',
    regionName: region ?? '',
  }
  return JSON.stringify(body)
}

// What a receiver would get for a test number.
export function exampleBody(id: VerificationId, callbackUrl: string, number: PhoneNumber): string {
  const body: InboundCall = {
    callId: String(id),
    callbackLink: callbackUrl,
    clientNumber: number,
    confirmationNumber: '70000000000',
    isMnp: false,
    operatorName: '',
    operatorNameMnp: '',
    regionName: '',
  }
  return JSON.stringify(body)
}

const keptBytes = 200

// As many digits as a phone number has at least, of any script, with what people write between them.
const numberLike = /\p{N}(?:[^\p{L}\p{N}]{0,3}\p{N}){6,}/gu
// What may be the beginning of one.
const digitsAtEnd = /\p{N}[^\p{L}]*\ufffd?$/u

// The start of a receiver's response, for troubleshooting. It may contain the number in any spelling, so what looks like a number is
// masked, and so are long words that could be an encoding of it. A status code or a heading stays readable.
export function redactResponse(response: Buffer): string {
  const start = response.subarray(0, keptBytes).toString('utf8')
  // A truncated word may be part of such an encoding.
  const whole = response.length > keptBytes ? start.replace(/[\w+/=%-]*\ufffd?$/, '') : start
  return whole
    .replaceAll(/[\w+/=%-]{12,}/g, (word) => (/^[A-Za-z]+$/.test(word) && word === word.toLowerCase() ? word : '…'))
    .replaceAll(numberLike, masked)
    .replace(response.length > keptBytes ? digitsAtEnd : /$^/u, masked)
    .replaceAll(/[\p{Cc}\p{Cs}\ufffd]+/gu, ' ')
    .trim()
}

function masked(digits: string): string {
  return digits.replaceAll(/\p{N}/gu, '#')
}

// The secret that signs a service's webhooks, in the Standard Webhooks format.

export const webhookSecretRandomBytes = 32

export function makeWebhookSecret(randomBytes: Uint8Array): string {
  if (randomBytes.length !== webhookSecretRandomBytes) throw new RangeError('a webhook secret needs 32 random bytes')
  return `whsec_${Buffer.from(randomBytes).toString('base64')}`
}
