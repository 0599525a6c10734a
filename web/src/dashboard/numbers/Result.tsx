import { Download } from 'lucide-react'
import { useFormats } from '../../formats.ts'
import { Bars } from '../../parts/charts/Charts.tsx'
import { Tag } from '../../parts/charts/Ring.tsx'
import { Button } from '../../parts/forms/Button.tsx'
import { type Column, Table } from '../../parts/tables/Table.tsx'
import { saveFile } from '../../parts/text/save-file.ts'
import { useSells } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { csvOf } from './csv.ts'
import css from './numbers.module.css'
import type { CheckedRow, NumberCheck } from './use-number-check.ts'

const providersShown = 8
// A longer table would make the page slow; the file has every row.
const rowsShown = 200

export function Result({ check: { rows, charged, registryAt, running, priced } }: { readonly check: NumberCheck }) {
  const words = useScreenWords('numbers')
  const formats = useFormats()
  const sells = useSells()
  const columns = useColumns()
  if (rows.length === 0) return null
  const checked = rows.filter(({ state }) => state === 'checked')
  const all = priced?.preview.valid ?? checked.length
  const isUnpaid = !running.isBusy && rows.some(({ state }) => state === 'unpaid')
  return (
    <section className={css.result}>
      <div className={css.resultHead}>
        <div>
          <h2>{words.done(checked.length, all)}</h2>
          <p className={css.note} role="status">
            {sells && `${words.charged(formats.money(charged))} `}
            {registryAt === null ? words.noRegistry : words.registry(formats.fullDay(registryAt))}
          </p>
        </div>
        <Button onClick={() => saveFile('numbers.csv', csvOf(rows))}>
          <Download size={15} />
          {words.csv}
        </Button>
      </div>
      {isUnpaid && (
        <p className={css.warn} role="status">
          {words.ranOut(checked.length, all)}
        </p>
      )}
      {checked.length > 0 && (
        <>
          <h3>{words.split}</h3>
          <Bars of={providersOf(checked, words.unknown, words.others, formats)} />
        </>
      )}
      <Table caption={words.result} columns={columns} items={rows.slice(0, rowsShown)} keyOf={({ place }) => place} />
      {rows.length > rowsShown && <p className={css.note}>{words.more(rows.length - rowsShown)}</p>}
    </section>
  )
}

type Formats = ReturnType<typeof useFormats>

function providersOf(rows: readonly CheckedRow[], unknown: string, others: string, formats: Formats) {
  const counts = [...Map.groupBy(rows, ({ provider }) => provider).entries()]
    .map(([provider, list]) => ({ name: provider || unknown, value: list.length }))
    .toSorted((one, other) => other.value - one.value)
  const rest = counts.slice(providersShown).reduce((sum, { value }) => sum + value, 0)
  const shown = [...counts.slice(0, providersShown), ...(rest > 0 ? [{ name: others, value: rest }] : [])]
  return shown.map(({ name, value }) => ({
    name,
    value,
    text: `${formats.number(value)} · ${formats.percent(value / rows.length)}`,
  }))
}

function useColumns(): readonly Column<CheckedRow>[] {
  const words = useScreenWords('numbers')
  const { heads } = words
  const text = (value: string) => (value === '' ? '–' : value)
  return [
    { name: 'line', head: heads.line, cell: ({ place }) => place + 1, isQuiet: true, narrow: 1 },
    { name: 'number', head: heads.number, cell: ({ mask }) => <code>{text(mask)}</code>, narrow: 2 },
    {
      name: 'provider',
      head: heads.provider,
      cell: ({ state, provider, error }) =>
        state === 'checked' ? (
          text(provider)
        ) : (
          <span className={css.state}>
            <Tag status={state === 'invalid' ? 'failed' : 'waiting'}>{words.states[state]}</Tag>
            <span className={css.why}>{error}</span>
          </span>
        ),
      narrow: 5,
    },
    { name: 'organisation', head: heads.organisation, cell: ({ organisation }) => text(organisation), isQuiet: true },
    { name: 'country', head: heads.country, cell: ({ country }) => text(country), narrow: 3 },
    { name: 'region', head: heads.region, cell: ({ region }) => text(region), isQuiet: true },
    { name: 'city', head: heads.city, cell: ({ city }) => text(city), isQuiet: true, narrow: 6 },
    {
      name: 'code',
      head: heads.networkCode,
      cell: ({ networkCode }) => (networkCode === 0 ? '–' : String(networkCode).padStart(2, '0')),
      isRight: true,
    },
  ]
}
