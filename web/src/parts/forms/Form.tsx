import { Checkbox } from '@base-ui/react/checkbox'
import { Switch } from '@base-ui/react/switch'
import { Check, Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { useWords } from '../../words/words.ts'
import { classes } from '../text/classes.ts'
import css from './form.module.css'

type FieldProps = Omit<ComponentProps<'input'>, 'autoFocus'> & {
  readonly label: ReactNode
  readonly aside?: ReactNode
  readonly hint?: ReactNode
  readonly error?: ReactNode
  readonly isSecret?: boolean
  readonly isCode?: boolean
  // The dialog that contains it gives it the focus.
  readonly isFirst?: boolean
}

// A label above; below, one line of help or one line of what is wrong, never both.
export function Field({ label, aside, hint, error, isSecret, isCode, isFirst, ...rest }: FieldProps) {
  const id = useId()
  const [isShown, setShown] = useState(false)
  const note = error ?? hint
  return (
    <div className={css.field}>
      <div className={css.label}>
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      <div className={classes(css.box, error !== undefined && css.wrong)}>
        <input
          id={id}
          {...rest}
          type={isSecret === true ? (isShown ? 'text' : 'password') : rest.type}
          className={isCode === true ? css.mono : undefined}
          data-first={isFirst === true ? '' : undefined}
          aria-describedby={note === undefined ? undefined : `${id}-note`}
          aria-invalid={error === undefined ? undefined : true}
        />
        {isSecret === true && <EyeButton isShown={isShown} onClick={() => setShown(!isShown)} />}
      </div>
      {note !== undefined && (
        <p id={`${id}-note`} className={error === undefined ? css.hint : css.error}>
          {note}
        </p>
      )}
    </div>
  )
}

function EyeButton({ isShown, onClick }: { readonly isShown: boolean; readonly onClick: () => void }) {
  const words = useWords()
  return (
    <button type="button" className={css.eye} aria-label={isShown ? words.hide : words.show} onClick={onClick}>
      {isShown ? <EyeOff size={16} /> : <Eye size={16} />}
    </button>
  )
}

type Option<Value extends string | number> = { readonly value: Value; readonly text: string }

export function Select<Value extends string | number>({
  label,
  hint,
  of,
  isFirst,
  onChange,
  ...rest
}: Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'children'> & {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly value: Value
  readonly of: readonly Option<Value>[]
  readonly isFirst?: boolean
  readonly onChange: (value: Value) => void
}) {
  const id = useId()
  return (
    <div className={css.field}>
      <div className={css.label}>
        <label htmlFor={id}>{label}</label>
      </div>
      <div className={css.box}>
        <select
          id={id}
          {...rest}
          data-first={isFirst === true ? '' : undefined}
          onChange={({ target }) => {
            const chosen = of[target.selectedIndex]
            if (chosen) onChange(chosen.value)
          }}
        >
          <Options of={of} />
        </select>
      </div>
      {hint !== undefined && <p className={css.hint}>{hint}</p>}
    </div>
  )
}

export function Options({ of }: { readonly of: readonly Option<string | number>[] }) {
  return of.map(({ value, text }) => (
    <option key={value} value={value}>
      {text}
    </option>
  ))
}

// Several lines of text, such as a list that is pasted.
export function Area({
  label,
  aside,
  hint,
  error,
  ...rest
}: ComponentProps<'textarea'> & Pick<FieldProps, 'label' | 'aside' | 'hint' | 'error'>) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className={css.field}>
      <div className={css.label}>
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      <div className={classes(css.box, css.area, error !== undefined && css.wrong)}>
        <textarea
          id={id}
          {...rest}
          aria-describedby={note === undefined ? undefined : `${id}-note`}
          aria-invalid={error === undefined ? undefined : true}
        />
      </div>
      {note !== undefined && (
        <p id={`${id}-note`} className={error === undefined ? css.hint : css.error}>
          {note}
        </p>
      )}
    </div>
  )
}

type Settable = { readonly isOn: boolean; readonly onChange: (isOn: boolean) => void; readonly isDisabled?: boolean }

export function Toggle({
  label,
  isOn,
  onChange,
  isDisabled = false,
  id,
}: Settable & { readonly label: string; readonly id?: string }) {
  return (
    <Switch.Root
      id={id}
      className={css.switch}
      checked={isOn}
      disabled={isDisabled}
      onCheckedChange={(next) => onChange(next)}
      aria-label={label}
    >
      <Switch.Thumb className={css.thumb} />
    </Switch.Root>
  )
}

export function Tick({ children, isOn, onChange, isDisabled = false }: Settable & { readonly children: ReactNode }) {
  const id = useId()
  return (
    <div className={css.tick}>
      <Checkbox.Root
        className={css.check}
        checked={isOn}
        disabled={isDisabled}
        onCheckedChange={(next) => onChange(next)}
        aria-labelledby={id}
      >
        <Checkbox.Indicator className={css.mark}>
          <Check size={13} strokeWidth={2.6} />
        </Checkbox.Indicator>
      </Checkbox.Root>
      {/* Not a label: it may contain links, and the checkbox takes its name from here. */}
      <span id={id} onClick={() => !isDisabled && onChange(!isOn)}>
        {children}
      </span>
    </div>
  )
}

type CardChoice<Value> = {
  readonly value: Value
  readonly title: ReactNode
  readonly text: ReactNode
  readonly isHatched?: boolean
  readonly isDisabled?: boolean
}

// Cards of which one is chosen: a title and a sentence.
export function Cards<Value extends string>({
  label,
  value,
  of,
  onChange,
}: {
  readonly label: string
  readonly value: Value
  readonly of: readonly CardChoice<Value>[]
  readonly onChange: (value: Value) => void
}) {
  const name = useId()
  return (
    <fieldset className={css.cards}>
      <legend>{label}</legend>
      <div>
        {of.map((card) => (
          <label key={card.value} className={classes(css.choice, card.isHatched && css.hatched)}>
            <input
              type="radio"
              name={name}
              value={card.value}
              checked={card.value === value}
              disabled={card.isDisabled}
              onChange={() => onChange(card.value)}
            />
            <span>
              <b>{card.title}</b>
              <small>{card.text}</small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
