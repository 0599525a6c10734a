import type { ReactNode } from 'react'
import { classes } from '../text/classes.ts'
import css from './entries.module.css'

// A few things one below the other: what each is, and what can be done with it at the right.
export function Entries({
  className,
  children,
}: {
  readonly className: string | undefined
  readonly children: ReactNode
}) {
  return <ul className={classes(css.entries, className)}>{children}</ul>
}
