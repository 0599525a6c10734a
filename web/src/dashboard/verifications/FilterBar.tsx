import { Search, X } from 'lucide-react'
import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { Button, Segments } from '../../parts/Button.tsx'
import { MenuChoice } from '../../parts/Menu.tsx'
import { Pick } from '../../parts/Pick.tsx'
import { Mistake } from '../../parts/State.tsx'
import { useChange, useRead } from '../../queries.ts'
import type { Filters } from '../../shell/use-filters.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import { reasonText } from './columns.tsx'
import { periodOf, periods, removable } from './filters.ts'
import css from './verifications.module.css'

type Props = { readonly filters: Filters; readonly change: (changes: Filters) => void }

export function FilterBar({ filters, change }: Props) {
  const words = useScreenWords('verifications')
  const { status } = useWords()
  return (
    <div className={css.filters}>
      <Find change={change} />
      <Segments
        label={words.status}
        value={filters['status'] ?? 'all'}
        onChange={(value) => change({ status: value === 'all' ? undefined : value })}
        of={[
          { value: 'all', text: words.all },
          { value: 'succeeded', text: status.succeeded },
          { value: 'failed', text: status.failed },
          { value: 'open', text: words.open },
        ]}
      />
      <PeriodMenu filters={filters} change={change} />
      <ModeMenu filters={filters} change={change} />
      <ServiceMenu filters={filters} change={change} />
      <Others filters={filters} change={change} />
    </div>
  )
}

// What is typed goes in a body and comes back as a name that says nothing.
function Find({ change }: Pick<Props, 'change'>) {
  const words = useScreenWords('verifications')
  const [text, setText] = useState('')
  const find = useChange('find-verifications')
  const submit = async () => {
    if (text.trim() === '') return
    const { number, client, ids } = await find.mutateAsync({ text })
    const found = { number: number ?? undefined, client: client ?? undefined, ids: ids ?? undefined }
    setText('')
    change({ ...found, status: undefined, mode: undefined, service: undefined, from: undefined, until: undefined })
  }
  return (
    <form
      className={css.search}
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        submit().catch(() => undefined)
      }}
    >
      <label>
        <Search size={15} aria-hidden="true" />
        <span className="unseen">{words.find}</span>
        <input
          type="search"
          autoComplete="off"
          maxLength={200}
          placeholder={words.find}
          title={words.findNote}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <Mistake error={find.error} />
    </form>
  )
}

function PeriodMenu({ filters, change }: Props) {
  const words = useScreenWords('verifications')
  const formats = useFormats()
  const { from, until } = filters
  const isChosen = from !== undefined && until !== undefined
  const value = isChosen ? '' : periodOf(filters)
  return (
    <Pick
      text={
        isChosen
          ? words.chosen(formats.dayClock(Number(from)), formats.dayClock(Number(until)))
          : words.periods[periodOf(filters)]
      }
    >
      <MenuChoice
        closes
        label={words.period}
        value={value}
        onChange={(period) =>
          change({ period: period === 'day' ? undefined : period, from: undefined, until: undefined })
        }
        of={(Object.keys(periods) as (keyof typeof periods)[]).map((period) => ({
          value: period,
          text: words.periods[period],
        }))}
      />
    </Pick>
  )
}

function ModeMenu({ filters, change }: Props) {
  const words = useScreenWords('verifications')
  const { mode } = useWords()
  const chosen = filters['mode'] as keyof typeof mode | undefined
  return (
    <Pick text={chosen === undefined ? words.mode : mode[chosen]}>
      <MenuChoice
        closes
        label={words.mode}
        value={chosen ?? ''}
        onChange={(value) => change({ mode: value })}
        of={[
          { value: '', text: words.anyMode },
          ...(['flash', 'voice', 'mix', 'inbound'] as const).map((value) => ({ value, text: mode[value] })),
        ]}
      />
    </Pick>
  )
}

function ServiceMenu({ filters, change }: Props) {
  const words = useScreenWords('verifications')
  const { data } = useRead('services')
  const services = data?.services ?? []
  if (services.length < 2) return null
  const chosen = services.find(({ id }) => String(id) === filters['service'])
  return (
    <Pick text={chosen?.name ?? words.service}>
      <MenuChoice
        closes
        label={words.service}
        value={filters['service'] ?? ''}
        onChange={(value) => change({ service: value })}
        of={[
          { value: '', text: words.anyService },
          ...services.map(({ id, name }) => ({ value: String(id), text: name })),
        ]}
      />
    </Pick>
  )
}

// Filters that came with a link or a search.
function Others({ filters, change }: Props) {
  const words = useScreenWords('verifications')
  return removable.flatMap((name) => {
    const value = filters[name]
    if (value === undefined) return []
    const isOpaque = name === 'number' || name === 'client' || name === 'ids'
    const text = isOpaque ? words.filterNames[name] : `${words.filterNames[name]}: ${shownValue(words, name, value)}`
    return [
      <Button key={name} isSmall aria-label={words.remove(text)} onClick={() => change({ [name]: undefined })}>
        {text}
        <X size={13} />
      </Button>,
    ]
  })
}

function shownValue(words: ReturnType<typeof useScreenWords<'verifications'>>, name: string, value: string): string {
  if (name === 'reason') return reasonText(value, words.reasons)
  return value
}
