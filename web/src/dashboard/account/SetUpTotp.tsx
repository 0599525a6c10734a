import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { DigitBoxes } from '../../parts/forms/DigitBoxes.tsx'
import { CopyButton, KeyLine } from '../../parts/text/Code.tsx'
import { QrCode } from '../../parts/text/QrCode.tsx'
import { useScreenWords } from '../../words/words.ts'
import css from './account.module.css'

export type NewTotp = WebOutput<'start-totp'>

export function SetUpTotp({
  totp: { secret, uri },
  onClose,
  onCodes,
}: {
  readonly totp: NewTotp
  readonly onClose: () => void
  readonly onCodes: (codes: readonly string[]) => void
}) {
  const words = useScreenWords('account')
  const [code, setCode] = useState('')
  return (
    <AskChange
      change="confirm-totp"
      refreshes={['security', 'me']}
      input={{ code }}
      onDone={({ recoveryCodes }) => onCodes(recoveryCodes)}
      title={words.totpTitle}
      lead={words.totpLead}
      action={words.confirm}
      isReady={code.length === 6}
      onClose={onClose}
    >
      <div className={css.qr}>
        <QrCode text={uri} label={words.qr} />
        <div>
          {words.secret}
          <KeyLine text={grouped(secret)}>
            <CopyButton text={secret} isIcon />
          </KeyLine>
        </div>
      </div>
      <DigitBoxes label={words.code} count={6} value={code} onChange={setCode} isFirst />
    </AskChange>
  )
}

function grouped(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
}
