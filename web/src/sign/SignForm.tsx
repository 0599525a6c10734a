import type { ReactNode } from 'react'
import { Button } from '../parts/forms/Button.tsx'
import { Mistake } from '../parts/text/State.tsx'
import css from './sign.module.css'

export function SignForm({
  button,
  isBusy,
  isReady = true,
  error,
  onSubmit,
  children,
}: {
  readonly button: string
  readonly isBusy: boolean
  readonly isReady?: boolean
  readonly error: unknown
  readonly onSubmit: () => void
  readonly children: ReactNode
}) {
  return (
    <form
      className={css.fields}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      <Mistake error={error} />
      <Button look="ink" type="submit" className={css.wide} disabled={isBusy || !isReady}>
        {button}
      </Button>
    </form>
  )
}
