import { useState } from 'react'
import { Button } from '../../parts/Button.tsx'
import { Caution } from '../../parts/Caution.tsx'
import { CopyButton, KeyLine } from '../../parts/Code.tsx'
import { Tick } from '../../parts/Form.tsx'
import { Modal } from '../../parts/Modal.tsx'
import { useScreenWords, useWords } from '../../words/words.ts'
import type { WebhookService } from './webhook.ts'

// Closes only when the reader says that the secret is stored: it is not shown again.
export function NewSecret({
  service,
  secret,
  onClose,
}: {
  readonly service: WebhookService
  readonly secret: string
  readonly onClose: () => void
}) {
  const words = useScreenWords('webhooks')
  const { done } = useWords()
  const [isStored, setStored] = useState(false)
  return (
    <Modal
      isLocked
      title={words.newSecret(service.name)}
      lead={words.newSecretLead}
      onClose={onClose}
      foot={
        <>
          <Tick isOn={isStored} onChange={setStored}>
            {words.stored}
          </Tick>
          <Button look="ink" disabled={!isStored} onClick={onClose}>
            {done}
          </Button>
        </>
      }
    >
      <KeyLine text={secret}>
        <CopyButton text={secret} autoFocus />
      </KeyLine>
      <Caution text={words.once} />
    </Modal>
  )
}
