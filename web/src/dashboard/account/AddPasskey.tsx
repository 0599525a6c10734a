import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { useState } from 'react'
import { call, RefusedError } from '../../api.ts'
import { Ask } from '../../parts/forms/Ask.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { useAttempt } from '../../parts/forms/use-attempt.ts'
import { queryClient } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { browserOf } from './browser-name.ts'

export function AddPasskey({ onClose }: { readonly onClose: () => void }) {
  const words = useScreenWords('account')
  const [name, setName] = useState(() => browserOf(navigator.userAgent, words))
  const attempt = useAttempt(async () => {
    const { options } = await call('add-passkey-options', {})
    const { startRegistration } = await import('@simplewebauthn/browser')
    const response = await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
    await call('add-passkey', { name: name.trim(), response })
    await queryClient.invalidateQueries({ queryKey: ['security'] })
    await queryClient.invalidateQueries({ queryKey: ['me'] })
    onClose()
  })
  const isBrowsers = attempt.error !== undefined && !(attempt.error instanceof RefusedError)
  return (
    <Ask
      title={words.addPasskey}
      action={words.addPasskey}
      isReady={name.trim() !== ''}
      isBusy={attempt.isBusy}
      error={isBrowsers ? undefined : attempt.error}
      onDo={attempt.start}
      onClose={onClose}
    >
      <Field
        label={words.passkeyName}
        hint={words.passkeyNameHint}
        error={isBrowsers ? words.passkeyFailed : undefined}
        isFirst
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </Ask>
  )
}
