// Two kinds of failure are expected and shown in full: a UsageError to the operator, and a Refusal to the API client.
// Everything else is an internal error: logged with its cause, hidden from the client.

import { type Language, type RefusalName, refusals, type Sentences } from '@ringproof/contract/errors.ts'

// An error that the operator can fix: printed as a sentence, without a stack.
export class UsageError extends Error {
  override name = 'UsageError'
}

// A value inserted into a refusal's sentence: the same in every language, or one per language.
export type SentenceValue = string | number | Sentences

export class Refusal extends Error {
  override name = 'Refusal'
  readonly refusal: RefusalName
  readonly values: Readonly<Record<string, SentenceValue>>
  // For refusals that send Retry-After.
  readonly retryAfterSeconds: number | undefined

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

// How long a client waits before it retries a request that cannot be served now.
export const retryDelays = {
  // The rows or slots it needs are in use: free again in a moment.
  busy: 1,
  // No trunk, price, queue space or disk space for it.
  noCapacity: 5,
  // An operator has to act first.
  needsOperator: 60,
} as const

export function unavailable(delay: keyof typeof retryDelays, options?: ErrorOptions): Refusal {
  return new Refusal('unavailable', {}, retryDelays[delay], options)
}

export function refusalSentence({ refusal, values }: Refusal, language: Language): string {
  return refusals[refusal][language].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`refusal ${refusal} lacks the value ${name}`)
    return typeof value === 'object' ? value[language] : String(value)
  })
}
