// What the overview and the statistics share: figures with their change against the time before, and addresses.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { useFormats } from '../../formats.ts'
import type { Figure } from '../../parts/charts/Charts.tsx'
import type { words as en } from './words.en.ts'

export type Data = WebOutput<'statistics'>
type Words = typeof en
type Formats = ReturnType<typeof useFormats>

export function figuresOf(
  { total, before, from, until, compared }: Data,
  words: Words,
  formats: Formats,
  addressOf: AddressOf,
): readonly Figure[] {
  const hasBefore = before.calls > 0
  // Of periods of different length, what there was in the same time.
  const longer = (until - from) / (compared.until - compared.from)
  const changed = (now: number, then: number) => (!hasBefore ? words.noBefore : ratioText(now, then, words, formats))
  const grown = (now: number, then: number) => changed(now, then * longer)
  const [share, shareBefore] = [shareOf(total), shareOf(before)]
  const [ring, ringBefore] = [total.ringP50Ms, before.ringP50Ms]
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
      note:
        share === undefined || shareBefore === undefined
          ? words.noBefore
          : pointsText(share - shareBefore, words, formats),
      isWorse: share !== undefined && shareBefore !== undefined && share < shareBefore - 0.005,
      to: addressOf({ status: 'succeeded' }),
    },
    {
      name: words.ring,
      value: ring === null ? '–' : words.seconds(formats.seconds(ring / 1_000)),
      note: ring === null || ringBefore === null ? words.noBefore : changed(ring, ringBefore),
      isWorse: ring !== null && ringBefore !== null && ring > ringBefore,
    },
    { name: words.repeats, value: formats.number(total.repeats), note: formats.percent(repeatShare) },
    { name: words.spent, value: formats.money(total.charged), note: grown(total.charged, before.charged) },
  ]
}

export type AddressOf = (filters: Readonly<Record<string, string>>) => string

export function shareOf({ succeeded, failed }: { succeeded: number; failed: number }): number | undefined {
  return succeeded + failed === 0 ? undefined : succeeded / (succeeded + failed)
}

function ratioText(now: number, then: number, words: Words, formats: Formats): string {
  if (then === 0 || now === then) return words.same
  return words.than(`${now > then ? '+' : '−'}${formats.percent(Math.abs(now / then - 1))}`)
}

export function pointsText(change: number, words: Words, formats: Formats): string {
  if (Math.abs(change) < 0.0005) return words.same
  return words.points(`${change > 0 ? '+' : '−'}${formats.seconds(Math.abs(change) * 100)}`)
}

export function ticksOf(bins: readonly { readonly at: number }[], nameOf: (at: number) => string): readonly string[] {
  const last = bins.length - 1
  if (last < 1) return bins.map(({ at }) => nameOf(at))
  return [0, 0.25, 0.5, 0.75, 1].map((share) => nameOf(bins[Math.round(last * share)]?.at ?? 0))
}
