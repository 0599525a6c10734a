// Stacked columns as plain boxes: they take every width and every theme. Dragging over them chooses a stretch of time.

import { statusFilters } from '@ringproof/contract/lists/calls.ts'
import { useRef, useState } from 'react'
import { classes } from '../text/classes.ts'
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
  ticks,
  isTest = false,
  onChoose,
}: {
  readonly bins: readonly Bin[]
  readonly label: string
  // Below the columns, from the first to the last.
  readonly ticks: readonly string[]
  readonly isTest?: boolean
  // From the first to the last of the chosen columns.
  readonly onChoose?: (first: number, last: number) => void
}) {
  const columns = useRef<HTMLDivElement>(null)
  const [dragged, setDragged] = useState<{ readonly from: number; readonly to: number }>()
  const most = Math.max(1, ...bins.map(({ succeeded, failed, open }) => succeeded + failed + open))
  const indexAt = (x: number) => {
    const { left = 0, width = 1 } = columns.current?.getBoundingClientRect() ?? {}
    return Math.min(bins.length - 1, Math.max(0, Math.floor(((x - left) / width) * bins.length)))
  }
  const isChosen = (index: number) =>
    dragged !== undefined && index >= Math.min(dragged.from, dragged.to) && index <= Math.max(dragged.from, dragged.to)
  return (
    <div>
      <div
        ref={columns}
        className={classes(css.columns, isTest && css.test, onChoose && css.chooses)}
        role="img"
        aria-label={label}
        onPointerDown={(event) => {
          if (!onChoose) return
          event.currentTarget.setPointerCapture(event.pointerId)
          const from = indexAt(event.clientX)
          setDragged({ from, to: from })
        }}
        onPointerMove={(event) => {
          if (dragged) setDragged({ ...dragged, to: indexAt(event.clientX) })
        }}
        onPointerUp={() => {
          if (dragged) onChoose?.(Math.min(dragged.from, dragged.to), Math.max(dragged.from, dragged.to))
          setDragged(undefined)
        }}
        onPointerCancel={() => setDragged(undefined)}
      >
        {bins.map((bin, index) => (
          <div key={bin.at} className={classes(css.column, isChosen(index) && css.chosen)} title={bin.title}>
            {kinds.map((kind) =>
              bin[kind] === 0 ? null : (
                <i key={kind} className={css[kind]} style={{ height: `${(bin[kind] / most) * 100}%` }} />
              ),
            )}
          </div>
        ))}
      </div>
      <div className={css.under} aria-hidden="true">
        {ticks.map((tick, index) => (
          <span key={index}>{tick}</span>
        ))}
      </div>
    </div>
  )
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
