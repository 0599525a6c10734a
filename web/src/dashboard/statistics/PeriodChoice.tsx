import { Segments } from '../../parts/Button.tsx'
import { useScreenWords } from '../../words/words.ts'
import type { Period } from '../verifications/filters.ts'

export function PeriodChoice({
  value,
  onChange,
}: {
  readonly value: Period
  readonly onChange: (period: Period) => void
}) {
  const words = useScreenWords('statistics')
  return (
    <Segments
      label={words.period}
      value={value}
      onChange={onChange}
      of={(['day', 'week', 'month'] as const).map((period) => ({ value: period, text: words.periods[period] }))}
    />
  )
}
