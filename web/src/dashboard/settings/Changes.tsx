import { useQueryClient } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { Button } from '../../parts/forms/Button.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { useCountryName, useSettingValue } from './setting-value.ts'
import css from './settings.module.css'
import { useSettings } from './settings-context.ts'
import { itemsOf, type SettingChange } from './settings-data.ts'
import { textsOf } from './use-draft.ts'

// What would be saved: was → becomes.
export function Changes() {
  const words = useScreenWords('settings')
  const { draft, canChange } = useSettings()
  const { save, isPending, error, reset } = useSave()
  const { changes, mistakes, conflicts } = draft
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
              {words.save}
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

// Country by country.
function Countries({ change: { was, becomes } }: { readonly change: SettingChange }) {
  const { rules } = useScreenWords('settings')
  const nameOf = useCountryName()
  const before = itemsOf(was)
  const after = itemsOf(becomes)
  const { allow, block } = rules
  return (
    <>
      {after
        .filter((code) => !before.includes(code))
        .map((code) => (
          <Difference key={code} title={nameOf(code)} was={block} becomes={allow} />
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
