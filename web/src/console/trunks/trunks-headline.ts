import { type Headline, headlineOf, type Said, shareSaid } from '../../headline.ts'
import { type TrunksPage, worstFirst } from './trunk.ts'
import type { words as en } from './words.en.ts'

type Formats = { readonly number: (value: number) => string; readonly percent: (share: number) => string }

export function trunksHeadline(
  { trunks, stop }: TrunksPage,
  // What doctor finds bad; undefined: not known yet.
  faults: readonly string[] | undefined,
  lost: Said | undefined,
  words: typeof en,
  formats: Formats,
): Headline {
  const own = trunks.filter(({ isTest }) => !isTest || trunks.length === 1)
  const taking = own.filter(({ isOn, isDraining }) => isOn && !isDraining)
  const carried = taking.filter(({ calls }) => calls.rang > 0).length
  const calls = own.reduce((sum, trunk) => sum + trunk.calls.dialled, 0)
  const good = own.reduce((sum, trunk) => sum + trunk.calls.rang, 0)
  const lead =
    calls === 0
      ? words.leadNone
      : words.lead(formats.number(calls), formats.number(good), shareSaid(good, calls, formats.percent))
  const [worst] = worstFirst(own)
  const isBad = (state: 'down' | 'degraded') => worst?.health.state === state
  return headlineOf(
    {
      lost,
      wrong: [
        ...(stop === null ? [] : [{ title: words.allStopped, lead, tone: 'bad' as const }]),
        ...(worst && isBad('down') ? [{ title: words.bad(worst.name), lead, tone: 'bad' as const }] : []),
        ...(worst && isBad('degraded') ? [{ title: words.poor(worst.name), lead, tone: 'poor' as const }] : []),
        ...(taking.length === 0 ? [{ title: words.off, lead, tone: 'poor' as const }] : []),
        ...(faults?.length
          ? [{ title: words.faults(faults.length), lead: `${faults[0]} ${lead}`, tone: 'bad' as const }]
          : []),
      ],
      calls,
      good,
    },
    {
      none: { title: words.leadNone, lead: words.answering(taking.length) },
      allBad: { title: words.nothingRang, lead },
      well: {
        title: carried === taking.length ? words.allFine(carried) : words.someFine(carried, taking.length),
        lead,
      },
    },
  )
}
