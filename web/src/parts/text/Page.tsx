import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import css from './page.module.css'

export function PageHead({
  title,
  lead,
  children,
}: {
  readonly title: ReactNode
  readonly lead?: ReactNode
  readonly children?: ReactNode
}) {
  return (
    <header className={css.head}>
      <div>
        <h1>{title}</h1>
        {lead !== undefined && <p className={css.lead}>{lead}</p>}
      </div>
      {children !== undefined && <div className={css.actions}>{children}</div>}
    </header>
  )
}

// To the list that a page belongs to.
export function BackLink({
  to,
  isUnderlined = false,
  className,
  children,
}: {
  readonly to: string
  readonly isUnderlined?: boolean
  readonly className?: string | undefined
  readonly children: string
}) {
  return (
    <Link to={to} className={classes(css.back, !isUnderlined && css.bare, className)}>
      <ArrowLeft size={15} />
      {children}
    </Link>
  )
}

// A part of a page: a heading, a sentence, an action at the right, and a card below.
export function Section({
  title,
  lead,
  action,
  children,
}: {
  readonly title: string
  readonly lead?: ReactNode
  readonly action?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <section className={css.section}>
      <div className={css.sectionHead}>
        <div>
          <h2>{title}</h2>
          {lead !== undefined && <p>{lead}</p>}
        </div>
        {action}
      </div>
      <div className={css.card}>{children}</div>
    </section>
  )
}

// One line of a card: what it is, a note, and actions at the right.
export function Row({
  title,
  note,
  children,
}: {
  readonly title: ReactNode
  readonly note?: ReactNode
  readonly children?: ReactNode
}) {
  return (
    <div className={css.row}>
      <div>
        <b>{title}</b>
        {note !== undefined && <small>{note}</small>}
      </div>
      {children}
    </div>
  )
}
