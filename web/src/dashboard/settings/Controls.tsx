import type { SettingName } from '@ringproof/contract/web/setting-names.ts'
import type { ReactNode } from 'react'
import { Options, Toggle } from '../../parts/forms/Form.tsx'
import { classes } from '../../parts/text/classes.ts'
import { useScreenWords } from '../../words/words.ts'
import { SettingRow } from './SettingRow.tsx'
import css from './settings.module.css'
import { useSettings } from './settings-context.ts'

type ControlProps = { readonly name: SettingName }

export function SwitchRow({ name }: ControlProps) {
  const words = useScreenWords('settings')
  const { draft, canChange } = useSettings()
  return (
    <SettingRow name={name}>
      {(id) => (
        <Toggle
          id={id}
          label={words.labels[name]}
          isOn={draft.texts[name] === 'on'}
          isDisabled={!canChange}
          onChange={(isOn) => draft.set(name, isOn ? 'on' : 'off')}
        />
      )}
    </SettingRow>
  )
}

export function TextRow({
  name,
  emptyAs = '',
  unit,
  placeholder,
  list,
  isNumber = false,
  aside,
}: ControlProps & {
  // What an empty field stands for, such as `none`.
  readonly emptyAs?: string
  readonly unit?: string
  readonly placeholder?: string
  readonly list?: string
  readonly isNumber?: boolean
  readonly aside?: ReactNode
}) {
  const { draft, canChange } = useSettings()
  const text = draft.texts[name]
  const isWrong = draft.mistakes.includes(name)
  return (
    <SettingRow name={name} aside={aside}>
      {(id) => (
        <span className={classes(css.box, isNumber && css.number, isWrong && css.wrongBox)}>
          <input
            id={id}
            value={text === emptyAs ? '' : text}
            placeholder={placeholder}
            list={list}
            disabled={!canChange}
            inputMode={isNumber ? 'decimal' : undefined}
            autoComplete="off"
            aria-invalid={isWrong ? true : undefined}
            aria-describedby={isWrong ? `${id}-note` : undefined}
            onChange={({ target }) => draft.set(name, written(target.value, emptyAs, isNumber))}
          />
          {unit !== undefined && text !== emptyAs && <span>{unit}</span>}
        </span>
      )}
    </SettingRow>
  )
}

// A number may be typed with blanks and a decimal comma.
function written(text: string, emptyAs: string, isNumber: boolean): string {
  const plain = isNumber ? text.replaceAll(/[\s\u00a0]/g, '').replace(',', '.') : text
  return plain === '' ? emptyAs : plain
}

export function ChoiceRow({ name, of }: ControlProps & { readonly of: Readonly<Record<string, string>> }) {
  const { draft, canChange } = useSettings()
  return (
    <SettingRow name={name}>
      {(id) => (
        <span className={css.box}>
          <select
            id={id}
            value={draft.texts[name]}
            disabled={!canChange}
            onChange={({ target }) => draft.set(name, target.value)}
          >
            <Options of={Object.entries(of).map(([value, text]) => ({ value, text }))} />
          </select>
        </span>
      )}
    </SettingRow>
  )
}
