import type { UseQueryResult } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import { CloudOff, Lock, SearchX } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { errorOf } from '../../api.ts'
import { askHealth, type Health } from '../../connection.ts'
import { useWords } from '../../words/words.ts'
import { Button } from '../forms/Button.tsx'
import css from './state.module.css'

// Draws what a read has come to: still loading, refused, out of reach, or its data.
export function Loaded<Data>({
  query,
  children,
}: {
  readonly query: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error === null) return <Loading />
  if (errorOf(query.error) === 'forbidden') return <Forbidden />
  return (
    <Failure
      onRetry={() => {
        query.refetch().catch(() => undefined)
      }}
    />
  )
}

// One thing that the address names. There may be no such thing.
export function Found<Data>({
  query,
  words,
  isPage = true,
  children,
}: {
  readonly query: UseQueryResult<Data>
  readonly words: { readonly missing: string; readonly missingText: string }
  readonly isPage?: boolean
  readonly children: (data: Data) => ReactNode
}) {
  if (query.error !== null && ['not-found', 'invalid'].includes(errorOf(query.error))) {
    return <Empty icon={SearchX} title={words.missing} text={words.missingText} isPage={isPage} />
  }
  return <Loaded query={query}>{children}</Loaded>
}

// Grey lines where text will stand, drawn after a moment so that a fast answer does not flicker.
export function Loading() {
  const words = useWords()
  return (
    <div className={css.loading} role="status">
      <span className="unseen">{words.state.loading}</span>
      <i />
      <i />
      <i />
    </div>
  )
}

// Whether calls are affected is said only when it is known.
export function Failure({ onRetry, isPage = false }: { readonly onRetry: () => void; readonly isPage?: boolean }) {
  const { state } = useWords()
  const [health, setHealth] = useState<Health>()
  useEffect(() => {
    let isShown = true
    askHealth()
      .then((answer) => isShown && setHealth(answer))
      .catch(() => undefined)
    return () => {
      isShown = false
    }
  }, [])
  const texts = { well: state.failedSafe, ill: state.failedIll, lost: state.failedLost }
  return (
    <Empty icon={CloudOff} title={state.failed} text={health && texts[health]} isAlert isPage={isPage}>
      <Button onClick={onRetry}>{state.again}</Button>
    </Empty>
  )
}

export function Forbidden({ text }: { readonly text?: string }) {
  const { state } = useWords()
  return <Empty icon={Lock} title={state.forbidden} text={text} />
}

// The first step, never a drawing.
export function Empty({
  icon: Icon,
  title,
  text,
  isAlert = false,
  isPage = false,
  children,
}: {
  readonly icon: LucideIcon
  readonly title: string
  readonly text?: string | undefined
  readonly isAlert?: boolean
  // There is nothing else on the page, so the title is its heading.
  readonly isPage?: boolean
  readonly children?: ReactNode
}) {
  return (
    <section className={css.empty} data-nothing="" role={isAlert ? 'alert' : undefined}>
      <Icon size={22} strokeWidth={1.6} aria-hidden="true" />
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {text !== undefined && <p>{text}</p>}
      {children !== undefined && <div>{children}</div>}
    </section>
  )
}

// What did not work, in words, below the button that was pressed.
export function Mistake({ error }: { readonly error: unknown }) {
  const { errors } = useWords()
  if (error === null || error === undefined) return null
  const seconds = retryAfterOf(error)
  return (
    <p className={css.mistake} role="alert">
      {errors[errorOf(error)]}
      {seconds !== undefined && ` ${errors.retryIn(seconds)}`}
    </p>
  )
}

function retryAfterOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('refusal' in error)) return undefined
  return (error.refusal as { retryAfter?: number }).retryAfter
}
