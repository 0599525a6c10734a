import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { call } from '../api.ts'
import { useAttempt } from '../parts/use-attempt.ts'
import { useScreenWords } from '../words/words.ts'
import { Door } from './Door.tsx'
import { useEnter } from './enter.ts'
import { takeLinkToken } from './link-token.ts'
import css from './sign.module.css'

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
  return (
    <Door title={words.confirm.failed} lead={words.confirm.failedLead}>
      <p className={css.other}>
        <Link to="/dashboard/sign-in">{words.back}</Link>
      </p>
    </Door>
  )
}
