import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import css from './modal.module.css'

type ModalProps = {
  readonly title: ReactNode
  readonly lead?: ReactNode
  readonly children?: ReactNode
  readonly foot: ReactNode
  readonly onClose: () => void
  // Only a button closes it: what it shows is not shown again.
  readonly isLocked?: boolean
  // Makes the box a form, so that Enter presses its ink button.
  readonly onSubmit?: () => void
}

// A sheet over the page; on a phone it rises from the bottom and takes the width.
export function Modal({ title, lead, children, foot, onClose, isLocked = false, onSubmit }: ModalProps) {
  const words = useWords()
  const inside = (
    <>
      {children !== undefined && <div className={css.body}>{children}</div>}
      <footer className={css.foot}>{foot}</footer>
    </>
  )
  return (
    <Dialog.Root
      open
      disablePointerDismissal={isLocked}
      onOpenChange={(isOpen, details) => {
        if (isOpen) return
        if (isLocked && details.reason === 'escape-key') details.cancel()
        else onClose()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={css.back} />
        <Dialog.Popup
          className={css.box}
          initialFocus={() => document.querySelector<HTMLElement>('[role=dialog] [data-first]') ?? true}
        >
          <header className={css.head}>
            <div>
              <Dialog.Title className={css.title}>{title}</Dialog.Title>
              {lead !== undefined && <Dialog.Description className={css.lead}>{lead}</Dialog.Description>}
            </div>
            {!isLocked && (
              <Dialog.Close className={css.close} aria-label={words.close}>
                <X size={17} />
              </Dialog.Close>
            )}
          </header>
          {onSubmit === undefined ? (
            inside
          ) : (
            <form
              className={css.form}
              onSubmit={(event) => {
                event.preventDefault()
                onSubmit()
              }}
            >
              {inside}
            </form>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
