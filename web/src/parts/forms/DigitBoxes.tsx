import { type ClipboardEvent, useRef } from 'react'
import { useWords } from '../../words/words.ts'
import { classes } from '../text/classes.ts'
import css from './digit-boxes.module.css'

// One box per digit. Typing moves on, Backspace moves back, a pasted code fills all of them.
export function DigitBoxes({
  label,
  count,
  value,
  hint,
  isLabelHidden = false,
  isFirst = false,
  onChange,
}: {
  readonly label: string
  readonly count: 4 | 6
  readonly value: string
  readonly hint?: string | undefined
  readonly isLabelHidden?: boolean
  readonly isFirst?: boolean
  readonly onChange: (digits: string) => void
}) {
  const words = useWords()
  const boxes = useRef<HTMLDivElement>(null)
  const focus = (at: number) => boxes.current?.querySelectorAll('input')[Math.max(0, Math.min(at, count - 1))]?.focus()
  const put = (at: number, typed: string) => {
    const digits = typed.replaceAll(/\D/g, '')
    if (digits === '') return
    const next = (value.slice(0, at) + digits).slice(0, count)
    onChange(next)
    focus(next.length)
  }
  const paste = (event: ClipboardEvent) => {
    event.preventDefault()
    put(0, event.clipboardData.getData('text'))
  }
  return (
    <fieldset className={classes(css.boxes, count === 6 && css.six)}>
      <legend className={isLabelHidden ? 'unseen' : undefined}>{label}</legend>
      <div ref={boxes}>
        {Array.from({ length: count }, (_, at) => (
          <input
            key={at}
            value={value[at] ?? ''}
            inputMode="numeric"
            autoComplete={at === 0 ? 'one-time-code' : 'off'}
            aria-label={words.digit(at + 1, count)}
            className={value[at] === undefined ? undefined : css.full}
            data-first={isFirst && at === 0 ? '' : undefined}
            onPaste={paste}
            onFocus={(event) => event.target.select()}
            onChange={(event) => put(Math.min(at, value.length), event.target.value.replace(value[at] ?? '', ''))}
            onKeyDown={(event) => {
              if (event.key !== 'Backspace') return
              event.preventDefault()
              onChange(value.slice(0, -1))
              focus(value.length - 1)
            }}
          />
        ))}
      </div>
      {hint !== undefined && <p>{hint}</p>}
    </fieldset>
  )
}
