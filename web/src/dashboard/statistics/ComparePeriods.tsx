import { CalendarRange } from 'lucide-react'
import { use, useState } from 'react'
import { TimeZoneContext, useFormats } from '../../formats.ts'
import { Ask } from '../../parts/forms/Ask.tsx'
import { Button } from '../../parts/forms/Button.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { dayAfter, dayOf, startOfDay } from '../../parts/tables/zone-day.ts'
import type { Filters } from '../../shell/use-filters.ts'
import { useScreenWords } from '../../words/words.ts'
import type { Data } from './figures.ts'
import css from './statistics.module.css'

type Change = (changes: Filters) => void

// Which two periods the figures compare, and a dialog to choose any others.
export function ComparePeriods({
  data,
  isChosen,
  change,
}: {
  readonly data: Data
  readonly isChosen: boolean
  readonly change: Change
}) {
  const words = useScreenWords('statistics')
  const rangeText = useRangeText()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={css.compared}>
      <span>{words.compared(rangeText(data), rangeText(data.compared))}</span>
      <Button isSmall look="ghost" onClick={() => setOpen(true)}>
        <CalendarRange size={15} aria-hidden="true" />
        {words.compare}
      </Button>
      {isChosen && (
        <Button isSmall look="ghost" onClick={() => change(none)}>
          {words.compareReset}
        </Button>
      )}
      {isOpen && <Choose data={data} change={change} onClose={() => setOpen(false)} />}
    </div>
  )
}

const none = { from: undefined, until: undefined, compareFrom: undefined, compareUntil: undefined }

function Choose({
  data,
  change,
  onClose,
}: {
  readonly data: Data
  readonly change: Change
  readonly onClose: () => void
}) {
  const words = useScreenWords('statistics')
  const zone = use(TimeZoneContext)
  const [days, setDays] = useState({
    from: dayOf(data.from, zone),
    last: dayOf(data.until - 1, zone),
    comparedFrom: dayOf(data.compared.from, zone),
    comparedLast: dayOf(data.compared.until - 1, zone),
  })
  const isWhole = Object.values(days).every((day) => day !== '')
  const isOrdered = days.from <= days.last && days.comparedFrom <= days.comparedLast
  const today = dayOf(Date.now(), zone)
  const field = (name: keyof typeof days, label: string) => (
    <Field
      type="date"
      label={label}
      max={today}
      value={days[name]}
      onChange={({ target }) => setDays({ ...days, [name]: target.value })}
    />
  )
  const apply = () => {
    const startText = (day: string) => String(startOfDay(day, zone))
    change({
      period: undefined,
      from: startText(days.from),
      until: startText(dayAfter(days.last)),
      compareFrom: startText(days.comparedFrom),
      compareUntil: startText(dayAfter(days.comparedLast)),
    })
    onClose()
  }
  return (
    <Ask
      title={words.compareTitle}
      lead={words.compareLead}
      action={words.compareAct}
      isReady={isWhole && isOrdered}
      isBusy={false}
      error={null}
      onDo={apply}
      onClose={onClose}
    >
      <div className={css.days}>
        {field('from', words.days.from)}
        {field('last', words.days.last)}
        {field('comparedFrom', words.days.comparedFrom)}
        {field('comparedLast', words.days.comparedLast)}
      </div>
      {isWhole && !isOrdered && <p role="alert">{words.daysWrong}</p>}
    </Ask>
  )
}

// Whole days without the clock; the end of a period does not belong to it.
function useRangeText(): (range: { readonly from: number; readonly until: number }) => string {
  const words = useScreenWords('statistics')
  const formats = useFormats()
  const zone = use(TimeZoneContext)
  const isMidnight = (ms: number) => startOfDay(dayOf(ms, zone), zone) === ms
  return ({ from, until }) => {
    if (!isMidnight(from) || !isMidnight(until)) return words.range(formats.dayClock(from), formats.dayClock(until))
    const [first, last] = [formats.fullDay(from), formats.fullDay(until - 1)]
    return first === last ? first : words.range(first, last)
  }
}
