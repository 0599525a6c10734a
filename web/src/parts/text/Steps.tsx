import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import css from './steps.module.css'

type StepState = 'done' | 'attention' | 'now' | 'next' | 'open'

// One step of several: its mark, and a line that leads to the next one.
export function StepItem({
  state,
  mark,
  children,
}: {
  readonly state: StepState
  readonly mark: ReactNode
  readonly children: ReactNode
}) {
  return (
    <li className={classes(css.step, css[state])} aria-current={state === 'now' ? 'step' : undefined}>
      <span className={css.mark}>{mark}</span>
      {children}
    </li>
  )
}

// How many are done, at a glance.
export function StepCells({
  of,
  label,
  className,
}: {
  readonly of: readonly StepState[]
  // Without one a text beside the cells says it.
  readonly label?: string
  readonly className?: string | undefined
}) {
  const about = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    <span className={classes(css.cells, className)} {...about}>
      {of.map((state, index) => (
        <i key={index} className={css[state]} />
      ))}
    </span>
  )
}
