import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call, RefusedError } from '../api.ts'
import { isPasswordGood, PasswordField } from '../parts/forms/PasswordField.tsx'
import { useAttempt } from '../parts/forms/use-attempt.ts'
import { useScreenWords } from '../words/words.ts'
import { Door } from './Door.tsx'
import { takeLinkToken } from './link-token.ts'
import { SignForm } from './SignForm.tsx'
import css from './sign.module.css'

export function ResetPassword() {
  const words = useScreenWords('sign')
  const [token] = useState(takeLinkToken)
  const [password, setPassword] = useState('')
  const [isChanged, setChanged] = useState(false)
  const attempt = useAttempt(async () => {
    if (!isPasswordGood(password)) throw new RefusedError({ error: 'weak-password' })
    await call('reset-password', { token, password })
    setChanged(true)
  })
  const toSignIn = (
    <p className={css.other}>
      <Link to="/dashboard/sign-in">{words.back}</Link>
    </p>
  )
  if (isChanged) {
    return (
      <Door title={words.reset.title} lead={words.signIn.changed}>
        {toSignIn}
      </Door>
    )
  }
  if (token === '') {
    return (
      <Door title={words.confirm.failed} lead={words.confirm.failedLead}>
        {toSignIn}
      </Door>
    )
  }
  return (
    <Door title={words.reset.title} lead={words.reset.lead}>
      <SignForm button={words.reset.button} isBusy={attempt.isBusy} error={attempt.error} onSubmit={attempt.start}>
        <PasswordField label={words.reset.password} value={password} onChange={setPassword} />
      </SignForm>
      {toSignIn}
    </Door>
  )
}
