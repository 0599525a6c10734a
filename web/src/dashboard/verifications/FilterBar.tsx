import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import {
  FilterRow,
  MenuFilter,
  ModeFilter,
  RemovableFilters,
  SearchForm,
  StatusFilter,
} from '../../parts/tables/Filters.tsx'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange, useRead } from '../../queries.ts'
import { noteFound, searchedText } from '../../shell/searched.ts'
import type { Filters } from '../../shell/use-filters.ts'
import { useScreenWords } from '../../words/words.ts'
import { reasonText } from './columns.tsx'
import { periodOf, type RemovableName, removable } from './filters.ts'
import { periods } from './period.ts'

type Props = { readonly filters: Filters; readonly change: (changes: Filters) => void }

export function FilterBar({ filters, change }: Props) {
  const words = useScreenWords('verifications')
  return (
    <FilterRow>
      <Find change={change} />
      <StatusFilter filters={filters} change={change} words={words} />
      <PeriodMenu filters={filters} change={change} />
      <ModeFilter filters={filters} change={change} words={words} />
      <ServiceMenu filters={filters} change={change} />
      <RemovableFilters
        names={removable}
        filters={filters}
        change={change}
        textOf={(name, value) => filterText(words, name, value)}
        remove={words.remove}
      />
    </FilterRow>
  )
}

const nothingFound = { number: undefined, client: undefined, ids: undefined }

// What is typed goes in a body and comes back as a name that says nothing.
function Find({ change }: Pick<Props, 'change'>) {
  const words = useScreenWords('verifications')
  const [text, setText] = useState('')
  const find = useChange('find-verifications')
  const submit = async () => {
    if (text.trim() === '') return
    const found = noteFound(text, await find.mutateAsync({ text }))
    change({
      ...nothingFound,
      ...found,
      status: undefined,
      mode: undefined,
      service: undefined,
      from: undefined,
      until: undefined,
    })
  }
  return (
    <SearchForm
      label={words.find}
      title={words.findNote}
      autoComplete="off"
      maxLength={200}
      value={text}
      onType={setText}
      onFind={() => void submit().catch(() => undefined)}
    >
      <Mistake error={find.error} />
    </SearchForm>
  )
}

function PeriodMenu({ filters, change }: Props) {
  const words = useScreenWords('verifications')
  const formats = useFormats()
  const { from, until } = filters
  const chosen =
    from === undefined || until === undefined
      ? undefined
      : words.chosen(formats.dayClock(Number(from)), formats.dayClock(Number(until)))
  return (
    <MenuFilter
      text={chosen}
      label={words.period}
      value={chosen === undefined ? periodOf(filters) : ''}
      onChange={(period) =>
        change({ period: period === 'day' ? undefined : period, from: undefined, until: undefined })
      }
      of={(Object.keys(periods) as (keyof typeof periods)[]).map((value) => ({ value, text: words.periods[value] }))}
    />
  )
}

function ServiceMenu({ filters, change }: Props) {
  const words = useScreenWords('verifications')
  const { data } = useRead('services')
  const services = data?.services ?? []
  if (services.length < 2) return null
  return (
    <MenuFilter
      label={words.service}
      value={filters['service'] ?? ''}
      onChange={(value) => change({ service: value })}
      of={[
        { value: '', text: words.anyService },
        ...services.map(({ id, name }) => ({ value: String(id), text: name })),
      ]}
    />
  )
}

function filterText(
  { filterNames, reasons }: ReturnType<typeof useScreenWords<'verifications'>>,
  name: RemovableName,
  value: string,
): string {
  // These say nothing to a person; after a reload the search is forgotten.
  if (name === 'number' || name === 'client' || name === 'ids') return searchedText(value) ?? filterNames[name]
  return `${filterNames[name]}: ${name === 'reason' ? reasonText(value, reasons) : value}`
}
