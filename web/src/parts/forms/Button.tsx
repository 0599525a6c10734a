import type { ComponentProps } from 'react'
import { classes } from '../text/classes.ts'
import css from './button.module.css'

type Look = 'ink' | 'marker' | 'plain' | 'ghost' | 'danger'
type Size = { readonly isSmall?: boolean; readonly isIcon?: boolean }

export function Button({
  look = 'plain',
  isSmall = false,
  isIcon = false,
  className,
  ...rest
}: ComponentProps<'button'> & { readonly look?: Look } & Size) {
  return <button type="button" {...rest} className={classes(buttonClass(look, { isSmall, isIcon }), className)} />
}

// For a link that looks like a button.
export function buttonClass(look: Look = 'plain', { isSmall = false, isIcon = false }: Size = {}): string {
  return classes(css.button, css[look], isSmall && css.small, isIcon && css.icon)
}

// One of a few, with every choice in sight.
export function Segments<Value extends string>({
  label,
  value,
  of,
  onChange,
}: {
  readonly label: string
  readonly value: Value
  readonly of: readonly { readonly value: Value; readonly text: string }[]
  readonly onChange: (value: Value) => void
}) {
  return (
    <div className={css.segments} role="group" aria-label={label}>
      {of.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className={css.segment}
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.text}
        </button>
      ))}
    </div>
  )
}
