// Who changed what, over all databases. The filters stand in the address.

import type { WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import { ScrollText, SearchX } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api.ts'
import { useFormats } from '../../formats.ts'
import { Button, buttonClass } from '../../parts/forms/Button.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { Older } from '../../parts/tables/Older.tsx'
import { type Column, Table } from '../../parts/tables/Table.tsx'
import { useOlder } from '../../parts/tables/use-older.ts'
import { PageHead, Section } from '../../parts/text/Page.tsx'
import { Empty, Loaded } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { type Filters, givenOf, useFilters } from '../../shell/use-filters.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './audit.module.css'

type Input = WebInput<'audit-log'>
type Page = WebOutput<'audit-log'>
type Entry = Page['entries'][number]

const names = ['action', 'who', 'account'] as const
const refreshMs = 15_000

export function Audit() {
  const words = useScreenWords('audit')
  const [filters, change] = useFilters()
  const input = givenOf(filters, names)
  const query = useReadWith('audit-log', input, refreshMs)
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <a className={buttonClass()} href={`/web/audit.csv?${new URLSearchParams(input)}`} download>
          {words.csv}
        </a>
      </PageHead>
      <FilterForm key={JSON.stringify(input)} filters={filters} change={change} />
      <Loaded query={query}>
        {(first) => (
          <>
            {first.entries.length === 0 ? (
              <Nothing isFiltered={Object.keys(input).length > 0} />
            ) : (
              <Rows key={JSON.stringify(input)} input={input} first={first} />
            )}
            <Chains chains={first.chains} />
          </>
        )}
      </Loaded>
    </>
  )
}

function FilterForm({ filters, change }: { readonly filters: Filters; readonly change: (changes: Filters) => void }) {
  const words = useScreenWords('audit')
  const [typed, setTyped] = useState<Filters>(() =>
    Object.fromEntries(names.map((name) => [name, filters[name] ?? ''])),
  )
  return (
    <form
      className={css.filters}
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        change(Object.fromEntries(names.map((name) => [name, (typed[name] ?? '').trim()])))
      }}
    >
      {names.map((name) => (
        <Field
          key={name}
          label={words[name]}
          value={typed[name] ?? ''}
          maxLength={60}
          {...(name === 'account' ? { inputMode: 'numeric' as const, pattern: '\\d{1,16}' } : {})}
          onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
        />
      ))}
      <div className={css.actions}>
        <Button type="submit">{words.search}</Button>
        {names.some((name) => filters[name] !== undefined) && (
          <Button look="ghost" onClick={() => change(Object.fromEntries(names.map((name) => [name, undefined])))}>
            {words.clear}
          </Button>
        )}
      </div>
    </form>
  )
}

function Rows({ input, first }: { readonly input: Input; readonly first: Page }) {
  const words = useScreenWords('audit')
  const list = useOlder(first, 'entries', 'key', (before) => call('audit-log', { ...input, before }))
  return (
    <>
      <Table caption={words.title} columns={useColumns()} items={list.items} keyOf={({ key }) => key} />
      <Older list={list} text={words.older} />
    </>
  )
}

function useColumns(): readonly Column<Entry>[] {
  const { heads, nobody } = useScreenWords('audit')
  const formats = useFormats()
  return [
    {
      name: 'time',
      head: heads.time,
      isQuiet: true,
      narrow: 4,
      cell: ({ at }) => <time dateTime={new Date(at).toISOString()}>{formats.moment(at)}</time>,
    },
    { name: 'who', head: heads.who, narrow: 5, cell: ({ who }) => <span className={css.who}>{who || nobody}</span> },
    // Actions are named in English, as the command line and the exports name them.
    { name: 'action', head: heads.action, narrow: 1, cell: ({ action }) => <b className={css.action}>{action}</b> },
    { name: 'customer', head: heads.customer, isQuiet: true, narrow: 3, cell: ({ accountId }) => accountId ?? '–' },
    {
      name: 'details',
      head: heads.details,
      cell: ({ details }) => <code className={css.details}>{details === '{}' ? '' : details}</code>,
    },
    { name: 'address', head: heads.address, isQuiet: true, narrow: 6, cell: ({ address }) => address },
  ]
}

function Chains({ chains }: { readonly chains: Page['chains'] }) {
  const words = useScreenWords('audit')
  const formats = useFormats()
  return (
    <div className={css.chains}>
      <Section title={words.chain} lead={words.chainLead}>
        <ul>
          {chains.map(({ sequence, hash, chainedAt }, database) => (
            <li key={database}>
              {chainedAt === null ? (
                words.notChained(database)
              ) : (
                <>
                  <b>{words.link(database, formats.number(sequence))}</b> {words.chained(formats.ago(chainedAt))}
                  <code>{hash}</code>
                </>
              )}
            </li>
          ))}
        </ul>
      </Section>
    </div>
  )
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  const words = useScreenWords('audit')
  return isFiltered ? (
    <Empty icon={SearchX} title={words.none} text={words.noneText} />
  ) : (
    <Empty icon={ScrollText} title={words.empty} text={words.emptyText} />
  )
}
