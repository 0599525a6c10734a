// What the customer's page of a verification and the operator's page of a call have in common.

import type { ReactNode } from 'react'
import { useSubject } from '../../shell/page-title.ts'
import { classes } from '../text/classes.ts'
import css from './call-detail.module.css'

// What happened, as a heading and a sentence.
export function CallHero({
  phone,
  tags,
  title,
  text,
  advice,
  className,
  children,
}: {
  readonly phone: string
  readonly tags: ReactNode
  readonly title: string
  readonly text: string
  readonly advice: string
  // Sets the measures of call-detail.module.css.
  readonly className: string | undefined
  readonly children: ReactNode
}) {
  useSubject(`${phone}: ${title}`)
  return (
    <header className={classes(css.hero, className)}>
      <div className={css.tags}>{tags}</div>
      <h1>{title}</h1>
      <p>
        {text} <b>{advice}</b>
      </p>
      {children}
    </header>
  )
}

// Names and values, without those that are not known.
export function Facts({ of }: { readonly of: readonly (readonly [string, ReactNode])[] }) {
  return (
    <Lines>
      {of
        .filter(([, value]) => value !== '' && value !== null && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </Lines>
  )
}

export function Lines({ children }: { readonly children: ReactNode }) {
  return <dl className={css.lines}>{children}</dl>
}
