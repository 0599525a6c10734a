import { Link, Navigate } from '@tanstack/react-router'
import { useMe } from '../queries.ts'
import { useScreenWords } from '../words/words.ts'
import { Door } from './Door.tsx'
import { lastLetter } from './letter.ts'
import css from './sign.module.css'

export function CheckMail() {
  const words = useScreenWords('sign')
  const { installation } = useMe()
  const letter = lastLetter()
  // After a reload nothing is known of the letter.
  if (letter === undefined) return <Navigate to="/dashboard/sign-in" />
  const isReset = letter.kind === 'reset'
  const lead = isReset ? words.mail.leadReset(letter.email) : words.mail.lead(letter.email)
  return (
    <Door title={words.mail.title} lead={lead}>
      {installation.isDemo && <p className={css.demo}>{words.mail.demo}</p>}
      <p className={css.other}>
        {words.mail.nothing} <Link to={isReset ? '/dashboard/forgot' : '/dashboard/sign-up'}>{words.mail.again}</Link>
      </p>
      <p className={css.other}>
        <Link to="/dashboard/sign-in">{words.back}</Link>
      </p>
    </Door>
  )
}
