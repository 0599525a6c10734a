import { Link } from '@tanstack/react-router'
import { ChartColumn } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFormats } from '../../formats.ts'
import { buttonClass } from '../../parts/Button.tsx'
import { Bars, Dots, Figures, Heat, TimeLines } from '../../parts/Charts.tsx'
import { PageHead } from '../../parts/Page.tsx'
import { Empty, Loaded } from '../../parts/State.tsx'
import { dashboardAddress } from '../../shell/places.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import { Fallen } from './Fallen.tsx'
import { type AddressOf, type Data, figuresOf, pointsText, shareOf, ticksOf } from './figures.ts'
import { PeriodChoice } from './PeriodChoice.tsx'
import css from './statistics.module.css'
import { useStatistics } from './use-statistics.ts'

export function Statistics() {
  const words = useScreenWords('statistics')
  const { query, period, choosePeriod, addressOf } = useStatistics()
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <PeriodChoice value={period} onChange={choosePeriod} />
      </PageHead>
      <Loaded query={query}>
        {(data) => (data.total.calls === 0 ? <Nothing /> : <Page data={data} addressOf={addressOf} />)}
      </Loaded>
    </>
  )
}

function Nothing() {
  const words = useScreenWords('statistics')
  return (
    <Empty icon={ChartColumn} title={words.empty} text={words.emptyText}>
      <Link className={buttonClass('ink')} to={dashboardAddress('phones', 'test')}>
        {words.emptyAct}
      </Link>
    </Empty>
  )
}

function Page({ data, addressOf }: { readonly data: Data; readonly addressOf: AddressOf }) {
  const words = useScreenWords('statistics')
  const { mode } = useWords()
  const formats = useFormats()
  return (
    <>
      <Figures of={figuresOf(data, words, formats, addressOf)} />
      <div className={css.needs}>
        <Fallen data={data} addressOf={addressOf} />
      </div>
      <Card title={words.providers} note={words.providersNote}>
        <Dots
          heads={[words.now, words.usual]}
          percent={formats.percent}
          points={(change) => pointsText(change, words, formats)}
          of={data.providers.map(({ provider, dialled, rang, ...row }) => ({
            ...row,
            name: provider || words.unknown,
            note: words.dialled(dialled),
            share: rang / dialled,
            to: addressOf({ provider }),
          }))}
        />
      </Card>
      <div className={css.two}>
        <Card title={words.time}>
          <RingTimes data={data} />
        </Card>
        <Card title={words.modes}>
          <Bars
            of={data.modes.map((row) => ({
              name: mode[row.mode],
              value: row.charged,
              text: formats.money(row.charged),
              to: addressOf({ mode: row.mode }),
            }))}
          />
        </Card>
      </div>
      <div className={css.two}>
        <Card title={words.heat} note={words.heatNote}>
          <Heat
            label={words.heat}
            days={words.weekdays}
            titleOf={(day, hour, share) => words.heatCell(day, hour, formats.percent(share))}
            of={data.hours.flatMap((cell) => {
              const share = shareOf(cell)
              return share === undefined ? [] : [{ weekday: cell.weekday, hour: cell.hour, share }]
            })}
          />
        </Card>
        <Card title={words.services}>
          <Bars
            of={data.services.map(({ id, name, calls }) => ({
              name: name || String(id),
              value: calls,
              text: formats.number(calls),
              to: addressOf({ service: String(id) }),
            }))}
          />
        </Card>
      </div>
    </>
  )
}

function RingTimes({ data: { bins, by, total } }: { readonly data: Data }) {
  const words = useScreenWords('statistics')
  const formats = useFormats()
  const text = (ms: number | null) => (ms === null ? '–' : words.seconds(formats.seconds(ms / 1_000)))
  const inSeconds = (ms: number | null) => (ms === null ? null : ms / 1_000)
  return (
    <>
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
        ticks={ticksOf(bins, by === 'hour' ? formats.clock : formats.day)}
      />
    </>
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
