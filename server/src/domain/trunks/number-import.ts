// Reads a list of our numbers as carriers send them: a line has one number, or the first and the last of a range. Then says
// which of them are new.

import { type CallerRange, type NumberSpan, numbersIn } from './caller-pool.ts'
import { commonSpans, joinSpans, subtractSpans } from './number-spans.ts'

export type NumberFile = {
  readonly spans: readonly NumberSpan[]
  // Numbers that stand in the list more than once.
  readonly repeated: number
  // Lines that are neither a number nor a range, from 1.
  readonly invalidLines: readonly number[]
}

// A typo must not add every number of a country.
const spanMax = 1_000_000

export function readNumberFile(text: string): NumberFile {
  const read: NumberSpan[] = []
  const invalidLines: number[] = []
  for (const [index, line] of text.split(/\r?\n|\r/).entries()) {
    const bare = line.replaceAll(/[\s()+"']/g, '')
    // A head of columns.
    if (bare === '' || (index === 0 && /\p{L}/u.test(bare) && !/\d/.test(bare))) continue
    const span = readSpan(bare)
    if (span) read.push(span)
    else invalidLines.push(index + 1)
  }
  const spans = joinSpans(read)
  return { spans, repeated: numbersIn(read) - numbersIn(spans), invalidLines }
}

function readSpan(bare: string): NumberSpan | undefined {
  const [, from, to = from] =
    /^([1-9]\d{6,14})(?:(?:[;,–—-]|\.\.)([1-9]\d{6,14}))?[;,]*$/.exec(bare) ??
    // Hyphens within one number.
    /^([1-9]\d{6,14})$/.exec(bare.replaceAll('-', '')) ??
    []
  if (from === undefined || to === undefined || from.length !== to.length) return undefined
  const span = { first: Number(from), last: Number(to) }
  return span.first <= span.last && span.last - span.first < spanMax ? span : undefined
}

export type ImportPlan = {
  // What is added, with its trunk and country.
  readonly ranges: readonly CallerRange[]
  readonly added: number
  // Already numbers of this trunk for this country.
  readonly duplicates: number
  // Of another trunk or country, or confirmation numbers: a number has one use.
  readonly taken: number
}

export function planImport(
  spans: readonly NumberSpan[],
  { trunk, country }: Pick<CallerRange, 'trunk' | 'country'>,
  owned: readonly CallerRange[],
  confirmationNumbers: readonly { readonly number: number }[],
): ImportPlan {
  const isSame = (range: CallerRange) => range.trunk === trunk && range.country === country
  const taken = [
    ...owned.filter((range) => !isSame(range)),
    ...confirmationNumbers.map(({ number }) => ({ first: number, last: number })),
  ]
  const own = owned.filter(isSame)
  const added = subtractSpans(spans, [...own, ...taken])
  return {
    ranges: added.map((span) => ({ trunk, country, ...span })),
    added: numbersIn(added),
    duplicates: numbersIn(commonSpans(spans, own)),
    taken: numbersIn(commonSpans(spans, taken)),
  }
}
