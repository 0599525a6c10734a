import { type ReactNode, useState } from 'react'
import { useWords } from '../../words/words.ts'
import { CopyButton, KeyLine } from '../text/Code.tsx'
import { Button } from './Button.tsx'
import { Caution } from './Caution.tsx'
import { Tick } from './Form.tsx'
import { Modal } from './Modal.tsx'

type ShownOnceProps = {
  readonly title: string
  readonly lead: string
  readonly stored: string
  readonly onClose: () => void
  readonly children?: ReactNode
}

// Closes only when the reader says that it is stored: it is not shown again.
export function ShownOnce({ title, lead, stored, onClose, children }: ShownOnceProps) {
  const { done } = useWords()
  const [isStored, setStored] = useState(false)
  return (
    <Modal
      isLocked
      title={title}
      lead={lead}
      onClose={onClose}
      foot={
        <>
          <Tick isOn={isStored} onChange={setStored}>
            {stored}
          </Tick>
          <Button look="ink" disabled={!isStored} onClick={onClose}>
            {done}
          </Button>
        </>
      }
    >
      {children}
    </Modal>
  )
}

export function SecretOnce({
  secret,
  once,
  children,
  ...shown
}: ShownOnceProps & { readonly secret: string; readonly once: string }) {
  return (
    <ShownOnce {...shown}>
      <KeyLine text={secret}>
        <CopyButton text={secret} autoFocus />
      </KeyLine>
      <Caution text={once} />
      {children}
    </ShownOnce>
  )
}
