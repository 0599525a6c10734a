import { stopwatch, useFormats } from '../../formats.ts'
import { classes } from '../../parts/text/classes.ts'
import { useNow } from '../../parts/text/use-now.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import { clockOf, isGood, scheduleOf, type Webhook } from './webhook.ts'
import css from './webhooks.module.css'

const frameMs = 1_000
const labelGap = 7

type Point = { readonly at: number; readonly look: string | undefined; readonly above: string; readonly below: string }

// The attempts that were and those that will be, on one clock. Early ones are close together, so the axis is a square root.
export function Rail({
  webhook,
  retrySeconds,
}: {
  readonly webhook: Webhook
  readonly retrySeconds: readonly number[]
}) {
  const words = useScreenWords('webhooks')
  const { seconds } = useWords()
  const formats = useFormats()
  const nowMs = useNow(frameMs)
  const { attempts, calledAt, nextAt, nth, state } = webhook
  const since = (ms: number) => Math.max(0, (ms - calledAt) / 1_000)
  const timeOf = (at: number) => (at < 60 ? `${Math.round(at)} ${seconds}` : stopwatch(at * 1_000))
  const past: Point[] = attempts.map(({ endedAt, status }) => ({
    at: since(endedAt),
    look: isGood(status) ? css.done : css.did,
    above: status === null ? '' : String(status),
    below: timeOf(since(endedAt)),
  }))
  const next = nextAt === null ? undefined : since(nextAt)
  const steps = scheduleOf(retrySeconds.slice(nth)).slice(1)
  const later: Point[] =
    next === undefined
      ? []
      : [
          { at: next, look: css.soon, above: clockOf(formats.exactClock(nextAt ?? 0)), below: timeOf(next) },
          ...steps.map((step) => ({ at: next + step, look: css.later, above: '', below: timeOf(next + step) })),
        ]
  const points = [...past, ...later]
  const end = Math.max(1, points.at(-1)?.at ?? 1)
  const placed = (at: number) => Math.min(100, (Math.sqrt(at) / Math.sqrt(end)) * 100)
  const now = since(nowMs)
  let labelled = -labelGap
  return (
    <div className={css.rail} role="img" aria-label={words.rail}>
      <i
        className={classes(css.past, state === 'delivered' && css.pastGood)}
        style={{ width: `${placed(state === 'waiting' ? now : (past.at(-1)?.at ?? 0))}%` }}
      />
      {points.map(({ at, look, above, below }, index) => {
        const left = placed(at)
        const isLabelled = left - labelled >= labelGap || index === points.length - 1
        if (isLabelled) labelled = left
        return (
          <span key={index} className={look} style={{ left: `${left}%` }}>
            <i />
            {isLabelled && <small>{above}</small>}
            {isLabelled && <em>{below}</em>}
          </span>
        )
      })}
      {state === 'waiting' && now < end && (
        <b style={{ left: `${placed(now)}%` }}>
          <span className="unseen">{words.railNow}</span>
        </b>
      )}
    </div>
  )
}
