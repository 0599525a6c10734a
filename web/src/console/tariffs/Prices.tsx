import { AddButton } from '../../parts/forms/AdminButton.tsx'
import { Section } from '../../parts/text/Page.tsx'
import { useScreenWords } from '../../words/words.ts'
import { AddPrice } from './AddPrice.tsx'
import { AddTariff } from './AddTariff.tsx'
import css from './tariffs.module.css'
import { VersionRow } from './Version.tsx'
import { type TariffsPage, versionsOf } from './versions.ts'

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
      {page.tariffs.map((tariff) => (
        <TariffRows key={tariff.code} tariff={tariff} />
      ))}
    </Section>
  )
}

function TariffRows({ tariff }: { readonly tariff: Tariff }) {
  const words = useScreenWords('tariffs')
  const rows = versionsOf(tariff.prices, ({ method, mode, country }) => `${method} ${mode} ${country}`, Date.now())
  return rows.map(([key, versions]) => (
    <VersionRow
      key={key}
      versions={versions}
      titleOf={(one) => `${tariff.name}: ${words.kinds[kindOf(one)]}`}
      amountOf={({ price }) => price}
    />
  ))
}

function kindOf({ method, mode }: Price) {
  if (method === 'checkPhone') return 'checkPhone'
  return mode === '' ? 'inbound' : mode
}
