// What prices and costs have in common: their table, and the fields of a new one.

import { type ReactNode, use } from 'react'
import { TimeZoneContext, useFormats } from '../../formats.ts'
import { Field } from '../../parts/forms/Form.tsx'
import { PriceTable } from '../../parts/tables/PriceTable.tsx'
import { useScreenWords } from '../../words/words.ts'
import css from './tariffs.module.css'
import { isCountry, parseAmount, parseTime, versionsOf } from './versions.ts'

type Words = ReturnType<typeof useScreenWords<'tariffs'>>

type Dated = { readonly validFrom: number; readonly country: string }

// Country by kind: the one in force, and what is planned. Since when, and how many there were before, is in the note.
export function VersionTable<One extends Dated, Kind extends keyof Words['kinds']>({
  title,
  of,
  kinds,
  kindOf,
  amountOf,
}: {
  readonly title: string
  readonly of: readonly One[]
  readonly kinds: readonly Kind[]
  readonly kindOf: (one: One) => Kind
  readonly amountOf: (one: One) => number
}) {
  const words = useScreenWords('tariffs')
  const formats = useFormats()
  const cells = versionsOf(of, (one) => `${kindOf(one)} ${one.country}`, Date.now()).flatMap(([, versions]) => {
    const { now, later, earlier } = versions
    const one = now ?? later[0]
    if (one === undefined) return []
    const notes = [
      ...later.map((next) => words.from(formats.dayClock(next.validFrom), formats.price(amountOf(next)))),
      ...(now === undefined ? [] : [words.since(formats.dayClock(now.validFrom))]),
      ...(earlier === 0 ? [] : [words.earlier(earlier)]),
    ]
    const country = one.country === '*' ? '' : one.country
    const text = now === undefined ? '–' : formats.price(amountOf(now))
    return [{ country, kind: kindOf(one), text, note: notes.join('; ') }]
  })
  return (
    <section className={css.versions} aria-label={title}>
      <h3>{title}</h3>
      <PriceTable
        caption={title}
        country={words.country}
        others={words.any}
        kinds={kinds.map((kind) => ({ kind, head: words.kinds[kind] }))}
        cells={cells}
      />
    </section>
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
