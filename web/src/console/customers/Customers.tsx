// All customers. The search and the state stand in the address.

import { accountStates } from '@ringproof/contract/lists/accounts.ts'
import type { WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import { SearchX, Users } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api.ts'
import { useFormats } from '../../formats.ts'
import { Segments } from '../../parts/forms/Button.tsx'
import { FilterRow, SearchForm } from '../../parts/tables/Filters.tsx'
import { Older } from '../../parts/tables/Older.tsx'
import { type Column, Table } from '../../parts/tables/Table.tsx'
import { useOlder } from '../../parts/tables/use-older.ts'
import { PageHeadline, useLost } from '../../parts/text/Headline.tsx'
import { Empty, Loaded } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { type Filters, useFilters } from '../../shell/use-filters.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './customers.module.css'
import { customersHeadline } from './customers-headline.ts'
import { RiskMeter, StateChip } from './RiskMeter.tsx'

type Input = WebInput<'customers'>
type Page = WebOutput<'customers'>
type Customer = Page['customers'][number]

const refreshMs = 15_000

export function Customers() {
  const words = useScreenWords('customers')
  const [filters, change] = useFilters()
  const state = accountStates.find((one) => one === filters['state'])
  const { text } = filters
  const input: Input = { ...(text === undefined ? {} : { text }), ...(state === undefined ? {} : { state }) }
  const query = useReadWith('customers', input, refreshMs)
  const lost = useLost(query)
  return (
    <Loaded query={query}>
      {(first) => (
        <>
          <PageHeadline headline={customersHeadline(first.customers, lost, words)} />
          <FilterRow className={css.filters}>
            <Find key={text} text={text ?? ''} change={change} />
            <Segments
              label={words.stateLabel}
              value={state ?? 'all'}
              onChange={(value) => change({ state: value === 'all' ? undefined : value })}
              of={(['all', ...accountStates] as const).map((value) => ({ value, text: words.states[value] }))}
            />
          </FilterRow>
          {first.customers.length === 0 ? (
            <Nothing isFiltered={Object.keys(input).length > 0} />
          ) : (
            <Rows key={JSON.stringify(input)} input={input} first={first} />
          )}
        </>
      )}
    </Loaded>
  )
}

function Find({ text, change }: { readonly text: string; readonly change: (changes: Filters) => void }) {
  const words = useScreenWords('customers')
  const [typed, setTyped] = useState(text)
  return (
    <SearchForm
      label={words.search}
      maxLength={100}
      value={typed}
      onType={setTyped}
      onFind={() => change({ text: typed.trim() })}
    />
  )
}

function Rows({ input, first }: { readonly input: Input; readonly first: Page }) {
  const words = useScreenWords('customers')
  const list = useOlder(first, 'customers', 'id', (before) => call('customers', { ...input, before }))
  return (
    <>
      <Table
        caption={words.title}
        columns={useColumns()}
        items={list.items}
        keyOf={({ id }) => id}
        addressOf={({ id }) => `/console/customers/${id}`}
      />
      <Older list={list} text={words.older} />
    </>
  )
}

function useColumns(): readonly Column<Customer>[] {
  const words = useScreenWords('customers')
  const { heads } = words
  const formats = useFormats()
  return [
    {
      name: 'customer',
      head: heads.customer,
      narrow: 1,
      cell: ({ id, name }) => (
        <span className={css.name}>
          <b>{name}</b> <small>{id}</small>
        </span>
      ),
    },
    {
      name: 'risk',
      head: heads.risk,
      narrow: 4,
      cell: ({ state, risk }) => (state === 'active' ? <RiskMeter risk={risk} /> : <StateChip state={state} />),
    },
    {
      name: 'balance',
      head: heads.balance,
      isRight: true,
      narrow: 3,
      cell: ({ balance }) => <b className={css.money}>{formats.money(balance)}</b>,
    },
    { name: 'tariff', head: heads.tariff, isQuiet: true, cell: ({ tariff }) => tariff },
    { name: 'services', head: heads.services, isRight: true, cell: ({ services }) => formats.number(services) },
    {
      name: 'cap',
      head: heads.cap,
      isRight: true,
      isQuiet: true,
      cell: ({ spentToday, dayCap }) =>
        dayCap === null ? formats.money(spentToday) : words.ofCap(formats.money(spentToday), formats.cap(dayCap)),
    },
    { name: 'calls', head: heads.calls, isRight: true, cell: ({ calls }) => formats.number(calls) },
    {
      name: 'rang',
      head: heads.rang,
      isRight: true,
      narrow: 5,
      cell: ({ rang }) => (rang === null ? '–' : formats.percent(rang)),
    },
    {
      name: 'last',
      head: heads.last,
      isQuiet: true,
      narrow: 6,
      cell: ({ lastRequestAt }) => (lastRequestAt === null ? '–' : formats.ago(lastRequestAt)),
    },
  ]
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  const words = useScreenWords('customers')
  return isFiltered ? (
    <Empty icon={SearchX} title={words.none} text={words.noneText} />
  ) : (
    <Empty icon={Users} title={words.empty} text={words.emptyText} />
  )
}
