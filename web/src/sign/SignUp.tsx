import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call, RefusedError } from '../api.ts'
import { Field, Tick } from '../parts/forms/Form.tsx'
import { isPasswordGood, PasswordField } from '../parts/forms/PasswordField.tsx'
import { useAttempt } from '../parts/forms/use-attempt.ts'
import { type Me, useMe } from '../queries.ts'
import { useLanguage, useScreenWords } from '../words/words.ts'
import { Door } from './Door.tsx'
import { rememberLetter } from './letter.ts'
import { SignForm } from './SignForm.tsx'
import css from './sign.module.css'

export function SignUp() {
  const words = useScreenWords('sign').signUp
  const { installation } = useMe()
  return installation.isSignUpOpen ? (
    <Door title={words.title} lead={words.lead}>
      <SignUpForm installation={installation} />
      <p className={css.fine}>{words.letter}</p>
      <HaveAccount />
    </Door>
  ) : (
    <Door title={words.closed} lead={words.closedLead}>
      <HaveAccount />
    </Door>
  )
}

function SignUpForm({ installation }: { readonly installation: Me['installation'] }) {
  const words = useScreenWords('sign')
  const { language } = useLanguage()
  const navigate = useNavigate()
  const [accountName, setAccountName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const hasTerms = installation.termsUrl !== ''
  const [hasAccepted, setAccepted] = useState(false)
  const acceptsTerms = hasAccepted || !hasTerms
  const attempt = useAttempt(async () => {
    if (!isPasswordGood(password, email)) throw new RefusedError({ error: 'weak-password' })
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    await call('sign-up', { email, password, accountName, language, acceptsTerms, timeZone })
    rememberLetter({ email, kind: 'sign-up' })
    await navigate({ to: '/dashboard/check-mail' })
  })
  return (
    <SignForm
      button={words.signUp.button}
      isBusy={attempt.isBusy}
      isReady={acceptsTerms}
      error={attempt.error}
      onSubmit={attempt.start}
    >
      <Field
        label={words.signUp.name}
        hint={words.signUp.nameHint}
        autoComplete="organization"
        required
        maxLength={100}
        value={accountName}
        onChange={(event) => setAccountName(event.target.value)}
      />
      <Field
        label={words.email}
        type="email"
        autoComplete="username"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <PasswordField label={words.password} email={email} value={password} onChange={setPassword} />
      {hasTerms && (
        <Tick isOn={hasAccepted} onChange={setAccepted}>
          <Terms installation={installation} />
        </Tick>
      )}
    </SignForm>
  )
}

function Terms({ installation }: { readonly installation: Me['installation'] }) {
  const words = useScreenWords('sign').signUp
  return (
    <>
      {words.accept}{' '}
      <a href={installation.termsUrl} target="_blank" rel="noreferrer">
        {words.terms}
      </a>
      {installation.privacyUrl !== '' && (
        <>
          {' '}
          {words.and}{' '}
          <a href={installation.privacyUrl} target="_blank" rel="noreferrer">
            {words.privacy}
          </a>
        </>
      )}
    </>
  )
}

function HaveAccount() {
  const words = useScreenWords('sign').signUp
  return (
    <p className={css.other}>
      {words.have} <Link to="/dashboard/sign-in">{words.signIn}</Link>
    </p>
  )
}
