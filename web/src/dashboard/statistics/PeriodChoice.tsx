import { Segments } from '../../parts/forms/Button.tsx'
import { useScreenWords } from '../../words/words.ts'
import type { Period } from '../verifications/period.ts'

export function PeriodChoice({
  value,
  onChange,
}: {
  // Undefined: any other one.
  readonly value: Period | undefined
  readonly onChange: (period: Period) => void
}) {
  const words = useScreenWords('statistics')
  return (
    <Segments
      label={words.period}
      value={value ?? ''}
      onChange={(period) => period !== '' && onChange(period)}
      of={(['day', 'week', 'month'] as const).map((period) => ({ value: period, text: words.periods[period] }))}
    />
  )
}
