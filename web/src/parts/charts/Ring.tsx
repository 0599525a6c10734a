import type { shownStatuses } from '@ringproof/contract/lists/calls.ts'
import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import { classes } from '../text/classes.ts'
import css from './ring.module.css'

export type Status = (typeof shownStatuses)[number]

// What the product is about: the four digits, under the marker.
export function Digits({ children }: { readonly children: ReactNode }) {
  return <mark className={css.mark}>{children}</mark>
}

// Colour, shape and word together: no state is shown by colour alone.
export function Chip({ status }: { readonly status: Status }) {
  const words = useWords()
  return (
    <span className={classes(css.chip, css[status])}>
      <StatusShape status={status} />
      {words.status[status]}
    </span>
  )
}

// A state of something that is not a call: the same colours and shapes, another word.
export function Tag({ status, children }: { readonly status: Status; readonly children: ReactNode }) {
  return (
    <span className={classes(css.chip, css[status])}>
      <StatusShape status={status} />
      {children}
    </span>
  )
}

// Four digits that may not be seen yet: the outline of the marker, without its ink.
export function Covered() {
  const words = useWords()
  return (
    <span className={css.covered} title={words.hiddenCode}>
      <span aria-hidden="true">••••</span>
      <span className="unseen">{words.hiddenCode}</span>
    </span>
  )
}

export function TestTag() {
  const words = useWords()
  return (
    <span className={css.test}>
      <span>{words.test}</span>
    </span>
  )
}

const line = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.6,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

export function StatusShape({ status }: { readonly status: Status }) {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      {status === 'succeeded' && <path d="M2 6.4 4.7 9 10 3.2" {...line} />}
      {status === 'failed' && <path d="m3 3 6 6M9 3 3 9" {...line} />}
      {status === 'checking' && <path d="M10.4 6A4.4 4.4 0 1 1 6 1.6" {...line} />}
      {status === 'waiting' && <circle cx="6" cy="6" r="4.4" strokeDasharray="2.2 2.4" {...line} />}
      {status === 'ringing' && (
        <>
          <circle cx="6" cy="6" r="1.7" fill="currentColor" />
          <path className={css.wave} d="M2.9 9.1a4.4 4.4 0 0 1 0-6.2M9.1 2.9a4.4 4.4 0 0 1 0 6.2" {...line} />
        </>
      )}
    </svg>
  )
}

// Circle, triangle, square and ring differ without colour.
export function Shape({ is }: { readonly is: 'well' | 'poor' | 'down' | 'idle' }) {
  return <i className={classes(css.shape, css[is])} aria-hidden="true" />
}
