// Prices by country and by what they are for. A country without its own price has that of all others, in grey.

import { useFormats } from '../../formats.ts'
import css from './price-table.module.css'
import { type Column, Table } from './Table.tsx'

type Kind = { readonly kind: string; readonly head: string }
// Every other country is an empty text.
export type PriceCell = {
  readonly country: string
  readonly kind: string
  readonly text: string
  readonly note?: string
}

export function PriceTable({
  caption,
  country,
  others,
  kinds,
  cells,
}: {
  readonly caption: string
  readonly country: string
  readonly others: string
  readonly kinds: readonly Kind[]
  readonly cells: readonly PriceCell[]
}) {
  const formats = useFormats()
  const nameOf = (code: string) => (code === '' ? others : formats.country(code))
  const countries = [...new Set(cells.map((cell) => cell.country))].toSorted((one, other) =>
    one === '' ? 1 : other === '' ? -1 : nameOf(one).localeCompare(nameOf(other)),
  )
  const cellOf = (code: string, kind: string) => cells.find((cell) => cell.country === code && cell.kind === kind)
  const columns: readonly Column<string>[] = [
    { name: 'country', head: country, narrow: 1, cell: nameOf },
    ...kinds.map(({ kind, head }, index): Column<string> => {
      const place = ([2, 3, 4, 5, 6] as const)[index]
      return {
        name: kind,
        head,
        isRight: true,
        cell: (code) => <Price head={head} own={cellOf(code, kind)} other={cellOf('', kind)} />,
        ...(place === undefined ? {} : { narrow: place }),
      }
    }),
  ]
  return (
    <div className={css.prices}>
      <Table caption={caption} columns={columns} items={countries} keyOf={(code) => code} />
    </div>
  )
}

function Price({
  head,
  own,
  other,
}: {
  readonly head: string
  readonly own: PriceCell | undefined
  readonly other: PriceCell | undefined
}) {
  return (
    <>
      <small className={css.label}>{head}</small>{' '}
      {own === undefined ? <span className={css.soft}>{other?.text ?? '–'}</span> : own.text}
      {own?.note !== undefined && own.note !== '' && <small className={css.note}>{own.note}</small>}
    </>
  )
}
