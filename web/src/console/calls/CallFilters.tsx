import { Search, X } from 'lucide-react'
import { useState } from 'react'
import { Button, Segments } from '../../parts/Button.tsx'
import { MenuChoice } from '../../parts/Menu.tsx'
import { Pick } from '../../parts/Pick.tsx'
import { Mistake } from '../../parts/State.tsx'
import { useChange } from '../../queries.ts'
import type { Filters } from '../../shell/use-filters.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import css from './calls.module.css'

type Props = { readonly filters: Filters; readonly change: (changes: Filters) => void }

export const periodMs = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 } as const
type Period = keyof typeof periodMs

// Filters that came with a link or a search.
export const removable = ['ids', 'trunk', 'provider', 'country', 'sip', 'reason', 'account'] as const

export function periodOf({ period }: Filters): Period {
  return period === 'hour' || period === 'week' ? period : 'day'
}

export function CallFilters({ filters, change }: Props) {
  const words = useScreenWords('calls')
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
      <Choices filters={filters} change={change} />
      {removable.flatMap((name) => {
        const value = filters[name]
        if (value === undefined) return []
        const text = name === 'ids' ? words.filterNames.ids : `${words.filterNames[name]}: ${value}`
        return [
          <Button key={name} isSmall aria-label={words.remove(text)} onClick={() => change({ [name]: undefined })}>
            {text}
            <X size={13} />
          </Button>,
        ]
      })}
    </div>
  )
}

function Choices({ filters, change }: Props) {
  const words = useScreenWords('calls')
  const { mode } = useWords()
  const side = filters['side'] as keyof typeof words.sides | undefined
  const chosenMode = filters['mode'] as keyof typeof mode | undefined
  const traffic = filters['traffic'] === 'test' ? 'test' : 'live'
  return (
    <>
      <Pick text={words.periods[periodOf(filters)]}>
        <MenuChoice
          closes
          label={words.period}
          value={periodOf(filters)}
          onChange={(period) => change({ period: period === 'day' ? undefined : period })}
          of={(Object.keys(periodMs) as Period[]).map((value) => ({ value, text: words.periods[value] }))}
        />
      </Pick>
      <Pick text={side === undefined ? words.side : words.sides[side]}>
        <MenuChoice
          closes
          label={words.side}
          value={side ?? ''}
          onChange={(value) => change({ side: value })}
          of={[
            { value: '', text: words.anySide },
            ...(['operator', 'carrier', 'subscriber'] as const).map((value) => ({ value, text: words.sides[value] })),
          ]}
        />
      </Pick>
      <Pick text={chosenMode === undefined ? words.mode : mode[chosenMode]}>
        <MenuChoice
          closes
          label={words.mode}
          value={chosenMode ?? ''}
          onChange={(value) => change({ mode: value })}
          of={[
            { value: '', text: words.anyMode },
            ...(['flash', 'voice', 'mix', 'inbound'] as const).map((value) => ({ value, text: mode[value] })),
          ]}
        />
      </Pick>
      <Pick text={words[traffic]}>
        <MenuChoice
          closes
          label={words.traffic}
          value={traffic}
          onChange={(value) => change({ traffic: value === 'live' ? undefined : value })}
          of={(['live', 'test'] as const).map((value) => ({ value, text: words[value] }))}
        />
      </Pick>
    </>
  )
}

function Find({ change }: Pick<Props, 'change'>) {
  const words = useScreenWords('calls')
  const [text, setText] = useState('')
  const find = useChange('find-calls')
  const submit = async () => {
    if (text.trim() === '') return
    const { ids } = await find.mutateAsync({ text })
    setText('')
    // No call has the ID 0: an empty list, with the filter to remove.
    change({ ids: ids.length === 0 ? '0' : ids.join(','), status: undefined, side: undefined, mode: undefined })
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
          maxLength={60}
          placeholder={words.find}
          title={words.findNote}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <Mistake error={find.error} />
      {find.data?.isComplete === false && <p role="status">{words.incomplete}</p>}
    </form>
  )
}
