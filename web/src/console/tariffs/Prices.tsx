import { useFormats } from '../../formats.ts'
import { AddButton } from '../../parts/AdminButton.tsx'
import { Row, Section } from '../../parts/Page.tsx'
import { useScreenWords } from '../../words/words.ts'
import { AddPrice } from './AddPrice.tsx'
import css from './tariffs.module.css'
import { type TariffsPage, type Versions, versionsOf } from './versions.ts'

type Tariff = TariffsPage['tariffs'][number]
type Price = Tariff['prices'][number]

export function Prices({ page }: { readonly page: TariffsPage }) {
  const words = useScreenWords('tariffs')
  const add = (
    <AddButton text={words.addPrice}>{(onClose) => <AddPrice tariffs={page.tariffs} onClose={onClose} />}</AddButton>
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
  const rows = versionsOf(tariff.prices, ({ method, mode, country }) => `${method} ${mode} ${country}`, Date.now())
  return rows.map(([key, versions]) => <PriceRow key={key} tariff={tariff} versions={versions} />)
}

function PriceRow({ tariff, versions }: { readonly tariff: Tariff; readonly versions: Versions<Price> }) {
  const words = useScreenWords('tariffs')
  const formats = useFormats()
  const { now, later, earlier } = versions
  const one = now ?? later[0]
  if (one === undefined) return null
  const place = one.country === '*' ? words.any : one.country
  const notes = [
    ...(now === undefined ? [] : [words.since(formats.dayClock(now.validFrom))]),
    ...later.map(({ validFrom, price }) => words.from(formats.dayClock(validFrom), formats.price(price))),
    ...(earlier === 0 ? [] : [words.earlier(earlier)]),
  ]
  return (
    <Row title={`${tariff.name}: ${words.kinds[kindOf(one)]}, ${place}`} note={notes.join('; ')}>
      <b className={css.strong}>{now === undefined ? '–' : formats.price(now.price)}</b>
    </Row>
  )
}

function kindOf({ method, mode }: Price) {
  if (method === 'checkPhone') return 'checkPhone'
  return mode === '' ? 'inbound' : mode
}
