import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api.ts'
import { Field } from '../parts/forms/Form.tsx'
import { useAttempt } from '../parts/forms/use-attempt.ts'
import { useLanguage, useScreenWords } from '../words/words.ts'
import { Door } from './Door.tsx'
import { rememberLetter } from './letter.ts'
import { SignForm } from './SignForm.tsx'
import css from './sign.module.css'

export function ForgotPassword() {
  const words = useScreenWords('sign')
  const { language } = useLanguage()
  const navigate = useNavigate()
  const [email, setEmail] = useState('')
  const attempt = useAttempt(async () => {
    await call('forgot-password', { email, language })
    rememberLetter({ email, kind: 'reset' })
    await navigate({ to: '/dashboard/check-mail' })
  })
  return (
    <Door title={words.forgot.title} lead={words.forgot.lead}>
      <SignForm button={words.forgot.button} isBusy={attempt.isBusy} error={attempt.error} onSubmit={attempt.start}>
        <Field
          label={words.email}
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </SignForm>
      <p className={css.other}>
        <Link to="/dashboard/sign-in">{words.back}</Link>
      </p>
    </Door>
  )
}
