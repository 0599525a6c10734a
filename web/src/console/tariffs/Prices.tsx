import { AddButton } from '../../parts/forms/AdminButton.tsx'
import { Section } from '../../parts/text/Page.tsx'
import { useScreenWords } from '../../words/words.ts'
import { AddPrice } from './AddPrice.tsx'
import { AddTariff } from './AddTariff.tsx'
import { type Kind, kinds } from './PriceKind.tsx'
import css from './tariffs.module.css'
import { VersionTable } from './Version.tsx'
import type { TariffsPage } from './versions.ts'

type Tariff = TariffsPage['tariffs'][number]
type Price = Tariff['prices'][number]

export function Prices({ page }: { readonly page: TariffsPage }) {
  const words = useScreenWords('tariffs')
  const add = (
    <span className={css.actions}>
      <AddButton text={words.addTariff}>{(onClose) => <AddTariff onClose={onClose} />}</AddButton>
      <AddButton text={words.addPrice}>{(onClose) => <AddPrice tariffs={page.tariffs} onClose={onClose} />}</AddButton>
    </span>
  )
  const isEmpty = page.tariffs.every(({ prices }) => prices.length === 0)
  return (
    <Section title={words.prices} lead={words.pricesLead} action={add}>
      {isEmpty && <p className={css.none}>{words.noPrices}</p>}
      {page.tariffs
        .filter(({ prices }) => prices.length > 0)
        .map(({ code, name, prices }) => (
          <VersionTable
            key={code}
            title={name}
            of={prices}
            kinds={kinds}
            kindOf={kindOf}
            amountOf={({ price }) => price}
          />
        ))}
    </Section>
  )
}

function kindOf({ method, mode }: Price): Kind {
  if (method === 'checkPhone') return 'checkPhone'
  return mode === '' ? 'inbound' : mode
}
