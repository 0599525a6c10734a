import { Link } from '@tanstack/react-router'
import { ChartColumn } from 'lucide-react'
import { useFormats } from '../../formats.ts'
import { Bars, Figures } from '../../parts/charts/Charts.tsx'
import { buttonClass } from '../../parts/forms/Button.tsx'
import { PageHead } from '../../parts/text/Page.tsx'
import { Empty, Loaded } from '../../parts/text/State.tsx'
import { useSells } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import { Card, HourAndWeekday, Providers, RingTimes } from './Cards.tsx'
import { ComparePeriods } from './ComparePeriods.tsx'
import { Fallen } from './Fallen.tsx'
import { type AddressOf, type Data, figuresOf } from './figures.ts'
import { PeriodChoice } from './PeriodChoice.tsx'
import css from './statistics.module.css'
import { useStatistics } from './use-statistics.ts'

export function Statistics() {
  const words = useScreenWords('statistics')
  const { query, period, isCompared, choosePeriod, change, addressOf } = useStatistics()
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <PeriodChoice value={period} onChange={choosePeriod} />
      </PageHead>
      <Loaded query={query}>
        {(data) => (
          <>
            <ComparePeriods data={data} isChosen={isCompared || period === undefined} change={change} />
            {data.total.calls === 0 ? <Nothing /> : <Page data={data} addressOf={addressOf} isCompared={isCompared} />}
          </>
        )}
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

function Page({
  data,
  addressOf,
  isCompared,
}: {
  readonly data: Data
  readonly addressOf: AddressOf
  readonly isCompared: boolean
}) {
  const words = useScreenWords('statistics')
  const sells = useSells()
  const { mode } = useWords()
  const formats = useFormats()
  return (
    <>
      <Figures
        of={figuresOf(data, isCompared ? { ...words, than: words.thanChosen } : words, formats, addressOf, sells)}
      />
      <div className={css.needs}>
        <Fallen data={data} addressOf={addressOf} />
      </div>
      <Providers data={data} addressOf={addressOf} />
      <div className={css.two}>
        <RingTimes data={data} />
        <Card title={sells ? words.modes : words.callsByMode}>
          <Bars
            of={data.modes.map((row) => ({
              name: mode[row.mode],
              value: sells ? row.charged : row.calls,
              text: sells ? formats.money(row.charged) : formats.number(row.calls),
              to: addressOf({ mode: row.mode }),
            }))}
          />
        </Card>
      </div>
      <div className={css.two}>
        <HourAndWeekday data={data} />
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
