import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { useIsAdmin } from '../../access.ts'
import { AdminButton } from '../../parts/forms/AdminButton.tsx'
import { AdminForm } from '../../parts/forms/AdminForm.tsx'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { SecretOnce } from '../../parts/forms/ShownOnce.tsx'
import { CopyButton } from '../../parts/text/Code.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { Row, Section } from '../../parts/text/Page.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './system.module.css'

type Settings = WebOutput<'payment-settings'>

export function PaymentPage({ settings }: { readonly settings: Settings }) {
  const words = useScreenWords('system')
  const isAdmin = useIsAdmin()
  const { mutate, isPending, error } = useChange('set-payment-page', ['payment-settings', 'balance'])
  const [pageLink, setPageLink] = useState(settings.pageLink)
  const isGood = isPageLink(pageLink)
  return (
    <Section title={words.payments} lead={words.paymentsLead}>
      <AdminForm
        isReady={isGood && pageLink !== settings.pageLink}
        isBusy={isPending}
        error={error}
        onSave={() => mutate({ pageLink }, { onSuccess: () => showNotice({ text: words.pageSaved }) })}
      >
        <div className={css.wide}>
          <Field
            label={words.pageLink}
            hint={words.pageLinkHint}
            error={isGood ? undefined : words.badPageLink}
            maxLength={500}
            disabled={!isAdmin}
            value={pageLink}
            onChange={(event) => setPageLink(event.target.value.trim())}
          />
        </div>
      </AdminForm>
      <Row title={words.callback} note={settings.callbackUrl}>
        <CopyButton text={settings.callbackUrl} />
      </Row>
      <Secret hasSecret={settings.hasSecret} />
    </Section>
  )
}

function Secret({ hasSecret }: { readonly hasSecret: boolean }) {
  const words = useScreenWords('system')
  const [isAsking, setAsking] = useState(false)
  const [secret, setSecret] = useState<string>()
  return (
    <Row title={words.secret} note={hasSecret ? words.secretSet : words.secretNone}>
      <AdminButton isSmall onClick={() => setAsking(true)}>
        {words.newSecret}
      </AdminButton>
      {isAsking && (
        <AskChange
          change="renew-payment-secret"
          refreshes={['payment-settings']}
          input={{}}
          onDone={(made) => {
            setAsking(false)
            setSecret(made.secret)
          }}
          title={words.newSecretTitle}
          lead={words.newSecretText}
          action={words.newSecret}
          isDangerous={hasSecret}
          onClose={() => setAsking(false)}
        />
      )}
      {secret !== undefined && (
        <SecretOnce
          title={words.theSecret}
          lead={words.theSecretLead}
          once={words.secretOnce}
          stored={words.secretStored}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </Row>
  )
}

// The server is stricter.
function isPageLink(text: string): boolean {
  return text === '' || (/^https?:\/\/[^/?#{}]+[/?]/.test(text) && /\{account\}/.test(text) && /\{amount\}/.test(text))
}
