// Three kinds of failure are expected and shown in full: a UsageError to the operator, a Refusal to the API client, and a Denial to
// a person in the browser.
// Everything else is an internal error: logged with its cause, hidden from the client.

import { type RefusalName, refusals, type Sentences } from '@ringproof/contract/errors.ts'
import type { Language } from '@ringproof/contract/lists/people.ts'
import type { WebError } from '@ringproof/contract/web/api.ts'

// An error that the operator can fix: printed as a sentence, without a stack.
export class UsageError extends Error {
  override name = 'UsageError'
}

// A refusal of the internal API: the page has a sentence for it in each language.
export class Denial extends Error {
  override name = 'Denial'
  readonly error: WebError
  readonly fields: readonly string[]
  readonly retryAfterSeconds: number | undefined

  constructor(error: WebError, fields: readonly string[] = [], retryAfterSeconds?: number) {
    super(error)
    this.error = error
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds
  }
}

// A value inserted into a refusal's sentence: the same in every language, or one per language.
type SentenceValue = string | number | Sentences

export class Refusal extends Error {
  override name = 'Refusal'
  readonly refusal: RefusalName
  readonly values: Readonly<Record<string, SentenceValue>>
  // For refusals that send Retry-After.
  readonly retryAfterSeconds: number | undefined
  // For code 5.
  unavailableCause: UnavailableCause | undefined

  constructor(
    refusal: RefusalName,
    values: Readonly<Record<string, SentenceValue>> = {},
    retryAfterSeconds?: number,
    options?: ErrorOptions,
  ) {
    // Refusals are expected, so no stack is captured: capturing it would cost more than everything else here.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(refusal, options)
    Error.stackTraceLimit = stackTraceLimit
    this.refusal = refusal
    this.values = values
    this.retryAfterSeconds = retryAfterSeconds
  }
}

// Why a start gets code 5. The label goes to the log and to the metric, for the operator; the refusal says to the client
// whether retrying helps, and after how many seconds.
export const unavailableCauses = {
  saturated: { refusal: 'serverBusy', retrySeconds: 1 },
  account_busy: { refusal: 'serverBusy', retrySeconds: 1 },
  database_busy: { refusal: 'serverBusy', retrySeconds: 1 },
  slot_moving: { refusal: 'serverBusy', retrySeconds: 1 },
  database_down: { refusal: 'unavailable', retrySeconds: 1 },
  database_full: { refusal: 'unavailable', retrySeconds: 5 },
  clock_ahead: { refusal: 'needsOperator', retrySeconds: 60 },
  nats_down: { refusal: 'unavailable', retrySeconds: 5 },
  queue_full: { refusal: 'unavailable', retrySeconds: 5 },
  dispatch_failed: { refusal: 'unavailable', retrySeconds: 5 },
  // No trunk serves the country, or all that do are off.
  no_trunk: { refusal: 'needsOperator', retrySeconds: 60 },
  trunks_off: { refusal: 'needsOperator', retrySeconds: 60 },
  no_caller_number: { refusal: 'needsOperator', retrySeconds: 60 },
  no_price: { refusal: 'needsOperator', retrySeconds: 60 },
  // None for the country, or none that is free for this subscriber now.
  no_confirmation_number: { refusal: 'needsOperator', retrySeconds: 60 },
  confirmation_numbers_in_use: { refusal: 'unavailable', retrySeconds: 5 },
  test_limit: { refusal: 'unavailable', retrySeconds: 5 },
  // An operator decides when calls start again, so there is no point in retrying often.
  calls_stopped: { refusal: 'callsStopped', retrySeconds: 30 },
} as const satisfies Record<string, { readonly refusal: RefusalName; readonly retrySeconds: number }>
export type UnavailableCause = keyof typeof unavailableCauses

type UnavailableOptions = ErrorOptions & { readonly retrySeconds?: number }

export function unavailable(cause: UnavailableCause, options: UnavailableOptions = {}): Refusal {
  const { refusal, retrySeconds } = unavailableCauses[cause]
  const refused = new Refusal(refusal, {}, options.retrySeconds ?? retrySeconds, options)
  refused.unavailableCause = cause
  return refused
}

export function refusalSentence({ refusal, values }: Refusal, language: Language): string {
  return refusals[refusal][language].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`refusal ${refusal} lacks the value ${name}`)
    return typeof value === 'object' ? value[language] : String(value)
  })
}
