import { useState } from 'react'
import { errorOf } from '../../api.ts'
import { Ask } from '../../parts/Ask.tsx'
import { Field } from '../../parts/Form.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'

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
