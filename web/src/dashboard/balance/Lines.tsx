import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { call } from '../../api.ts'
import { useFormats } from '../../formats.ts'
import { Button } from '../../parts/forms/Button.tsx'
import { type Column, Table } from '../../parts/tables/Table.tsx'
import { Loaded, Mistake } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './balance.module.css'
import { Change } from './Change.tsx'

type Page = WebOutput<'ledger-lines'>
type Line = Page['lines'][number]

export function Lines({ day }: { readonly day: string }) {
  const words = useScreenWords('balance')
  const formats = useFormats()
  const query = useReadWith('ledger-lines', { day })
  return (
    <section className={css.section}>
      <h2>{words.lines(formats.day(Date.parse(`${day}T12:00Z`)))}</h2>
      <Loaded query={query}>{(first) => <OfDay day={day} first={first} />}</Loaded>
    </section>
  )
}

function OfDay({ day, first }: { readonly day: string; readonly first: Page }) {
  const words = useScreenWords('balance')
  const formats = useFormats()
  const [older, setOlder] = useState<Page>()
  const [error, setError] = useState<unknown>()
  const lines = [...first.lines, ...(older?.lines ?? [])]
  const nextBefore = (older ?? first).nextBefore
  const columns = useColumns()
  const load = async () => {
    try {
      const page = await call('ledger-lines', { day, before: String(nextBefore) })
      setOlder({ lines: [...(older?.lines ?? []), ...page.lines], nextBefore: page.nextBefore })
    } catch (failure) {
      setError(failure)
    }
  }
  if (lines.length === 0) return <p className={css.note}>{words.rolledUp}</p>
  return (
    <>
      <Table
        caption={words.lines(formats.day(Date.parse(`${day}T12:00Z`)))}
        columns={columns}
        items={lines}
        keyOf={({ id }) => id}
        addressOf={({ id, move }) => dashboardAddress(move === 'capture' ? `verifications/${id}` : 'balance', 'live')}
      />
      {nextBefore !== null && (
        <p className={css.more}>
          <Button onClick={() => void load().catch(() => undefined)}>{words.older}</Button>
        </p>
      )}
      <Mistake error={error} />
    </>
  )
}

function useColumns(): readonly Column<Line>[] {
  const words = useScreenWords('balance')
  const formats = useFormats()
  return [
    { name: 'time', head: words.lineHeads.time, cell: ({ at }) => formats.moment(at), isQuiet: true, narrow: 1 },
    {
      name: 'what',
      head: words.lineHeads.what,
      cell: ({ id, move, reference }) => {
        if (move === 'capture') return <code>{id}</code>
        return move === 'charge' ? words.check : `${words.kinds[move]} ${reference ?? ''}`
      },
      narrow: 2,
    },
    {
      name: 'change',
      head: words.lineHeads.change,
      cell: ({ change }) => <Change value={change} />,
      isRight: true,
      narrow: 3,
    },
  ]
}
