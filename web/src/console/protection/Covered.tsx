import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useFormats } from '../../formats.ts'
import { Segments } from '../../parts/forms/Button.tsx'
import { useScreenWords } from '../../words/words.ts'
import css from './protection.module.css'

const periods = ['1', '7', '30'] as const
export type PeriodDays = (typeof periods)[number]

export function Period({
  value,
  onChange,
}: {
  readonly value: PeriodDays
  readonly onChange: (value: PeriodDays) => void
}) {
  const words = useScreenWords('protection')
  return (
    <Segments
      label={words.period}
      value={value}
      of={periods.map((days) => ({ value: days, text: words.forDays(Number(days)) }))}
      onChange={onChange}
    />
  )
}

// Which calls were read, and what the result cannot say.
export function Covered({
  replayed: { calls, from, until, isWhole },
  hasBreaker,
}: {
  readonly replayed: WebOutput<'replay-fraud-rules'>
  readonly hasBreaker: boolean
}) {
  const words = useScreenWords('protection')
  const formats = useFormats()
  return (
    <p className={css.note}>
      {words.covered(calls, formats.dayClock(from), formats.dayClock(until))} {!isWhole && `${words.cut} `}
      {words.means} {hasBreaker && words.breakerNote}
    </p>
  )
}
