import { Link } from '@tanstack/react-router'
import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { call } from '../api.ts'
import { Button } from '../parts/forms/Button.tsx'
import { Field } from '../parts/forms/Form.tsx'
import { useAttempt } from '../parts/forms/use-attempt.ts'
import { Mistake } from '../parts/text/State.tsx'
import { useMe } from '../queries.ts'
import { useScreenWords } from '../words/words.ts'
import { Door } from './Door.tsx'
import { useEnter } from './enter.ts'
import { askPasskey } from './passkey.ts'
import { SignForm } from './SignForm.tsx'
import css from './sign.module.css'

export function SignIn() {
  const words = useScreenWords('sign')
  const { installation } = useMe()
  const enter = useEnter()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const attempt = useAttempt(async () => {
    const { stage } = await call('sign-in', { email, password })
    await enter(stage)
  })
  return (
    <Door title={words.signIn.title} lead={words.signIn.lead(installation.name)}>
      <SignForm button={words.next} isBusy={attempt.isBusy} error={attempt.error} onSubmit={attempt.start}>
        <Field
          label={words.email}
          type="email"
          name="email"
          autoComplete="username webauthn"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Field
          label={words.password}
          name="password"
          isSecret
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          aside={<Link to="/dashboard/forgot">{words.signIn.forgot}</Link>}
        />
      </SignForm>
      <PasskeyButton />
      {installation.isSignUpOpen && (
        <p className={css.other}>
          {words.signIn.noAccount} <Link to="/dashboard/sign-up">{words.signIn.signUp}</Link>
        </p>
      )}
    </Door>
  )
}

// Passkeys need HTTPS or localhost; elsewhere the browser has no such thing.
function PasskeyButton() {
  const words = useScreenWords('sign')
  const enter = useEnter()
  const attempt = useAttempt(async () => {
    const { options } = await call('passkey-sign-in-options', {})
    const { stage } = await call('passkey-sign-in', { response: await askPasskey(options) })
    await enter(stage)
  })
  if (!('PublicKeyCredential' in window)) return null
  return (
    <>
      <p className={css.or}>
        <span>{words.or}</span>
      </p>
      <Button className={css.wide} disabled={attempt.isBusy} onClick={attempt.start}>
        <Fingerprint size={17} />
        {words.signIn.passkey}
      </Button>
      <PasskeyMistake error={attempt.error} />
    </>
  )
}

// The browser does not say why it gave no passkey: the person closed its dialog, or has none here.
export function PasskeyMistake({ error }: { readonly error: unknown }) {
  const words = useScreenWords('sign')
  if (error instanceof DOMException || (error instanceof Error && error.name === 'WebAuthnError')) {
    return <p className={css.fine}>{words.signIn.passkeyFailed}</p>
  }
  return <Mistake error={error} />
}
