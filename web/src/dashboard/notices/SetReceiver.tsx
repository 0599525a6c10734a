import { useState } from 'react'
import { errorOf } from '../../api.ts'
import { Ask } from '../../parts/Ask.tsx'
import { Button } from '../../parts/Button.tsx'
import { Caution } from '../../parts/Caution.tsx'
import { CopyButton, KeyLine } from '../../parts/Code.tsx'
import { Field, Tick } from '../../parts/Form.tsx'
import { Modal } from '../../parts/Modal.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords, useWords } from '../../words/words.ts'

export function SetReceiver({
  onClose,
  onSecret,
}: {
  readonly onClose: () => void
  readonly onSecret: (secret: string) => void
}) {
  const words = useScreenWords('notices')
  const { mutate, isPending, error } = useChange('set-notice-webhook', ['notices'])
  const [url, setUrl] = useState('')
  const isRefused = error !== null && errorOf(error) === 'invalid'
  return (
    <Ask
      title={words.setTitle}
      lead={words.setLead}
      action={words.set}
      isReady={url.trim() !== ''}
      isBusy={isPending}
      error={isRefused ? null : error}
      onDo={() => mutate({ url: url.trim() }, { onSuccess: ({ secret }) => onSecret(secret) })}
      onClose={onClose}
    >
      <Field
        label={words.url}
        hint={words.urlHint}
        error={isRefused ? words.urlWrong : undefined}
        isFirst
        isCode
        type="url"
        maxLength={2_000}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
    </Ask>
  )
}

// Closes only when the reader says that the secret is stored: it is not shown again.
export function ReceiverSecret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const words = useScreenWords('notices')
  const { done } = useWords()
  const [isStored, setStored] = useState(false)
  return (
    <Modal
      isLocked
      title={words.secret}
      lead={words.secretLead}
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
