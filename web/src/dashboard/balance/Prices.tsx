import { pricedKinds } from '@ringproof/contract/lists/money.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useFormats } from '../../formats.ts'
import { type Column, Table } from '../../parts/tables/Table.tsx'
import { useLanguage, useScreenWords } from '../../words/words.ts'
import css from './balance.module.css'

// A country's own price, or that of every other country.
export function Prices({ shown: { prices, tariff } }: { readonly shown: WebOutput<'balance'> }) {
  const words = useScreenWords('balance')
  const { language } = useLanguage()
  const formats = useFormats()
  const names = new Intl.DisplayNames(language, { type: 'region' })
  const countries = [...new Set(prices.map(({ country }) => country))].toSorted((one, other) =>
    one === '' ? 1 : other === '' ? -1 : one.localeCompare(other),
  )
  const priceOf = (country: string, kind: (typeof pricedKinds)[number]) =>
    prices.find((price) => price.country === country && price.kind === kind)?.price
  const columns: readonly Column<string>[] = [
    {
      name: 'country',
      head: words.country,
      cell: (country) => (country === '' ? words.others : (names.of(country) ?? country)),
      narrow: 1,
    },
    ...pricedKinds.map((kind, index): Column<string> => {
      const place = ([2, 3, 4, 5, 6] as const)[index]
      return {
        name: kind,
        head: words.priceKinds[kind],
        isRight: true,
        cell: (country) => {
          const price = priceOf(country, kind) ?? priceOf('', kind)
          return (
            <>
              <small className={css.label}>{words.priceKinds[kind]}</small>{' '}
              {price === undefined ? '–' : formats.price(price)}
            </>
          )
        },
        ...(place === undefined ? {} : { narrow: place }),
      }
    }),
  ]
  return (
    <section className={css.section}>
      <h2>{words.prices}</h2>
      <p className={css.note}>{words.pricesNote(tariff)}</p>
      <div className={css.prices}>
        <Table caption={words.prices} columns={columns} items={countries} keyOf={(country) => country} />
      </div>
    </section>
  )
}
