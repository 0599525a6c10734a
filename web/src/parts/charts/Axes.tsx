import { useFormats } from '../../formats.ts'
import css from './axes.module.css'
import { marksOf } from './axis.ts'

// Zero, the middle and the top, beside the chart.
export function Values({ top, textOf }: { readonly top: number; readonly textOf: (value: number) => string }) {
  return (
    <div className={css.values} aria-hidden="true">
      {[top, top / 2, 0].map((value) => (
        <span key={value}>{textOf(value)}</span>
      ))}
    </div>
  )
}

export function Times({
  bins,
  by,
}: {
  readonly bins: readonly { readonly at: number }[]
  readonly by: 'hour' | 'day'
}) {
  const formats = useFormats()
  const marks = marksOf(bins, by, (at) => Number.parseInt(formats.clock(at), 10))
  return (
    <div className={css.times} aria-hidden="true">
      {marks.map(({ index, at }) => (
        <span key={at} style={{ left: `${((index + 0.5) / bins.length) * 100}%` }}>
          {by === 'hour' ? formats.clock(at) : formats.shortDay(at)}
        </span>
      ))}
    </div>
  )
}
