// Prices with their versions, what carriers take, and what is left by destination.

import { useFormats } from '../../formats.ts'
import { Figures } from '../../parts/charts/Charts.tsx'
import { type Column, Table } from '../../parts/tables/Table.tsx'
import { PageHeadline, useLost } from '../../parts/text/Headline.tsx'
import { Loaded } from '../../parts/text/State.tsx'
import { useRead } from '../../queries.ts'
import { dayMs } from '../../time.ts'
import { useScreenWords } from '../../words/words.ts'
import { AddCostButton, Costs } from './Costs.tsx'
import { Prices } from './Prices.tsx'
import css from './tariffs.module.css'
import { tariffsHeadline } from './tariffs-headline.ts'
import type { TariffsPage } from './versions.ts'

type Destination = TariffsPage['destinations'][number]

export function Tariffs() {
  return <Loaded query={useRead('tariffs')}>{(page) => <Page page={page} />}</Loaded>
}

function Page({ page }: { readonly page: TariffsPage }) {
  const words = useScreenWords('tariffs')
  const formats = useFormats()
  const { total, from, until } = page
  const lost = useLost()
  return (
    <>
      <PageHeadline
        headline={tariffsHeadline(
          total,
          words.lead(formats.day(from), formats.day(until - dayMs)),
          lost,
          words,
          formats,
        )}
      >
        {total.calls > 0 && total.withoutCost > 0 && <AddCostButton trunks={page.trunks} look="ink" />}
      </PageHeadline>
      <Figures
        of={[
          { name: words.figures.revenue, value: formats.money(total.revenue) },
          { name: words.figures.cost, value: formats.money(total.cost) },
          {
            name: words.figures.margin,
            value: isKnown(total) ? formats.money(total.margin) : '–',
            isWorse: total.margin < 0,
          },
          { name: words.figures.calls, value: formats.number(total.calls) },
        ]}
      />
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
          {country === '' ? words.unknown : formats.country(country)}, {words.kinds[mode]}
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
      cell: ({ margin, ...row }) =>
        isKnown(row) ? <b className={margin < 0 ? css.bad : css.strong}>{formats.money(margin)}</b> : '–',
    },
    {
      name: 'share',
      head: heads.share,
      isRight: true,
      narrow: 6,
      cell: ({ margin, revenue, ...row }) => (revenue === 0 || !isKnown(row) ? '–' : formats.percent(margin / revenue)),
    },
  ]
}

// Without any cost the margin is not the revenue but unknown.
function isKnown({ cost, withoutCost }: Pick<Destination, 'cost' | 'withoutCost'>): boolean {
  return withoutCost === 0 || cost > 0
}
