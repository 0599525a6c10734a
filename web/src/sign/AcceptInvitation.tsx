import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call, RefusedError } from '../api.ts'
import { Field } from '../parts/forms/Form.tsx'
import { isPasswordGood, PasswordField } from '../parts/forms/PasswordField.tsx'
import { useAttempt } from '../parts/forms/use-attempt.ts'
import { Loading } from '../parts/text/State.tsx'
import { useLanguage, useScreenWords } from '../words/words.ts'
import { Door } from './Door.tsx'
import { useEnter } from './enter.ts'
import { takeLinkToken } from './link-token.ts'
import { SignForm } from './SignForm.tsx'
import css from './sign.module.css'

// Of a colleague into an account, and of an operator.
export function AcceptInvitation() {
  const words = useScreenWords('sign')
  const [token] = useState(takeLinkToken)
  const { data, error } = useQuery({
    queryKey: ['read-invitation', token],
    queryFn: () => call('read-invitation', { token }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (data !== undefined) return <InvitationForm token={token} invitation={data} />
  if (error === null) {
    return (
      <Door title={words.invitation.loading}>
        <Loading />
      </Door>
    )
  }
  return (
    <Door title={words.confirm.failed} lead={words.confirm.failedLead}>
      <p className={css.other}>
        <Link to="/dashboard/sign-in">{words.back}</Link>
      </p>
    </Door>
  )
}

function InvitationForm({
  token,
  invitation,
}: {
  readonly token: string
  readonly invitation: WebOutput<'read-invitation'>
}) {
  const { invitation: words } = useScreenWords('sign')
  const { language } = useLanguage()
  const enter = useEnter()
  const { email, accountName, needsPassword } = invitation
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const attempt = useAttempt(async () => {
    if (needsPassword && !isPasswordGood(password, email)) throw new RefusedError({ error: 'weak-password' })
    const { stage } = await call('accept-invitation', { token, password, name, language })
    await enter(stage)
  })
  return (
    <Door title={accountName === '' ? words.operatorTitle : words.title(accountName)} lead={words.lead(email)}>
      <SignForm button={words.button} isBusy={attempt.isBusy} error={attempt.error} onSubmit={attempt.start}>
        {needsPassword ? (
          <>
            <Field
              label={words.name}
              hint={words.nameHint}
              autoComplete="name"
              maxLength={100}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            <PasswordField label={words.newPassword} email={email} value={password} onChange={setPassword} />
          </>
        ) : (
          <Field
            label={words.ownPassword}
            isSecret
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </SignForm>
    </Door>
  )
}
