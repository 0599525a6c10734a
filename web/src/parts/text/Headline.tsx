// A page that opens with a headline: its sentence, and below what it stands on.

import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLostSince } from '../../connection.ts'
import { useFormats } from '../../formats.ts'
import { type Headline, type Said, staleMs } from '../../headline.ts'
import { useWords } from '../../words/words.ts'
import css from './headline.module.css'
import { PageHead } from './Page.tsx'
import { useNow } from './use-now.ts'

type Read = Pick<UseQueryResult, 'failureCount' | 'dataUpdatedAt'>

const tickMs = 1_000

// Says that what the page shows is not of now; of a page that reads by itself, also when only its own read fails.
export function useLost(read?: Read): Said | undefined {
  const { state } = useWords()
  const formats = useFormats()
  const nowMs = useNow(tickMs)
  const lostSince = useLostSince()
  const isStale = read !== undefined && read.failureCount > 0 && nowMs - read.dataUpdatedAt > staleMs
  const since = lostSince ?? (isStale ? read.dataUpdatedAt : undefined)
  return since === undefined ? undefined : { title: state.lost(formats.clock(since)), lead: state.lostLead }
}

export function PageHeadline({
  headline: { title, lead, tone },
  children,
}: {
  readonly headline: Headline
  readonly children?: ReactNode
}) {
  return (
    <div className={css.head}>
      <PageHead title={<span className={css[tone]}>{title}</span>} lead={lead}>
        {children}
      </PageHead>
    </div>
  )
}
