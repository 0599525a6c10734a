// Prices with their versions, what carriers take, and what is left by destination.

import { useFormats } from '../../formats.ts'
import { Figures } from '../../parts/charts/Charts.tsx'
import { type Column, Table } from '../../parts/tables/Table.tsx'
import { PageHead } from '../../parts/text/Page.tsx'
import { Loaded } from '../../parts/text/State.tsx'
import { useRead } from '../../queries.ts'
import { dayMs } from '../../time.ts'
import { useScreenWords } from '../../words/words.ts'
import { Costs } from './Costs.tsx'
import { Prices } from './Prices.tsx'
import css from './tariffs.module.css'
import type { TariffsPage } from './versions.ts'

type Destination = TariffsPage['destinations'][number]

export function Tariffs() {
  return <Loaded query={useRead('tariffs')}>{(page) => <Page page={page} />}</Loaded>
}

function Page({ page }: { readonly page: TariffsPage }) {
  const words = useScreenWords('tariffs')
  const formats = useFormats()
  const { total, from, until } = page
  return (
    <>
      <PageHead
        title={total.revenue === 0 ? words.noTraffic : words.title(formats.percent(total.margin / total.revenue))}
        lead={words.lead(formats.day(from), formats.day(until - dayMs))}
      />
      <Figures
        of={[
          { name: words.figures.revenue, value: formats.money(total.revenue) },
          { name: words.figures.cost, value: formats.money(total.cost) },
          { name: words.figures.margin, value: formats.money(total.margin), isWorse: total.margin < 0 },
          { name: words.figures.calls, value: formats.number(total.calls) },
        ]}
      />
      {total.withoutCost > 0 && <p className={css.warn}>{words.incomplete(total.withoutCost)}</p>}
      <section className={css.section}>
        <h2>{words.destinations}</h2>
        <p>{words.destinationsLead}</p>
        {page.destinations.length === 0 ? (
          <p className={css.none}>{words.none}</p>
        ) : (
          <Table
            caption={words.destinations}
            columns={useColumns()}
            items={page.destinations}
            keyOf={({ country, mode }) => `${country} ${mode}`}
          />
        )}
      </section>
      <Prices page={page} />
      <Costs page={page} />
    </>
  )
}

function useColumns(): readonly Column<Destination>[] {
  const words = useScreenWords('tariffs')
  const formats = useFormats()
  const { heads } = words
  return [
    {
      name: 'destination',
      head: heads.destination,
      narrow: 1,
      cell: ({ country, mode }) => (
        <b className={css.strong}>
          {country || words.unknown}, {words.kinds[mode]}
        </b>
      ),
    },
    { name: 'calls', head: heads.calls, isRight: true, narrow: 4, cell: ({ calls }) => formats.number(calls) },
    { name: 'revenue', head: heads.revenue, isRight: true, narrow: 5, cell: ({ revenue }) => formats.money(revenue) },
    {
      name: 'cost',
      head: heads.cost,
      isRight: true,
      isQuiet: true,
      cell: ({ cost, withoutCost }) => (withoutCost > 0 && cost === 0 ? words.noCost : formats.money(cost)),
    },
    {
      name: 'margin',
      head: heads.margin,
      isRight: true,
      narrow: 3,
      cell: ({ margin }) => <b className={margin < 0 ? css.bad : css.strong}>{formats.money(margin)}</b>,
    },
    {
      name: 'share',
      head: heads.share,
      isRight: true,
      narrow: 6,
      cell: ({ margin, revenue }) => (revenue === 0 ? '–' : formats.percent(margin / revenue)),
    },
  ]
}
