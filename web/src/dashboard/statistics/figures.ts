// What the overview and the statistics share: figures with their change against the time before, and addresses.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { fewCalls } from '../../headline.ts'
import type { Figure } from '../../parts/charts/figure.ts'
import { dayMs } from '../../time.ts'
import type { words as en } from './words.en.ts'

export type Data = WebOutput<'statistics'>
type Words = typeof en
type Formats = Readonly<Record<'number' | 'money' | 'percent' | 'wholePercent' | 'seconds', (value: number) => string>>
type Span = keyof typeof en.previous

const spans: readonly (readonly [number, Span])[] = [
  [dayMs, 'day'],
  [7 * dayMs, 'week'],
  [30 * dayMs, 'month'],
]

export function figuresOf(
  { total, before, from, until, compared }: Data,
  words: Words,
  formats: Formats,
  addressOf: AddressOf,
  sells: boolean,
): readonly Figure[] {
  // Of periods of different length, what there was in the same time.
  const longer = (until - from) / (compared.until - compared.from)
  const period = spans.find(([ms]) => ms === until - from && longer === 1)?.[1] ?? 'other'
  const canCompare = before.calls >= fewCalls
  const changed = (now: number, then: number) =>
    canCompare ? ratioText(now, then, words, formats, period) : words.noBefore
  const grown = (now: number, then: number) => changed(now, then * longer)
  const [share, shareBefore] = [shareOf(total), shareOf(before)]
  const canCompareShares = endedOf(total) >= fewCalls && endedOf(before) >= fewCalls
  const points = canCompareShares && share !== undefined && shareBefore !== undefined ? share - shareBefore : undefined
  const [ring, ringBefore] = [total.ringP50Ms, before.ringP50Ms]
  const canCompareRings = canCompare && total.calls >= fewCalls && ring !== null && ringBefore !== null
  const repeatShare = total.calls === 0 ? 0 : total.repeats / total.calls
  return [
    {
      name: words.calls,
      value: formats.number(total.calls),
      note: grown(total.calls, before.calls),
      to: addressOf({}),
    },
    {
      name: words.succeeded,
      value: share === undefined ? '–' : formats.percent(share),
      note: points === undefined ? words.noBefore : pointsText(points, words, formats),
      isWorse: points !== undefined && points < -0.005,
      to: addressOf({ status: 'succeeded' }),
    },
    {
      name: words.ring,
      value: ring === null ? '–' : words.seconds(formats.seconds(ring / 1_000)),
      note: canCompareRings ? changed(ring, ringBefore) : words.noBefore,
      isWorse: canCompareRings && ring > ringBefore,
    },
    { name: words.repeats, value: formats.number(total.repeats), note: formats.percent(repeatShare) },
    ...(sells
      ? [{ name: words.spent, value: formats.money(total.charged), note: grown(total.charged, before.charged) }]
      : []),
  ]
}

export type AddressOf = (filters: Readonly<Record<string, string>>) => string

export function shareOf({ succeeded, failed }: { succeeded: number; failed: number }): number | undefined {
  return succeeded + failed === 0 ? undefined : succeeded / (succeeded + failed)
}

function endedOf({ succeeded, failed }: { succeeded: number; failed: number }): number {
  return succeeded + failed
}

// A large change is a factor: its percents say nothing.
const factorMin = 3

function ratioText(now: number, then: number, words: Words, formats: Formats, period: Span): string {
  if (then === 0) return words.noBefore
  if (now === then) return words.same
  const ratio = now / then
  if (ratio > factorMin) return words.than(`×${formats.number(Math.round(ratio))}`, period)
  const change = Math.abs(ratio - 1)
  const text = change > 1 ? formats.wholePercent(change) : formats.percent(change)
  return words.than(`${now > then ? '+' : '−'}${text}`, period)
}

export function pointsText(change: number, words: Words, formats: Formats): string {
  if (Math.abs(change) < 0.0005) return words.same
  return words.points(`${change > 0 ? '+' : '−'}${formats.seconds(Math.abs(change) * 100)}`)
}
