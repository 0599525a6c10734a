// Calls of all customers. Filters stand in the address; a search for a number goes in a body and comes back as IDs.

import type { WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import { PhoneCall, SearchX } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api.ts'
import { useFormats } from '../../formats.ts'
import { Button, buttonClass } from '../../parts/Button.tsx'
import { PageHead } from '../../parts/Page.tsx'
import { Chip, TestTag } from '../../parts/Ring.tsx'
import { Empty, Loaded, Mistake } from '../../parts/State.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { useReadWith } from '../../queries.ts'
import { type Filters, useFilters } from '../../shell/use-filters.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import { CallFilters, periodMs, periodOf, removable } from './CallFilters.tsx'
import css from './calls.module.css'
import { Fault } from './Fault.tsx'

type Input = WebInput<'calls'>
type Page = WebOutput<'calls'>
export type CallRow = Page['calls'][number]

// The seconds of an ID since 2026 stand above its lowest 23 bits.
const idEpochMs = 1_767_225_600_000
const refreshMs = 10_000

export function Calls() {
  const words = useScreenWords('calls')
  const [filters, change] = useFilters()
  const input = inputOf(filters, Date.now())
  const query = useReadWith('calls', input, refreshMs)
  return (
    <>
      <PageHead title={words.title}>
        <a className={buttonClass()} href={`/web/calls.csv?${new URLSearchParams(csvInput(input))}`} download>
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
  const formats = useFormats()
  const [older, setOlder] = useState<Page>()
  const [error, setError] = useState<unknown>()
  const known = new Set(first.calls.map(({ id }) => id))
  const calls = [...first.calls, ...(older?.calls ?? []).filter(({ id }) => !known.has(id))]
  const { nextBefore } = older ?? first
  const loadOlder = async () => {
    try {
      const page = await call('calls', { ...input, before: String(nextBefore) })
      setError(undefined)
      setOlder({ calls: [...calls, ...page.calls], nextBefore: page.nextBefore })
    } catch (failure) {
      setError(failure)
    }
  }
  // Of a rare kind only so many calls are compared at once.
  const hasSearchedOn = nextBefore !== null && nextBefore !== calls.at(-1)?.id
  return (
    <>
      <Table
        caption={words.title}
        columns={useColumns()}
        items={calls}
        keyOf={({ id }) => id}
        addressOf={({ id }) => `/console/calls/${id}`}
        lookOf={({ status, isTest }) => (status === 'ringing' ? 'ringing' : isTest ? 'test' : undefined)}
      />
      {nextBefore !== null && (
        <div className={css.more}>
          {hasSearchedOn && (
            <span>{words.searchedTo(formats.dayClock(idEpochMs + Math.floor(nextBefore / 2 ** 23) * 1_000))}</span>
          )}
          <Button onClick={() => void loadOlder().catch(() => undefined)}>
            {hasSearchedOn ? words.searchOn : words.older}
          </Button>
          <Mistake error={error} />
        </div>
      )}
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
  const names = ['status', 'mode', 'side', ...removable] as const
  const given = Object.fromEntries(
    names.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]])),
  ) as Omit<Input, 'traffic'>
  const traffic = filters['traffic'] === 'test' ? 'test' : 'live'
  if (given.ids !== undefined) return { traffic, ids: given.ids }
  // By the minute: the same question within a minute has the same answer in the cache.
  return { traffic, ...given, from: String(Math.floor(nowMs / 60_000) * 60_000 - periodMs[periodOf(filters)]) }
}

function csvInput(input: Input): [string, string][] {
  return Object.entries(input).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
}

function cleared(filters: Filters): Filters {
  return Object.fromEntries(Object.keys(filters).map((name) => [name, undefined]))
}
