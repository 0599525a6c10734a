import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import { Mistake } from '../text/State.tsx'
import { Button } from './Button.tsx'
import { Modal } from './Modal.tsx'

// A dialog with one thing to do: Cancel at the left, the action at the right, what went wrong above them.
export function Ask({
  title,
  lead,
  action,
  isDangerous = false,
  isReady = true,
  isBusy,
  error,
  onDo,
  onClose,
  children,
}: {
  readonly title: string
  readonly lead?: string
  readonly action: string
  readonly isDangerous?: boolean
  readonly isReady?: boolean
  readonly isBusy: boolean
  readonly error: unknown
  readonly onDo: () => void
  readonly onClose: () => void
  readonly children?: ReactNode
}) {
  const { cancel } = useWords()
  const hasBody = children !== undefined || (error !== null && error !== undefined)
  return (
    <Modal
      title={title}
      lead={lead}
      onClose={onClose}
      onSubmit={onDo}
      foot={
        <>
          <Button data-first={isDangerous ? '' : undefined} onClick={onClose}>
            {cancel}
          </Button>
          <Button look={isDangerous ? 'danger' : 'ink'} type="submit" disabled={isBusy || !isReady}>
            {action}
          </Button>
        </>
      }
    >
      {hasBody ? (
        <>
          {children}
          <Mistake error={error} />
        </>
      ) : undefined}
    </Modal>
  )
}
