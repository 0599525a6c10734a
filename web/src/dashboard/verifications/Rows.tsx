// The rows. New ones appear at the top by themselves; once the reader has scrolled or loaded older ones, they wait behind a
// button, so that nothing jumps under the pointer.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api.ts'
import { useFormats } from '../../formats.ts'
import { Button } from '../../parts/Button.tsx'
import { Mistake } from '../../parts/State.tsx'
import { Table } from '../../parts/Table.tsx'
import { dashboardAddress } from '../../shell/places.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { useScreenWords } from '../../words/words.ts'
import { type ColumnName, useColumns, type Verification } from './columns.tsx'
import type { ListInput } from './filters.ts'
import css from './verifications.module.css'

type Page = WebOutput<'verifications'>

const scrolledPx = 300
// The seconds of an ID since 2026 stand above its lowest 23 bits.
const idEpochMs = 1_767_225_600_000

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
  const formats = useFormats()
  const traffic = useTraffic()
  const [older, setOlder] = useState<readonly Verification[]>([])
  const [next, setNext] = useState<{ readonly before: number | null }>()
  const [error, setError] = useState<unknown>()
  const [newestSeen, setNewestSeen] = useSeen(first, older.length > 0)
  const current = older.length === 0 ? first.verifications : merged(first.verifications, older)
  const waiting = current.filter(({ id }) => id > newestSeen).length
  const shown = current.filter(({ id }) => id <= newestSeen)
  const nextBefore = next === undefined ? first.nextBefore : next.before
  const last = shown.at(-1)
  const loadOlder = async () => {
    try {
      const page = await call('verifications', { ...input, before: String(nextBefore) })
      setError(undefined)
      setOlder(merged(current, page.verifications))
      setNext({ before: page.nextBefore })
    } catch (failure) {
      setError(failure)
    }
  }
  const hasSearchedOn = nextBefore !== null && nextBefore !== last?.id
  return (
    <>
      {waiting > 0 && (
        <div className={css.newer}>
          <Button
            isSmall
            onClick={() => {
              setNewestSeen(current[0]?.id ?? 0)
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

// What has been read last counts: a call that was ringing may have ended.
function merged(newer: readonly Verification[], older: readonly Verification[]): readonly Verification[] {
  const known = new Set(newer.map(({ id }) => id))
  return [...newer, ...older.filter(({ id }) => !known.has(id))]
}
