import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api.ts'
import { useScreenWords } from '../words/words.ts'
import { Door } from './Door.tsx'
import { useEnter } from './enter.ts'
import { takeLinkToken } from './link-token.ts'
import css from './sign.module.css'

export function ConfirmEmail() {
  const words = useScreenWords('sign')
  const enter = useEnter()
  const [token] = useState(takeLinkToken)
  // A query, because it runs once however often the screen is drawn.
  const { error } = useQuery({
    queryKey: ['confirm-email', token],
    queryFn: async () => {
      const { stage } = await call('confirm-email', { token })
      await enter(stage)
      return stage
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error === null) return <Door title={words.confirm.title} lead={words.confirm.lead} />
  return (
    <Door title={words.confirm.failed} lead={words.confirm.failedLead}>
      <p className={css.other}>
        <Link to="/dashboard/sign-in">{words.back}</Link>
      </p>
    </Door>
  )
}
