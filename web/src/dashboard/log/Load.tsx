import { useFormats } from '../../formats.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import css from './log.module.css'
import type { LogSummary } from './log-data.ts'

// Requests over time, and how long they took.
export function Load({ summary }: { readonly summary: LogSummary }) {
  const words = useScreenWords('log')
  const { ms } = useWords()
  const formats = useFormats()
  const { columns, columnMinutes, p50Ms, p95Ms } = summary
  const most = Math.max(1, ...columns.map(({ served, refused }) => served + refused))
  const share = (count: number) => `${(count / most) * 100}%`
  return (
    <section className={css.load} aria-label={words.load}>
      <div>
        <div className={css.columns} role="img" aria-label={words.chart(summary.total, summary.refused)}>
          {columns.map(({ at, served, refused }) => (
            <span key={at} title={`${formats.dayClock(at)}: ${words.column(served, refused)}`}>
              {refused > 0 && <i className={css.no} style={{ height: share(refused) }} />}
              {served > 0 && <i style={{ height: share(served) }} />}
            </span>
          ))}
        </div>
        <p className={css.keys}>
          <span>
            <i />
            {words.served}
          </span>
          <span>
            <i className={css.no} />
            {words.refused}
          </span>
          <em>{words.per(columnMinutes)}</em>
        </p>
      </div>
      <dl>
        <div>
          <dt>{words.p50}</dt>
          <dd>{p50Ms === null ? '–' : `≤ ${formats.number(p50Ms)} ${ms}`}</dd>
        </div>
        <div>
          <dt>{words.p95}</dt>
          <dd>{p95Ms === null ? '–' : `≤ ${formats.number(p95Ms)} ${ms}`}</dd>
        </div>
      </dl>
    </section>
  )
}
