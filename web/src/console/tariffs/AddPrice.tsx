// A new version of a price. Before it is published, it is applied to the calls of the last thirty days.

import { use, useState } from 'react'
import { errorOf } from '../../api.ts'
import { TimeZoneContext, useFormats } from '../../formats.ts'
import { Ask } from '../../parts/Ask.tsx'
import { Field, Select } from '../../parts/Form.tsx'
import { showNotice } from '../../parts/notice.ts'
import { Mistake } from '../../parts/State.tsx'
import { useChange, useReadWith } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './tariffs.module.css'
import { isCountry, parseAmount, parseTime, type TariffsPage } from './versions.ts'

const items = {
  flash: { method: 'initCall', mode: 'flash' },
  voice: { method: 'initCall', mode: 'voice' },
  mix: { method: 'initCall', mode: 'mix' },
  inbound: { method: 'inboundCallWaiting', mode: '' },
  checkPhone: { method: 'checkPhone', mode: '' },
} as const
type Kind = keyof typeof items
const kinds = Object.keys(items) as Kind[]

type Typed = {
  readonly tariff: string
  readonly kind: Kind
  readonly country: string
  readonly price: string
  readonly from: string
}

export function AddPrice({
  tariffs,
  onClose,
}: {
  readonly tariffs: TariffsPage['tariffs']
  readonly onClose: () => void
}) {
  const words = useScreenWords('tariffs')
  const formats = useFormats()
  const timeZone = use(TimeZoneContext)
  const [typed, setTyped] = useState<Typed>({
    tariff: tariffs[0]?.code ?? 'uni',
    kind: 'flash',
    country: '*',
    price: '',
    from: '',
  })
  const { mutate, isPending, error } = useChange('set-price', ['tariffs'])
  const price = parseAmount(typed.price)
  const change =
    price === undefined || !isCountry(typed.country)
      ? undefined
      : { tariff: typed.tariff, ...items[typed.kind], country: typed.country, price }
  const isRefused = error !== null && errorOf(error) === 'invalid'
  const publish = (input: NonNullable<typeof change>) =>
    mutate(
      { ...input, validFrom: parseTime(typed.from, timeZone) },
      {
        onSuccess: ({ validFrom }) => {
          onClose()
          showNotice({ text: words.published(formats.dayClock(validFrom)) })
        },
      },
    )
  return (
    <Ask
      title={words.addPrice}
      action={words.publish}
      isReady={change !== undefined}
      isBusy={isPending}
      error={isRefused ? null : error}
      onDo={() => change && publish(change)}
      onClose={onClose}
    >
      <Fields
        typed={typed}
        tariffs={tariffs}
        isRefused={isRefused}
        onChange={(some) => setTyped({ ...typed, ...some })}
      />
      {change && <Preview change={change} />}
    </Ask>
  )
}

function Fields({
  typed,
  tariffs,
  isRefused,
  onChange,
}: {
  readonly typed: Typed
  readonly tariffs: TariffsPage['tariffs']
  readonly isRefused: boolean
  readonly onChange: (some: Partial<Typed>) => void
}) {
  const words = useScreenWords('tariffs')
  return (
    <div className={css.pair}>
      <Select label={words.tariff} value={typed.tariff} onChange={({ target }) => onChange({ tariff: target.value })}>
        {tariffs.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        label={words.what}
        value={typed.kind}
        onChange={({ target }) => onChange({ kind: kinds.find((kind) => kind === target.value) ?? 'flash' })}
      >
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {words.kinds[kind]}
          </option>
        ))}
      </Select>
      <Field
        label={words.country}
        hint={words.countryHint}
        maxLength={2}
        value={typed.country}
        error={isCountry(typed.country) ? undefined : words.countryHint}
        onChange={(event) => onChange({ country: event.target.value.trim().toUpperCase() })}
      />
      <Field
        label={words.price}
        isFirst
        inputMode="decimal"
        maxLength={16}
        value={typed.price}
        error={typed.price !== '' && parseAmount(typed.price) === undefined ? words.badAmount : undefined}
        onChange={(event) => onChange({ price: event.target.value })}
      />
      <Field
        label={words.validFrom}
        hint={words.now}
        type="datetime-local"
        value={typed.from}
        error={isRefused ? words.failed : undefined}
        onChange={(event) => onChange({ from: event.target.value })}
      />
    </div>
  )
}

function Preview({
  change,
}: {
  readonly change: { readonly tariff: string; readonly country: string; readonly price: string } & (typeof items)[Kind]
}) {
  const words = useScreenWords('tariffs')
  const formats = useFormats()
  const { data, error } = useReadWith('price-preview', change)
  if (data === undefined) return <Mistake error={error} />
  const arrow = (before: number, after: number) => `${formats.money(before)} → ${formats.money(after)}`
  return (
    <div className={css.preview} role="status">
      <small>{words.preview}</small>
      {data.paid === 0 ? (
        <p>{words.previewNone}</p>
      ) : (
        <>
          <p>
            {words.revenue}: <b>{arrow(data.revenueBefore, data.revenueAfter)}</b>
          </p>
          <p>
            {words.margin}: <b>{arrow(data.marginBefore, data.marginAfter)}</b>
          </p>
          <small>{words.affected(data.paid)}</small>
        </>
      )}
      {data.withoutCost > 0 && <small>{words.incomplete(data.withoutCost)}</small>}
    </div>
  )
}
