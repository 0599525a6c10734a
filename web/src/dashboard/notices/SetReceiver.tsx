import { useState } from 'react'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { useScreenWords } from '../../words/words.ts'

export function SetReceiver({
  onClose,
  onSecret,
}: {
  readonly onClose: () => void
  readonly onSecret: (secret: string) => void
}) {
  const words = useScreenWords('notices')
  const [url, setUrl] = useState('')
  return (
    <AskChange
      change="set-notice-webhook"
      refreshes={['notices']}
      input={{ url: url.trim() }}
      onDone={({ secret }) => onSecret(secret)}
      title={words.setTitle}
      lead={words.setLead}
      action={words.set}
      isReady={url.trim() !== ''}
      onClose={onClose}
    >
      {(isInvalid) => (
        <Field
          label={words.url}
          hint={words.urlHint}
          error={isInvalid ? words.urlWrong : undefined}
          isFirst
          isCode
          type="url"
          maxLength={2_000}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      )}
    </AskChange>
  )
}
