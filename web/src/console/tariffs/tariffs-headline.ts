import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { type Headline, headlineOf, type Said } from '../../headline.ts'
import type { words as en } from './words.en.ts'

type Total = WebOutput<'tariffs'>['total']
type Formats = { readonly percent: (share: number) => string }

// A margin is known when every call has a cost; with some of them it is at most so much.
export function tariffsHeadline(
  { revenue, cost, margin, calls, withoutCost }: Total,
  period: string,
  lost: Said | undefined,
  words: typeof en,
  formats: Formats,
): Headline {
  const said = (title: string, lead: string) => ({ title, lead: `${lead} ${period}` })
  const share = formats.percent(revenue === 0 ? 0 : margin / revenue)
  const wrong =
    calls === 0
      ? []
      : withoutCost > 0 && cost === 0
        ? [{ ...said(words.unknownMargin, words.unknownMarginLead), tone: 'poor' as const }]
        : revenue === 0
          ? [{ ...said(words.noRevenue, words.ofCalls(calls)), tone: 'poor' as const }]
          : withoutCost > 0
            ? [{ ...said(words.atMost(share), words.incomplete(withoutCost)), tone: 'poor' as const }]
            : []
  const well = said(words.title(share), words.ofCalls(calls))
  return headlineOf(
    { lost, wrong, calls, good: Math.max(0, margin) },
    { none: said(words.noTraffic, words.noTrafficLead), allBad: said(words.loss, words.ofCalls(calls)), well },
  )
}
