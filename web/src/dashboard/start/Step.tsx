import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '../../parts/classes.ts'
import css from './start.module.css'

export type StepState = 'done' | 'now' | 'next'
export type StepHead = { readonly number: number; readonly state: StepState; readonly when: string | undefined }

export function Step({
  number,
  state,
  when,
  title,
  note,
  children,
}: StepHead & { readonly title: string; readonly note?: string | undefined; readonly children?: ReactNode }) {
  return (
    <li className={classes(css.step, css[state])} aria-current={state === 'now' ? 'step' : undefined}>
      <span className={css.num}>
        {state === 'done' ? <Check size={16} strokeWidth={2.5} aria-hidden="true" /> : number}
      </span>
      <div>
        <h2 className={css.title}>{title}</h2>
        {note !== undefined && <p className={css.note}>{note}</p>}
      </div>
      <span className={css.when}>{when}</span>
      {children !== undefined && children !== null && <div className={css.inside}>{children}</div>}
    </li>
  )
}
