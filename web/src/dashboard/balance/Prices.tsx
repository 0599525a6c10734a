import { pricedKinds } from '@ringproof/contract/lists/money.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useFormats } from '../../formats.ts'
import { PriceTable } from '../../parts/tables/PriceTable.tsx'
import { useScreenWords } from '../../words/words.ts'
import css from './balance.module.css'

export function Prices({ shown: { prices, tariff } }: { readonly shown: WebOutput<'balance'> }) {
  const words = useScreenWords('balance')
  const formats = useFormats()
  return (
    <section className={css.section}>
      <h2>{words.prices}</h2>
      <p className={css.note}>{words.pricesNote(tariff)}</p>
      <PriceTable
        caption={words.prices}
        country={words.country}
        others={words.others}
        kinds={pricedKinds.map((kind) => ({ kind, head: words.priceKinds[kind] }))}
        cells={prices.map(({ price, ...cell }) => ({ ...cell, text: formats.price(price) }))}
      />
    </section>
  )
}
