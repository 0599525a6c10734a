// Two kinds of failure are expected and shown to whoever caused them: a mistake of the operator, and a refusal of a
// client's request. Everything else is our own fault: logged with its cause, told to nobody.

import { type Language, type RefusalName, refusals, type Sentences } from '@ringproof/contract/errors.ts'

// What a person can mend: the sentence is for them, and no stack goes with it.
export class UsageError extends Error {
  override name = 'UsageError'
}

// A word that stands in a refusal's sentence: the same in every language, or one for each.
export type Word = string | number | Sentences

export class Refusal extends Error {
  override name = 'Refusal'
  readonly refusal: RefusalName
  readonly words: Readonly<Record<string, Word>>
  // When to come again, for those that say so.
  readonly retryAfterSeconds: number | undefined

  constructor(
    refusal: RefusalName,
    words: Readonly<Record<string, Word>> = {},
    retryAfterSeconds?: number,
    options?: ErrorOptions,
  ) {
    // It is expected, and nobody reads where it was thrown; to write that down is dearer than the rest of it.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(refusal, options)
    Error.stackTraceLimit = stackTraceLimit
    this.refusal = refusal
    this.words = words
    this.retryAfterSeconds = retryAfterSeconds
  }
}

// How long a client waits before it retries a request that cannot be served now.
export const retryDelays = {
  // Others hold the rows or the slots that it needs: free again in a moment.
  busy: 1,
  // No trunk, price, queue space or disk space for it.
  noCapacity: 5,
  // An operator has to act first.
  needsOperator: 60,
} as const

export function unavailable(delay: keyof typeof retryDelays, options?: ErrorOptions): Refusal {
  return new Refusal('unavailable', {}, retryDelays[delay], options)
}

export function refusalSentence({ refusal, words }: Refusal, language: Language): string {
  return refusals[refusal][language].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const word = words[name]
    if (word === undefined) throw new Error(`the refusal ${refusal} lacks its word ${name}`)
    return typeof word === 'object' ? word[language] : String(word)
  })
}
