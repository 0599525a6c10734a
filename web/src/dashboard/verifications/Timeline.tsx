import type { ReactNode } from 'react'
import { useFormats } from '../../formats.ts'
import { Covered, Digits } from '../../parts/charts/Ring.tsx'
import { classes } from '../../parts/text/classes.ts'
import { useSells } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import type { Shown } from './shown.ts'
import css from './verification.module.css'

type Step = {
  readonly at: number
  readonly title: string
  readonly text?: ReactNode
  readonly tone?: 'ring' | 'good' | 'bad'
}

// One verb a line and the time to a hundredth, from the request on.
export function Timeline({ shown }: { readonly shown: Shown }) {
  const words = useScreenWords('verification')
  const formats = useFormats()
  const steps = useSteps(shown)
  return (
    <section className={css.timeline}>
      <h2>{words.timeline}</h2>
      <ol>
        {steps.map(({ at, title, text, tone }, index) => (
          <li key={index} className={classes(css.step, tone && css[tone])}>
            <time dateTime={new Date(at).toISOString()}>
              {formats.hundredths(Math.max(0, at - shown.acceptedAt) / 1_000)}
            </time>
            <i aria-hidden="true" />
            <div>
              <b>{title}</b>
              {text !== undefined && <p>{text}</p>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

function useSteps(shown: Shown): readonly Step[] {
  const { steps: words } = useScreenWords('verification')
  const formats = useFormats()
  const accepted: Step = { at: shown.acceptedAt, title: words.accepted, text: formats.exactClock(shown.acceptedAt) }
  const money = (useSells() ? shown.ledger : []).map(({ at, kind, amount }): Step => {
    const tone = kind === 'captured' ? { tone: 'good' as const } : {}
    return { at, title: words[kind](formats.price(amount)), ...tone }
  })
  const webhooks = shown.webhooks.map(({ at, status }): Step => {
    if (status === null) return { at, title: words.webhookFailed, tone: 'bad' }
    const isDelivered = status >= 200 && status < 300
    return isDelivered
      ? { at, title: words.webhook(status), tone: 'good' }
      : { at, title: words.webhookRefused(status), tone: 'bad' }
  })
  const all = [accepted, ...money, ...useCallSteps(shown), ...webhooks]
  return all.toSorted((one, other) => one.at - other.at)
}

function useCallSteps(shown: Shown): readonly Step[] {
  const { steps: words } = useScreenWords('verification')
  const formats = useFormats()
  const { dialledAt, rangAt, answeredAt, endedAt, attempt, ringMs, ringDelayMs, mode } = shown
  if (mode === 'inbound') return inboundSteps(shown, words)
  const rang = rangAt ?? (dialledAt !== null && ringDelayMs !== null ? dialledAt + ringDelayMs : null)
  const steps: Step[] = []
  if (dialledAt !== null) {
    steps.push({
      at: dialledAt,
      title: attempt > 1 ? words.dialledAgain(attempt) : words.dialled,
      text: <Caller shown={shown} />,
    })
  }
  if (rang !== null) {
    const text = ringMs === null ? undefined : words.rangFor(formats.seconds(ringMs / 1_000))
    steps.push({ at: rang, title: words.ringing, text, tone: 'ring' })
  }
  if (answeredAt !== null) steps.push({ at: answeredAt, title: words.answered })
  if (endedAt !== null) steps.push(endOf(shown, endedAt, words))
  return steps
}

type StepWords = ReturnType<typeof useScreenWords<'verification'>>['steps']

function endOf({ endedBy, sipStatus, status }: Shown, at: number, words: StepWords): Step {
  const title = endedBy === 'us' ? words.us : endedBy === 'them' ? words.them : words.ended
  return {
    at,
    title,
    text: sipStatus === null ? undefined : words.refusedWith(sipStatus),
    ...(status === 'failed' ? { tone: 'bad' as const } : {}),
  }
}

function inboundSteps({ status, endedAt, endUntil }: Shown, words: StepWords): readonly Step[] {
  if (endedAt === null) return [{ at: endUntil, title: words.expires }]
  return status === 'succeeded'
    ? [{ at: endedAt, title: words.called, tone: 'ring' }]
    : [{ at: endedAt, title: words.ended, tone: 'bad' }]
}

function Caller({ shown: { callerStart, callerEnd } }: { readonly shown: Shown }) {
  const { steps } = useScreenWords('verification')
  if (callerStart === null) return null
  return (
    <>
      {steps.from} {callerStart}
      {callerEnd === null ? <Covered /> : <Digits>{callerEnd}</Digits>}
    </>
  )
}
