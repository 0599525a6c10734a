import { fewCalls, type Headline, headlineOf, type Said, shareSaid } from '../../headline.ts'
import { hourMs } from '../../time.ts'
import { type Data, shareOf } from '../statistics/figures.ts'
import type { words as en } from '../statistics/words.en.ts'

type Formats = { readonly percent: (share: number) => string }

const poorShare = 0.5

export function overviewHeadline(
  data: Data,
  // The operator announces that calls fail.
  outage: string | undefined,
  lost: Said | undefined,
  nowMs: number,
  words: typeof en,
  formats: Formats,
): Headline {
  const { total, providers, until } = data
  const fallen = providers.filter(({ hasFallen }) => hasFallen).map(({ provider }) => provider || words.unknown)
  const ended = total.succeeded + total.failed
  const lead = words.evidence(total.calls, total.succeeded, shareSaid(total.succeeded, ended, formats.percent))
  const isPoor = ended >= fewCalls && (shareOf(total) ?? 1) < poorShare
  const isNow = until > nowMs
  const recent = recentCalls(data, nowMs)
  return headlineOf(
    {
      lost,
      wrong: [
        ...(outage === undefined || !isNow ? [] : [{ title: words.outage, lead: outage, tone: 'bad' as const }]),
        ...(isPoor ? [{ title: words.mostFail, lead, tone: 'bad' as const }] : []),
        ...(fallen.length === 0 ? [] : [{ title: words.except(fallen.join(', ')), lead, tone: 'poor' as const }]),
      ],
      calls: total.calls,
      // What has not ended yet is not bad.
      good: ended === 0 ? total.calls : total.succeeded,
    },
    {
      none: { title: words.noCalls, lead: words.noCallsLead },
      allBad: { title: words.noneSucceeded, lead },
      well: !isNow
        ? { title: words.wentThrough, lead }
        : recent === 0
          ? { title: words.quietHour, lead }
          : { title: recent === undefined ? words.wentThrough : words.allWell, lead },
    },
  )
}

// Of this hour and the one before; undefined: the bins are days.
function recentCalls({ by, bins }: Data, nowMs: number): number | undefined {
  if (by === 'day') return undefined
  return bins.filter(({ at }) => at > nowMs - 2 * hourMs).reduce((sum, { calls }) => sum + calls, 0)
}
