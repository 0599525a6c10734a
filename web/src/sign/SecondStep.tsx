import { Link } from '@tanstack/react-router'
import { Fingerprint } from 'lucide-react'
import { useEffect, useState } from 'react'
import { call } from '../api.ts'
import { Button, Segments } from '../parts/forms/Button.tsx'
import { DigitBoxes } from '../parts/forms/DigitBoxes.tsx'
import { Field } from '../parts/forms/Form.tsx'
import { useAttempt } from '../parts/forms/use-attempt.ts'
import { type Me, useMe } from '../queries.ts'
import { initials } from '../shell/initials.ts'
import { useScreenWords } from '../words/words.ts'
import { Door } from './Door.tsx'
import { useEnter } from './enter.ts'
import { askPasskey } from './passkey.ts'
import { SignForm } from './SignForm.tsx'
import { PasskeyMistake } from './SignIn.tsx'
import css from './sign.module.css'

type Way = Me['factors'][number]

export function SecondStep() {
  const words = useScreenWords('sign').second
  const { factors, user } = useMe()
  const [way, setWay] = useState<Way>(factors[0] ?? 'totp')
  return (
    <Door title={words.title} lead={words.lead}>
      <p className={css.as}>
        <i aria-hidden="true">{initials(user?.email ?? '')}</i>
        <span>
          <small>{words.as}</small>
          {user?.email}
        </span>
        <Link to="/dashboard/sign-in">{words.notYou}</Link>
      </p>
      {factors.length > 1 && (
        <div className={css.ways}>
          <Segments
            label={words.way}
            value={way}
            onChange={setWay}
            of={factors.map((value) => ({ value, text: words.ways[value] }))}
          />
        </div>
      )}
      {way === 'passkey' ? <PasskeyStep /> : <CodeStep key={way} way={way} />}
      <p className={css.fine}>{words.lost}</p>
    </Door>
  )
}

function PasskeyStep() {
  const words = useScreenWords('sign').second
  const enter = useEnter()
  const attempt = useAttempt(async () => {
    const { options } = await call('second-step-passkey-options', {})
    await call('second-step-passkey', { response: await askPasskey(options) })
    await enter('signed-in')
  })
  return (
    <>
      <div className={css.touch}>
        <Fingerprint size={34} strokeWidth={1.4} />
        <p>{words.touch}</p>
      </div>
      <Button look="ink" className={css.wide} disabled={attempt.isBusy} onClick={attempt.start}>
        {words.ask}
      </Button>
      <PasskeyMistake error={attempt.error} />
    </>
  )
}

function CodeStep({ way }: { readonly way: Exclude<Way, 'passkey'> }) {
  const words = useScreenWords('sign').second
  const enter = useEnter()
  const [code, setCode] = useState('')
  const attempt = useAttempt(async () => {
    await call('second-step', { kind: way, code: code.trim() })
    await enter('signed-in')
  })
  return (
    <SignForm
      button={words.confirm}
      isBusy={attempt.isBusy}
      isReady={code.trim().length >= 6}
      error={attempt.error}
      onSubmit={attempt.start}
    >
      {way === 'recovery' ? (
        <Field
          label={words.recovery}
          hint={words.recoveryHint}
          isCode
          autoComplete="off"
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      ) : (
        <DigitBoxes
          label={way === 'totp' ? words.totp : words.telegram}
          hint={way === 'totp' ? words.totpHint : words.telegramHint}
          count={6}
          value={code}
          onChange={setCode}
        />
      )}
      {way === 'telegram' && <TelegramCode />}
    </SignForm>
  )
}

// The message goes out when the person chooses Telegram, not before.
function TelegramCode() {
  const words = useScreenWords('sign').second
  const { start, isBusy } = useAttempt(async () => {
    await call('send-telegram-code', {})
  })
  useEffect(start, [])
  return (
    <Button isSmall look="ghost" disabled={isBusy} onClick={start}>
      {words.sendAgain}
    </Button>
  )
}
