import { sides } from '@ringproof/contract/lists/calls.ts'
import { trafficKinds } from '@ringproof/contract/lists/requests.ts'
import { useState } from 'react'
import {
  FilterRow,
  MenuFilter,
  ModeFilter,
  RemovableFilters,
  SearchForm,
  StatusFilter,
} from '../../parts/tables/Filters.tsx'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange } from '../../queries.ts'
import type { FilterOf, Filters } from '../../shell/use-filters.ts'
import { dayMs, hourMs, weekMs } from '../../time.ts'
import { useScreenWords } from '../../words/words.ts'

type Props = { readonly filters: Filters; readonly change: (changes: Filters) => void }

export const periodMs = { hour: hourMs, day: dayMs, week: weekMs } as const
type Period = keyof typeof periodMs

type FilterName = FilterOf<'calls'>

// Every filter of the contract: one that is not here stands in no address.
const names = {
  status: 'chosen',
  mode: 'chosen',
  side: 'chosen',
  ids: 'removable',
  trunk: 'removable',
  provider: 'removable',
  country: 'removable',
  sip: 'removable',
  reason: 'removable',
  account: 'removable',
} as const satisfies Readonly<Record<FilterName, 'chosen' | 'removable'>>
export const filterNames = Object.keys(names) as readonly FilterName[]
type RemovableName = { [Name in FilterName]: (typeof names)[Name] extends 'removable' ? Name : never }[FilterName]

// They came with a link or a search.
const removable = filterNames.filter((name): name is RemovableName => names[name] === 'removable')

export function periodOf({ period }: Filters): Period {
  return period === 'hour' || period === 'week' ? period : 'day'
}

export function CallFilters({ filters, change }: Props) {
  const words = useScreenWords('calls')
  return (
    <FilterRow>
      <Find change={change} />
      <StatusFilter filters={filters} change={change} words={words} />
      <Choices filters={filters} change={change} />
      <RemovableFilters
        names={removable}
        filters={filters}
        change={change}
        textOf={(name, value) => (name === 'ids' ? words.filterNames.ids : `${words.filterNames[name]}: ${value}`)}
        remove={words.remove}
      />
    </FilterRow>
  )
}

function Choices({ filters, change }: Props) {
  const words = useScreenWords('calls')
  return (
    <>
      <MenuFilter
        label={words.period}
        value={periodOf(filters)}
        onChange={(period) => change({ period: period === 'day' ? undefined : period })}
        of={(Object.keys(periodMs) as Period[]).map((value) => ({ value, text: words.periods[value] }))}
      />
      <MenuFilter
        label={words.side}
        value={filters['side'] ?? ''}
        onChange={(value) => change({ side: value })}
        of={[{ value: '', text: words.anySide }, ...sides.map((value) => ({ value, text: words.sides[value] }))]}
      />
      <ModeFilter filters={filters} change={change} words={words} />
      <MenuFilter
        label={words.traffic}
        value={filters['traffic'] === 'test' ? 'test' : 'live'}
        onChange={(value) => change({ traffic: value === 'live' ? undefined : value })}
        of={trafficKinds.map((value) => ({ value, text: words[value] }))}
      />
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
    <SearchForm
      label={words.find}
      title={words.findNote}
      autoComplete="off"
      maxLength={60}
      value={text}
      onType={setText}
      onFind={() => void submit().catch(() => undefined)}
    >
      <Mistake error={find.error} />
      {find.data?.isComplete === false && <p role="status">{words.incomplete}</p>}
    </SearchForm>
  )
}
