// One list from preview to result. The numbers stay in the memory of the page: they are sent in bodies and written nowhere.
//
//   editing    A text, not yet read by the server.
//   priced     The server has said what the list would cost. Its submission begins.
//   running    Parts of the list are checked one after another, as fast as the API would allow.
//   stopped    Done, or stopped by the reader, a failure or the balance. Going on sends only what was not checked yet, with the same
//              submission, so nothing is charged twice.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { batchMax } from '@ringproof/contract/web/number-limits.ts'
import { useRef, useState } from 'react'
import { call, RefusedError } from '../../api.ts'
import { useAttempt } from '../../parts/forms/use-attempt.ts'
import { queryClient } from '../../queries.ts'
import { useLanguage } from '../../words/words.ts'
import { splitNumbers } from './split-numbers.ts'

type Preview = WebOutput<'preview-number-check'>
export type CheckedRow = WebOutput<'check-numbers'>['rows'][number]

type Priced = {
  readonly serviceId: number
  readonly submission: string
  readonly numbers: readonly string[]
  // Without repeats.
  readonly places: readonly number[]
  readonly preview: Preview
}

type Progress = {
  readonly rows: ReadonlyMap<number, CheckedRow>
  readonly charged: number
  readonly registryAt: number | null
}

const nothing: Progress = { rows: new Map(), charged: 0, registryAt: null }

export function useNumberCheck(text: string, serviceId: number | undefined) {
  const { language } = useLanguage()
  const [priced, setPriced] = useState<Priced>()
  const [progress, setProgress] = useState(nothing)
  const isStopped = useRef(false)
  const forget = () => {
    setPriced(undefined)
    setProgress(nothing)
  }
  const pricing = useAttempt(async () => {
    if (serviceId === undefined) return
    const numbers = splitNumbers(text)
    const preview = await call('preview-number-check', { serviceId, numbers: [...numbers] })
    const repeats = new Set(preview.duplicates)
    const places = numbers.flatMap((_, place) => (repeats.has(place) ? [] : [place]))
    setPriced({ serviceId, submission: crypto.randomUUID(), numbers, places, preview })
    setProgress(nothing)
  })
  const running = useAttempt(async () => {
    if (priced === undefined) return
    isStopped.current = false
    const paidBy = { serviceId: priced.serviceId, submission: priced.submission }
    let { rows, charged } = progress
    const left = priced.places.filter((place) => !isSettled(rows.get(place)))
    for (let from = 0; from < left.length && !isStopped.current; from += batchMax) {
      const part = left.slice(from, from + batchMax)
      const numbers = part.flatMap((place) => priced.numbers[place] ?? [])
      const checked = await patiently(
        () => call('check-numbers', { ...paidBy, language, numbers }),
        () => isStopped.current,
      )
      if (checked === undefined) break
      const added = checked.rows.flatMap((row) => {
        const place = part[row.place]
        return place === undefined ? [] : [{ ...row, place }]
      })
      rows = new Map([...rows, ...added.map((row) => [row.place, row] as const)])
      charged += checked.charged
      setProgress({ rows, charged, registryAt: checked.registryAt })
      if (added.some(({ state }) => state === 'unpaid')) break
    }
    queryClient.invalidateQueries({ queryKey: ['me'] }).catch(() => undefined)
  })
  const shown = [...progress.rows.values()].toSorted((one, other) => one.place - other.place)
  return {
    forget,
    priced,
    pricing,
    running,
    stop: () => {
      isStopped.current = true
    },
    rows: shown,
    charged: progress.charged,
    registryAt: progress.registryAt,
  }
}

export type NumberCheck = ReturnType<typeof useNumberCheck>

export function isSettled(row: CheckedRow | undefined): boolean {
  return row !== undefined && row.state !== 'unpaid'
}

// Asks again when the server says to wait. Undefined if the reader stopped it meanwhile.
async function patiently<Result>(ask: () => Promise<Result>, isStopped: () => boolean): Promise<Result | undefined> {
  while (!isStopped()) {
    try {
      return await ask()
    } catch (error) {
      const seconds = error instanceof RefusedError ? error.refusal.retryAfter : undefined
      if (seconds === undefined || !(error instanceof RefusedError) || error.refusal.error !== 'throttled') throw error
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
    }
  }
  return undefined
}
