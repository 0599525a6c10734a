import { Check, X } from 'lucide-react'
import { useFormats } from '../../formats.ts'
import { Options } from '../../parts/forms/Form.tsx'
import { classes } from '../../parts/text/classes.ts'
import { useSells } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { Marked, MarkedName } from './SettingRow.tsx'
import { SettingSection } from './SettingSection.tsx'
import { useCountryName } from './setting-value.ts'
import css from './settings.module.css'
import { useSettings } from './settings-context.ts'
import { itemsOf, type SettingsPage } from './settings-data.ts'

type Country = SettingsPage['countries'][number]

// Always in sight; the others are chosen from a list.
const neighbours = ['RU', 'KZ', 'BY', 'UZ', 'KG', 'AM', 'GE', 'AZ', 'TJ', 'TR']

export function Geography() {
  const words = useScreenWords('settings')
  const { page, draft, marked, markedCountry } = useSettings()
  const saved = itemsOf(page.settings.geography)
  const allowed = itemsOf(draft.texts.geography)
  const inSight = new Set([
    ...neighbours,
    ...saved,
    ...allowed,
    ...(markedCountry === undefined ? [] : [markedCountry]),
  ])
  const known = new Map(page.countries.map((country) => [country.code, country]))
  const shown = [...inSight].flatMap((code) => known.get(code) ?? [])
  const rest = page.countries.filter(({ code }) => !inSight.has(code))
  const allow = (code: string, isAllowed: boolean) =>
    draft.set(
      'geography',
      (isAllowed ? [...allowed.filter((one) => one !== code), code] : allowed.filter((one) => one !== code))
        // In the order in which they were saved, so that a change taken back is none.
        .toSorted((a, b) => orderOf(saved, a) - orderOf(saved, b))
        .join(','),
    )
  return (
    <SettingSection name="geography">
      <Marked as="div" name="geography">
        {marked.includes('geography') && markedCountry === undefined && (
          <p className={css.here}>
            <MarkedName name="geography">{words.here}</MarkedName>
          </p>
        )}
        <ul className={css.world}>
          {shown.map((country) => (
            <CountryRow
              key={country.code}
              country={country}
              isAllowed={allowed.includes(country.code)}
              wasAllowed={saved.includes(country.code)}
              isMarked={country.code === markedCountry}
              onChange={(isAllowed) => allow(country.code, isAllowed)}
            />
          ))}
          <Rest countries={rest} onAllow={(code) => allow(code, true)} />
        </ul>
      </Marked>
      <p className={css.fine}>{words.geographyNote}</p>
    </SettingSection>
  )
}

function orderOf(saved: readonly string[], code: string): number {
  const at = saved.indexOf(code)
  return at === -1 ? saved.length : at
}

function CountryRow({
  country: { code, dial, price },
  isAllowed,
  wasAllowed,
  isMarked,
  onChange,
}: {
  readonly country: Country
  readonly isAllowed: boolean
  readonly wasAllowed: boolean
  readonly isMarked: boolean
  readonly onChange: (isAllowed: boolean) => void
}) {
  const words = useScreenWords('settings')
  const formats = useFormats()
  const sells = useSells()
  const { page, canChange } = useSettings()
  const name = useCountryName()(code)
  const isUnsaved = isAllowed !== wasAllowed
  const isRecommended = itemsOf(page.recommended.geography ?? '').includes(code)
  return (
    <li className={classes(!isAllowed && css.block, isUnsaved && css.unsaved)} data-marked={isMarked ? '' : undefined}>
      <div>
        <b>{isMarked ? <mark className={css.mark}>{name}</mark> : name}</b>
        <small>
          <span>{dial}</span>
          {sells && <span>{price === null ? words.notSold : formats.price(price)}</span>}
          {isUnsaved ? (
            <span>{words.was(wasAllowed ? words.rules.allow : words.rules.block)}</span>
          ) : (
            isRecommended && <span>{words.recommended(words.rules.allow)}</span>
          )}
        </small>
      </div>
      <span className={css.rules} role="group" aria-label={words.ruleFor(name)}>
        {([true, false] as const).map((one) => (
          <button
            key={String(one)}
            type="button"
            aria-pressed={one === isAllowed}
            aria-label={one ? words.rules.allow : words.rules.block}
            disabled={!canChange}
            className={one ? css.isAllow : undefined}
            onClick={() => onChange(one)}
          >
            {one ? <Check size={14} strokeWidth={2.2} /> : <X size={14} strokeWidth={2.2} />}
            {one === isAllowed && (one ? words.rules.allow : words.rules.block)}
          </button>
        ))}
      </span>
    </li>
  )
}

function Rest({
  countries,
  onAllow,
}: {
  readonly countries: readonly Country[]
  readonly onAllow: (code: string) => void
}) {
  const words = useScreenWords('settings')
  const { canChange } = useSettings()
  const nameOf = useCountryName()
  const named = countries
    .map(({ code }) => ({ code, name: nameOf(code) }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <li className={classes(css.block, css.rest)}>
      <div>
        <b>{words.others}</b>
        <small>{words.othersCount(countries.length)}</small>
      </div>
      {canChange && (
        <select
          className={css.pick}
          aria-label={words.another}
          value=""
          onChange={({ target }) => target.value !== '' && onAllow(target.value)}
        >
          <option value="">{words.another}</option>
          <Options of={named.map(({ code, name }) => ({ value: code, text: name }))} />
        </select>
      )}
    </li>
  )
}
