// The rows. New ones appear at the top by themselves; once the reader has scrolled or loaded older ones, they wait behind a
// button, so that nothing jumps under the pointer.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api.ts'
import { Button } from '../../parts/forms/Button.tsx'
import { OlderCalls } from '../../parts/tables/Older.tsx'
import { Table } from '../../parts/tables/Table.tsx'
import { useOlder } from '../../parts/tables/use-older.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { useScreenWords } from '../../words/words.ts'
import { type ColumnName, useColumns } from './columns.tsx'
import type { ListInput } from './filters.ts'
import css from './verifications.module.css'

type Page = WebOutput<'verifications'>

const scrolledPx = 300

export function Rows({
  input,
  first,
  columns,
}: {
  readonly input: ListInput
  readonly first: Page
  readonly columns: readonly ColumnName[]
}) {
  const words = useScreenWords('verifications')
  const traffic = useTraffic()
  const list = useOlder(first, 'verifications', 'id', (before) => call('verifications', { ...input, before }))
  const [newestSeen, setNewestSeen] = useSeen(first, list.hasOlder)
  const waiting = list.items.filter(({ id }) => id > newestSeen).length
  const shown = list.items.filter(({ id }) => id <= newestSeen)
  return (
    <>
      {waiting > 0 && (
        <div className={css.newer}>
          <Button
            isSmall
            onClick={() => {
              setNewestSeen(list.items[0]?.id ?? 0)
              scrollTo({ top: 0 })
            }}
          >
            {words.newer(waiting)}
          </Button>
        </div>
      )}
      <Table
        caption={words.title}
        columns={useColumns(columns)}
        items={shown}
        keyOf={({ id }) => id}
        addressOf={({ id }) => dashboardAddress(`verifications/${id}`, traffic)}
        lookOf={({ status, isTest }) => (status === 'ringing' ? 'ringing' : isTest ? 'test' : undefined)}
      />
      <OlderCalls list={list} lastId={shown.at(-1)?.id} words={words} />
    </>
  )
}

// The newest row that the reader has in sight. It follows what is new while the top of the page is.
function useSeen(first: Page, hasOlder: boolean): readonly [number, (id: number) => void] {
  const newest = first.verifications[0]?.id ?? 0
  const [seen, setSeen] = useState(newest)
  const isHeld = useRef(false)
  useEffect(() => {
    isHeld.current = hasOlder || scrollY > scrolledPx
    if (!isHeld.current && newest > seen) setSeen(newest)
  }, [newest, seen, hasOlder])
  return [seen, setSeen]
}
