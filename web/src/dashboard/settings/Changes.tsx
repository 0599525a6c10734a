import { useQueryClient } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { Fragment } from 'react'
import { Button } from '../../parts/forms/Button.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange, useSells } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { useCountryName, useSettingValue } from './setting-value.ts'
import css from './settings.module.css'
import { useSettings } from './settings-context.ts'
import { type CapName, capOf, itemsOf, type SettingChange, usedOf } from './settings-data.ts'
import { textsOf } from './use-draft.ts'

// What would be saved: was → becomes.
export function Changes() {
  const words = useScreenWords('settings')
  const { draft, canChange } = useSettings()
  const { save, isPending, error, reset } = useSave()
  const { changes, mistakes, conflicts } = draft
  const stopsNow = useIsCapPassed()
  const discard = () => {
    reset()
    draft.drop(...changes.map(({ name }) => name))
  }
  if (!canChange)
    return (
      <section className={css.changes}>
        <p>{words.readOnly}</p>
      </section>
    )
  return (
    <section
      className={css.changes}
      id="changes"
      aria-label={words.review}
      data-empty={changes.length === 0 ? '' : undefined}
    >
      <h2 aria-live="polite">{changes.length === 0 ? words.noChanges : words.changes(changes.length)}</h2>
      {changes.length === 0 ? (
        <p>{words.noChangesText}</p>
      ) : (
        <>
          <ul>
            {draft.previewed.map((change) => (
              <ChangeRow key={change.name} change={change} />
            ))}
          </ul>
          <Mistake error={error} />
          <div className={css.save}>
            <Button look="ink" disabled={isPending || mistakes.length > 0 || conflicts.length > 0} onClick={save}>
              {stopsNow ? words.saveAndRefuse : words.save}
            </Button>
            <Button look="ghost" onClick={discard}>
              {words.discard}
            </Button>
          </div>
          <p className={css.fine}>{words.effect}</p>
        </>
      )}
    </section>
  )
}

// Saved, a cap that was changed refuses every request at once.
function useIsCapPassed(): boolean {
  const { page, draft } = useSettings()
  return Object.entries(usedOf(page)).some(([name, used]) => {
    const cap = capOf(draft.texts[name as CapName])
    return draft.changes.some((change) => change.name === name) && cap !== undefined && used >= cap
  })
}

function useSave() {
  const words = useScreenWords('settings')
  const { page, draft } = useSettings()
  const client = useQueryClient()
  const { mutate, ...state } = useChange('save-settings', ['services'])
  const { changes } = draft
  const settings = textsOf(changes)
  const was = Object.fromEntries(changes.map(({ name, was: before }) => [name, before]))
  const done = () => {
    // Shown at once; the read that follows brings what another tab has saved.
    const saved = { ...page, settings: { ...page.settings, ...settings } }
    client.setQueryData(['service-settings', { serviceId: String(page.id) }], saved)
    draft.drop(...changes.map(({ name }) => name))
    showNotice({ text: words.saved })
  }
  const readAgain = () => {
    client.invalidateQueries({ queryKey: ['service-settings'] }).catch(() => undefined)
  }
  const save = () => mutate({ serviceId: page.id, settings, was }, { onSuccess: done, onSettled: readAgain })
  return { ...state, save }
}

function ChangeRow({ change }: { readonly change: SettingChange }) {
  const words = useScreenWords('settings')
  const shown = useSettingValue()
  const { page, draft } = useSettings()
  const { name, was, becomes } = change
  const isConflict = draft.conflicts.includes(name)
  return (
    <li>
      {name === 'geography' ? (
        <Countries change={change} />
      ) : (
        <Difference title={words.labels[name]} was={shown(name, was)} becomes={shown(name, becomes)} />
      )}
      <Effect name={name} />
      {draft.mistakes.includes(name) && <p className={css.wrong}>{words.mistakes[name]}</p>}
      {isConflict && (
        <div className={css.conflict} role="alert">
          <p>{words.meanwhile(shown(name, page.settings[name]))}</p>
          <Button isSmall onClick={() => draft.keep(name)}>
            {words.keepMine}
          </Button>
          <Button isSmall onClick={() => draft.drop(name)}>
            {words.takeTheirs}
          </Button>
        </div>
      )}
    </li>
  )
}

// What the change would have refused of the last 30 days.
function Effect({ name }: { readonly name: SettingChange['name'] }) {
  const { past } = useScreenWords('settings')
  const { draft } = useSettings()
  const effect = draft.effects.find((one) => one.name === name)
  return effect ? <small className={css.past}>{past[effect.unit](effect.count)}</small> : null
}

// Country by country.
function Countries({ change: { was, becomes } }: { readonly change: SettingChange }) {
  const { rules, stillRefused } = useScreenWords('settings')
  const nameOf = useCountryName()
  const { page } = useSettings()
  const sells = useSells()
  const isSold = (country: string) =>
    !sells || page.countries.some(({ code, price }) => code === country && price !== null)
  const before = itemsOf(was)
  const after = itemsOf(becomes)
  const { allow, block } = rules
  return (
    <>
      {after
        .filter((code) => !before.includes(code))
        .map((code) => (
          <Fragment key={code}>
            <Difference title={nameOf(code)} was={block} becomes={allow} />
            {!isSold(code) && <small className={css.past}>{stillRefused}</small>}
          </Fragment>
        ))}
      {before
        .filter((code) => !after.includes(code))
        .map((code) => (
          <Difference key={code} title={nameOf(code)} was={allow} becomes={block} />
        ))}
    </>
  )
}

function Difference({
  title,
  was,
  becomes,
}: {
  readonly title: string
  readonly was: string
  readonly becomes: string
}) {
  return (
    <span className={css.difference}>
      <b>{title}</b>
      <s>{was}</s>
      <ArrowRight size={12} aria-hidden="true" />
      <ins>{becomes}</ins>
    </span>
  )
}
