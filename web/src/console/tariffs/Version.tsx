// What prices and costs have in common: a row of the list, and the fields of a new one.

import { type ReactNode, use } from 'react'
import { TimeZoneContext, useFormats } from '../../formats.ts'
import { Field } from '../../parts/forms/Form.tsx'
import { Row } from '../../parts/text/Page.tsx'
import { useScreenWords } from '../../words/words.ts'
import css from './tariffs.module.css'
import { isCountry, parseAmount, parseTime, type Versions } from './versions.ts'

type Dated = { readonly validFrom: number; readonly country: string }

export function VersionRow<One extends Dated>({
  versions: { now, later, earlier },
  titleOf,
  amountOf,
}: {
  readonly versions: Versions<One>
  readonly titleOf: (one: One) => string
  readonly amountOf: (one: One) => number
}) {
  const words = useScreenWords('tariffs')
  const formats = useFormats()
  const one = now ?? later[0]
  if (one === undefined) return null
  const notes = [
    ...(now === undefined ? [] : [words.since(formats.dayClock(now.validFrom))]),
    ...later.map((next) => words.from(formats.dayClock(next.validFrom), formats.price(amountOf(next)))),
    ...(earlier === 0 ? [] : [words.earlier(earlier)]),
  ]
  return (
    <Row title={`${titleOf(one)}, ${one.country === '*' ? words.any : one.country}`} note={notes.join('; ')}>
      <b className={css.strong}>{now === undefined ? '–' : formats.price(amountOf(now))}</b>
    </Row>
  )
}

type TypedVersion = { readonly country: string; readonly amount: string; readonly from: string }

export const noVersion: TypedVersion = { country: '*', amount: '', from: '' }

export function VersionFields({
  typed,
  label,
  isRefused,
  onChange,
  children,
}: {
  readonly typed: TypedVersion
  // Of the amount.
  readonly label: (currency: string) => string
  readonly isRefused: boolean
  readonly onChange: (some: Partial<TypedVersion>) => void
  readonly children: ReactNode
}) {
  const words = useScreenWords('tariffs')
  const formats = useFormats()
  const { country, amount, from } = typed
  return (
    <div className={css.pair}>
      {children}
      <Field
        label={words.country}
        hint={words.countryHint}
        maxLength={2}
        value={country}
        error={isCountry(country) ? undefined : words.countryHint}
        onChange={({ target }) => onChange({ country: target.value.trim().toUpperCase() })}
      />
      <Field
        label={label(formats.symbol)}
        isFirst
        inputMode="decimal"
        maxLength={16}
        value={amount}
        error={amount !== '' && parseAmount(amount) === undefined ? words.badAmount : undefined}
        onChange={({ target }) => onChange({ amount: target.value })}
      />
      <Field
        label={words.validFrom}
        hint={words.now}
        type="datetime-local"
        value={from}
        error={isRefused ? words.failed : undefined}
        onChange={({ target }) => onChange({ from: target.value })}
      />
    </div>
  )
}

// What was typed, if a version can be made of it.
export function useVersion({ country, amount, from }: TypedVersion) {
  const timeZone = use(TimeZoneContext)
  const parsed = parseAmount(amount)
  if (parsed === undefined || !isCountry(country)) return undefined
  return { country, amount: parsed, validFrom: parseTime(from, timeZone) }
}
