import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { call, errorOf } from '../api.ts'
import { Field } from '../parts/forms/Form.tsx'
import { useAttempt } from '../parts/forms/use-attempt.ts'
import { useScreenWords } from '../words/words.ts'
import { Door } from './Door.tsx'
import { useEnter } from './enter.ts'
import { takeLinkToken } from './link-token.ts'
import { SignForm } from './SignForm.tsx'
import css from './sign.module.css'

// A click is enough in the browser that signed up. In another one the server asks for the password.
export function ConfirmEmail() {
  const words = useScreenWords('sign')
  const enter = useEnter()
  const [token] = useState(takeLinkToken)
  const { error, start } = useAttempt(async () => {
    const { stage } = await call('confirm-email', { token })
    await enter(stage)
  })
  // Once, however often the screen is drawn: the link works once.
  const hasStarted = useRef(false)
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    start()
  })
  if (error === undefined) return <Door title={words.confirm.title} lead={words.confirm.lead} />
  if (errorOf(error) === 'password-needed') return <ConfirmWithPassword token={token} />
  return (
    <Door title={words.confirm.failed} lead={words.confirm.failedLead}>
      <p className={css.other}>
        <Link to="/dashboard/sign-in">{words.back}</Link>
      </p>
    </Door>
  )
}

function ConfirmWithPassword({ token }: { readonly token: string }) {
  const words = useScreenWords('sign')
  const enter = useEnter()
  const [password, setPassword] = useState('')
  const attempt = useAttempt(async () => {
    const { stage } = await call('confirm-email', { token, password })
    await enter(stage)
  })
  return (
    <Door title={words.confirm.password} lead={words.confirm.passwordLead}>
      <SignForm button={words.next} isBusy={attempt.isBusy} error={attempt.error} onSubmit={attempt.start}>
        <Field
          label={words.password}
          name="password"
          isSecret
          isFirst
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </SignForm>
    </Door>
  )
}
