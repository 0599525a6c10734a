// Calls of all customers. Filters stand in the address; a search for a number goes in a body and comes back as IDs.

import type { WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import { PhoneCall, SearchX } from 'lucide-react'
import { call } from '../../api.ts'
import { useFormats } from '../../formats.ts'
import { Chip, TestTag } from '../../parts/charts/Ring.tsx'
import { Button, buttonClass } from '../../parts/forms/Button.tsx'
import { OlderCalls } from '../../parts/tables/Older.tsx'
import { type Column, Table } from '../../parts/tables/Table.tsx'
import { useOlder } from '../../parts/tables/use-older.ts'
import { PageHead } from '../../parts/text/Page.tsx'
import { Empty, Loaded } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { cleared, type Filters, givenOf, useFilters } from '../../shell/use-filters.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import { CallFilters, filterNames, periodMs, periodOf } from './CallFilters.tsx'
import css from './calls.module.css'
import { Fault } from './Fault.tsx'

type Input = WebInput<'calls'>
type Page = WebOutput<'calls'>
export type CallRow = Page['calls'][number]

const refreshMs = 10_000

export function Calls() {
  const words = useScreenWords('calls')
  const [filters, change] = useFilters()
  const input = inputOf(filters, Date.now())
  const query = useReadWith('calls', input, refreshMs)
  return (
    <>
      <PageHead title={words.title}>
        <a className={buttonClass()} href={`/web/calls.csv?${new URLSearchParams(input)}`} download>
          {words.csv}
        </a>
      </PageHead>
      <CallFilters filters={filters} change={change} />
      <Loaded query={query}>
        {(first) =>
          first.calls.length === 0 && first.nextBefore === null ? (
            <Nothing isFiltered={Object.keys(filters).length > 0} onClear={() => change(cleared(filters))} />
          ) : (
            <Rows key={JSON.stringify({ ...input, from: '' })} input={input} first={first} />
          )
        }
      </Loaded>
    </>
  )
}

function Rows({ input, first }: { readonly input: Input; readonly first: Page }) {
  const words = useScreenWords('calls')
  const list = useOlder(first, 'calls', 'id', (before) => call('calls', { ...input, before }))
  return (
    <>
      <Table
        caption={words.title}
        columns={useColumns()}
        items={list.items}
        keyOf={({ id }) => id}
        addressOf={({ id }) => `/console/calls/${id}`}
        lookOf={({ status, isTest }) => (status === 'ringing' ? 'ringing' : isTest ? 'test' : undefined)}
      />
      <OlderCalls list={list} lastId={list.items.at(-1)?.id} words={words} />
    </>
  )
}

function useColumns(): readonly Column<CallRow>[] {
  const { heads } = useScreenWords('calls')
  const { seconds } = useWords()
  const formats = useFormats()
  return [
    {
      name: 'time',
      head: heads.time,
      isQuiet: true,
      narrow: 4,
      cell: ({ at }) => <time dateTime={new Date(at).toISOString()}>{formats.moment(at)}</time>,
    },
    {
      name: 'customer',
      head: heads.customer,
      narrow: 5,
      cell: (row) => <span className={css.name}>{row.accountName}</span>,
    },
    { name: 'phone', head: heads.phone, narrow: 1, cell: ({ phoneMask }) => phoneMask },
    {
      name: 'provider',
      head: heads.provider,
      isQuiet: true,
      cell: ({ provider, region }) => (
        <span className={css.name}>{[provider || '–', region].filter(Boolean).join(', ')}</span>
      ),
    },
    { name: 'trunk', head: heads.trunk, narrow: 6, cell: ({ trunk }) => trunk ?? <span className={css.soft}>–</span> },
    {
      name: 'status',
      head: heads.status,
      narrow: 3,
      cell: ({ status, isTest }) => (
        <span className={css.status}>
          {isTest && <TestTag />}
          <Chip status={status} />
        </span>
      ),
    },
    {
      name: 'sip',
      head: heads.sip,
      narrow: 2,
      cell: ({ sipStatus }) => sipStatus ?? <span className={css.soft}>–</span>,
    },
    {
      name: 'side',
      head: heads.side,
      cell: ({ atFault }) => (atFault === null ? <span className={css.soft}>–</span> : <Fault side={atFault} />),
    },
    {
      name: 'rang',
      head: heads.rang,
      isRight: true,
      isQuiet: true,
      cell: ({ ringDelayMs }) =>
        ringDelayMs === null ? '–' : `${formats.seconds(ringDelayMs / 1_000)}\u00a0${seconds}`,
    },
  ]
}

function Nothing({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  const words = useScreenWords('calls')
  if (!isFiltered) return <Empty icon={PhoneCall} title={words.empty} text={words.emptyText} />
  return (
    <Empty icon={SearchX} title={words.none} text={words.noneText}>
      <Button onClick={onClear}>{words.clearAll}</Button>
    </Empty>
  )
}

function inputOf(filters: Filters, nowMs: number): Input {
  const given = givenOf(filters, filterNames) as Omit<Input, 'traffic'>
  const traffic = filters['traffic'] === 'test' ? 'test' : 'live'
  if (given.ids !== undefined) return { traffic, ids: given.ids }
  // By the minute: the same question within a minute has the same answer in the cache.
  return { traffic, ...given, from: String(Math.floor(nowMs / 60_000) * 60_000 - periodMs[periodOf(filters)]) }
}
