// The cards of the statistics.

import type { ReactNode } from 'react'
import { useFormats } from '../../formats.ts'
import { fewCalls } from '../../headline.ts'
import { Dots, Heat, TimeLines } from '../../parts/charts/Charts.tsx'
import { useScreenWords } from '../../words/words.ts'
import { type AddressOf, type Data, pointsText, shareOf } from './figures.ts'
import css from './statistics.module.css'

// Ring-through by provider.
export function Providers({ data: { providers }, addressOf }: { readonly data: Data; readonly addressOf: AddressOf }) {
  const words = useScreenWords('statistics')
  const formats = useFormats()
  return (
    <Card title={words.providers} note={words.providersNote}>
      <Dots
        heads={[words.now, words.usual]}
        percent={formats.percent}
        points={(change) => pointsText(change, words, formats)}
        of={providers.map(({ provider, dialled, rang, ...row }) => ({
          ...row,
          name: provider || words.unknown,
          note: words.dialled(dialled),
          share: rang / dialled,
          // Few calls are not compared.
          usual: dialled < fewCalls ? null : row.usual,
          to: addressOf({ provider }),
        }))}
      />
    </Card>
  )
}

export function RingTimes({ data: { bins, by, total } }: { readonly data: Data }) {
  const words = useScreenWords('statistics')
  const formats = useFormats()
  const text = (ms: number | null) => (ms === null ? '–' : words.seconds(formats.seconds(ms / 1_000)))
  const inSeconds = (ms: number | null) => (ms === null ? null : ms / 1_000)
  return (
    <Card title={words.time}>
      <div className={css.keys}>
        <span>
          <i className={css.half} />
          {words.p50}
        </span>
        <span>
          <i className={css.most} />
          {words.p95}
        </span>
      </div>
      <TimeLines
        of={bins.map(({ at, ringP50Ms, ringP95Ms }) => ({ at, low: inSeconds(ringP50Ms), high: inSeconds(ringP95Ms) }))}
        label={words.timeLabel(text(total.ringP50Ms), text(total.ringP95Ms))}
        by={by}
        textOf={words.seconds}
      />
    </Card>
  )
}

export function HourAndWeekday({ data: { hours } }: { readonly data: Data }) {
  const words = useScreenWords('statistics')
  const formats = useFormats()
  return (
    <Card title={words.heat} note={words.heatNote}>
      <Heat
        label={words.heat}
        days={words.weekdays}
        titleOf={(day, hour, share) => words.heatCell(day, hour, formats.percent(share))}
        of={hours.flatMap((cell) => {
          const share = shareOf(cell)
          return share === undefined ? [] : [{ weekday: cell.weekday, hour: cell.hour, share }]
        })}
      />
    </Card>
  )
}

export function Card({
  title,
  note,
  aside,
  children,
}: {
  readonly title: string
  readonly note?: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <section className={css.card}>
      <div className={css.cardHead}>
        <h2>{title}</h2>
        {aside}
      </div>
      {note !== undefined && <p>{note}</p>}
      {children}
    </section>
  )
}
