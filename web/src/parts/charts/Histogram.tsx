// Stacked columns as plain boxes: they take every width and every theme. Dragging over them chooses a stretch of time.

import { statusFilters } from '@ringproof/contract/lists/calls.ts'
import { type PointerEvent, useState } from 'react'
import { useFormats } from '../../formats.ts'
import { minuteMs } from '../../time.ts'
import { useWords } from '../../words/words.ts'
import { classes } from '../text/classes.ts'
import { useNow } from '../text/use-now.ts'
import { Times, Values } from './Axes.tsx'
import { topOf, unfinishedIn } from './axis.ts'
import css from './histogram.module.css'

export type Bin = {
  readonly at: number
  readonly succeeded: number
  readonly failed: number
  readonly open: number
  // What a pointer over the column reads.
  readonly title: string
}

// From the top of a bar down.
const kinds = statusFilters.toReversed()

export function Histogram({
  bins,
  label,
  by,
  until,
  textOf,
  isTest = false,
  onChoose,
}: {
  readonly bins: readonly Bin[]
  readonly label: string
  readonly by: 'hour' | 'day'
  // The end of the last column.
  readonly until: number
  // Of the values at the axis; without it they are counts.
  readonly textOf?: (value: number) => string
  readonly isTest?: boolean
  // From the first to the last of the chosen columns.
  readonly onChoose?: (first: number, last: number) => void
}) {
  const formats = useFormats()
  const { chart } = useWords()
  const nowMs = useNow(minuteMs)
  const top = topOf(Math.max(0, ...bins.map(({ succeeded, failed, open }) => succeeded + failed + open)))
  const unfinished = unfinishedIn(bins, until, nowMs)
  const drag = useDrag(bins.length, onChoose)
  return (
    <div className={css.framed}>
      <Values top={top} textOf={textOf ?? formats.number} />
      <div
        className={classes(css.columns, isTest && css.test, onChoose && css.chooses)}
        role="img"
        aria-label={label}
        {...drag.handlers}
      >
        {bins.map((bin, index) => (
          <div
            key={bin.at}
            className={classes(css.column, drag.isChosen(index) && css.chosen, index === unfinished && css.unfinished)}
            title={index === unfinished ? `${bin.title} ${chart.until(formats.clock(nowMs))}` : bin.title}
          >
            {kinds.map((kind) =>
              bin[kind] === 0 ? null : (
                <i key={kind} className={css[kind]} style={{ height: `${(bin[kind] / top) * 100}%` }} />
              ),
            )}
          </div>
        ))}
      </div>
      <Times bins={bins} by={by} />
      {unfinished !== undefined && <small className={css.growing}>{chart.unfinished(formats.clock(nowMs))}</small>}
    </div>
  )
}

// A drag over the columns chooses a stretch of them.
function useDrag(count: number, onChoose: ((first: number, last: number) => void) | undefined) {
  const [dragged, setDragged] = useState<{ readonly from: number; readonly to: number }>()
  const indexAt = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / width) * count)))
  }
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (!onChoose) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const from = indexAt(event)
      setDragged({ from, to: from })
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (dragged) setDragged({ ...dragged, to: indexAt(event) })
    },
    onPointerUp: () => {
      if (dragged) onChoose?.(Math.min(dragged.from, dragged.to), Math.max(dragged.from, dragged.to))
      setDragged(undefined)
    },
    onPointerCancel: () => setDragged(undefined),
  }
  const isChosen = (index: number) =>
    dragged !== undefined && index >= Math.min(dragged.from, dragged.to) && index <= Math.max(dragged.from, dragged.to)
  return { handlers, isChosen }
}

export function Legend({
  of,
}: {
  readonly of: readonly { readonly kind: (typeof kinds)[number]; readonly text: string }[]
}) {
  return (
    <div className={css.legend}>
      {of.map(({ kind, text }) => (
        <span key={kind}>
          <i className={css[kind]} />
          {text}
        </span>
      ))}
    </div>
  )
}
