import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api.ts'
import { Ask } from '../../parts/Ask.tsx'
import { CopyButton, KeyLine } from '../../parts/Code.tsx'
import { DigitBoxes } from '../../parts/DigitBoxes.tsx'
import { QrCode } from '../../parts/QrCode.tsx'
import { Loading } from '../../parts/State.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './account.module.css'

export function SetUpTotp({
  onClose,
  onCodes,
}: {
  readonly onClose: () => void
  readonly onCodes: (codes: readonly string[]) => void
}) {
  const words = useScreenWords('account')
  // A new secret for every dialog, and none that outlives it.
  const started = useQuery({
    queryKey: ['start-totp'],
    queryFn: () => call('start-totp', {}),
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { mutate, isPending, error } = useChange('confirm-totp', ['security', 'me'])
  const [code, setCode] = useState('')
  const confirm = () => mutate({ code }, { onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes) })
  return (
    <Ask
      title={words.totpTitle}
      lead={words.totpLead}
      action={words.confirm}
      isReady={code.length === 6}
      isBusy={isPending}
      error={error ?? started.error}
      onDo={confirm}
      onClose={onClose}
    >
      {started.data === undefined ? (
        <Loading />
      ) : (
        <div className={css.qr}>
          <QrCode text={started.data.uri} label={words.qr} />
          <div>
            {words.secret}
            <KeyLine text={grouped(started.data.secret)}>
              <CopyButton text={started.data.secret} isIcon />
            </KeyLine>
          </div>
        </div>
      )}
      <DigitBoxes label={words.code} count={6} value={code} onChange={setCode} isFirst />
    </Ask>
  )
}

function grouped(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
}
