import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import { Mistake } from '../text/State.tsx'
import { AdminButton } from './AdminButton.tsx'
import css from './admin-form.module.css'

// Settings in a section, with one button for all of them.
export function AdminForm({
  isReady,
  isBusy,
  error,
  onSave,
  children,
}: {
  readonly isReady: boolean
  readonly isBusy: boolean
  readonly error: unknown
  readonly onSave: () => void
  readonly children: ReactNode
}) {
  const { save } = useWords()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSave()
      }}
    >
      {children}
      <div className={css.save}>
        <AdminButton look="ink" type="submit" disabled={!isReady || isBusy}>
          {save}
        </AdminButton>
        <Mistake error={error} />
      </div>
    </form>
  )
}
