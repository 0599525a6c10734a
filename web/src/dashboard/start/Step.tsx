import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '../../parts/text/classes.ts'
import { StepItem } from '../../parts/text/Steps.tsx'
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
    <StepItem state={state} mark={state === 'done' ? <Check size={16} strokeWidth={2.5} /> : number}>
      <div className={classes(state === 'next' && css.next)}>
        <h2 className={css.title}>{title}</h2>
        {note !== undefined && <p className={css.note}>{note}</p>}
      </div>
      <span className={css.when}>{when}</span>
      {children !== undefined && children !== null && <div className={css.inside}>{children}</div>}
    </StepItem>
  )
}
