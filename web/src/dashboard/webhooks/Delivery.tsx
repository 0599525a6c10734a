import type { ReactNode } from 'react'
import { useIsBuilder } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { Tag } from '../../parts/charts/Ring.tsx'
import { Button } from '../../parts/forms/Button.tsx'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { Rail } from './Rail.tsx'
import { clockOf, isGood, stateLook, type Webhook, type WebhooksPage } from './webhook.ts'
import css from './webhooks.module.css'

type DeliveryProps = {
  readonly webhook: Webhook
  readonly page: WebhooksPage
  readonly isOpen: boolean
  readonly onToggle: () => void
}

export function Delivery({ webhook, page, isOpen, onToggle }: DeliveryProps) {
  const words = useScreenWords('webhooks')
  const formats = useFormats()
  const { verificationId, state, host, attempts, nth } = webhook
  const last = attempts.at(-1)
  const { mutate, isPending, error } = useChange('resend-webhook', ['webhooks'])
  const send = () => mutate({ verificationId })
  return (
    <li className={isOpen ? css.opened : undefined}>
      <div className={css.row}>
        <button type="button" className={css.time} aria-expanded={isOpen} onClick={onToggle}>
          {clockOf(formats.exactClock(webhook.calledAt))}
        </button>
        <span className={css.state}>
          <Tag status={stateLook[state]}>{words.states[state]}</Tag>
        </span>
        <span className={css.what}>
          {words.event} <small>{host}</small>
        </span>
        <span className={css.id}>{verificationId}</span>
        <span className={css.tries}>
          {state === 'waiting' ? words.tryOf(nth, page.retrySeconds.length + 1) : attempts.length}
          {last !== undefined && (
            <>
              {', '}
              <b className={isGood(last.status) ? undefined : css.bad}>{last.status ?? failureText(words, last)}</b>
            </>
          )}
        </span>
        <Next webhook={webhook} isBusy={isPending} onSend={send} />
      </div>
      <Mistake error={error} />
      {isOpen && <Opened webhook={webhook} page={page} />}
    </li>
  )
}

function Next({
  webhook: { state, nextAt, numberUntil, reason },
  isBusy,
  onSend,
}: {
  readonly webhook: Webhook
  readonly isBusy: boolean
  readonly onSend: () => void
}): ReactNode {
  const words = useScreenWords('webhooks')
  const formats = useFormats()
  const isBuilder = useIsBuilder()
  const canSend = state !== 'delivered' && numberUntil !== null && isBuilder
  return (
    <span className={css.next}>
      {state === 'waiting' && nextAt !== null && <b>{words.inTime(clockOf(formats.exactClock(nextAt)))}</b>}
      {state === 'delivered' && <small>{words.erased}</small>}
      {state === 'failed' && <small>{reasonText(words, reason)}</small>}
      {canSend && (
        <Button isSmall disabled={isBusy} onClick={onSend}>
          {state === 'waiting' ? words.sendNow : words.sendAgain}
        </Button>
      )}
    </span>
  )
}

function Opened({ webhook, page }: { readonly webhook: Webhook; readonly page: WebhooksPage }) {
  const words = useScreenWords('webhooks')
  const formats = useFormats()
  const { attempts, state, numberUntil, nextAt, serviceId } = webhook
  const service = page.services.find(({ id }) => id === serviceId)
  const tries = attempts.length
  const clock = (ms: number) => clockOf(formats.exactClock(ms))
  const said = attempts.at(-1)?.response ?? ''
  return (
    <div className={css.open}>
      <div className={css.said}>
        <h3>{tries === 0 ? words.sentence.fresh : words.sentence[state](tries)}</h3>
        <p>
          {nextAt !== null && `${words.nextAt(clock(nextAt))} `}
          {state !== 'delivered' && (numberUntil === null ? words.noNumber : words.until(formats.clock(numberUntil)))}
        </p>
      </div>
      <Rail webhook={webhook} retrySeconds={page.retrySeconds} />
      <div className={css.pair}>
        <ol className={css.attempts}>
          {attempts.map((attempt, at) => (
            <li key={at}>
              <span>{words.attempt(at + 1)}</span>
              <time>{clock(attempt.endedAt)}</time>
              <b className={isGood(attempt.status) ? css.good : css.bad}>
                {attempt.status ?? failureText(words, attempt)}
              </b>
              <small>{words.took(formats.number(attempt.ms))}</small>
            </li>
          ))}
        </ol>
        <dl className={css.facts}>
          <dt>{words.response}</dt>
          <dd>{said === '' ? words.noBody : <code>{said}</code>}</dd>
          <dt>{words.signature}</dt>
          <dd>{typeof service?.oldSecretEnd === 'string' ? words.signedTwice : words.signedOnce}</dd>
          <dt>{words.service}</dt>
          <dd>{service?.name ?? serviceId}</dd>
        </dl>
      </div>
    </div>
  )
}

type Words = ReturnType<typeof useScreenWords<'webhooks'>>

export function failureText(words: Words, { failure }: { readonly failure: string }): string {
  const { failures } = words
  return failure in failures ? failures[failure as keyof typeof failures] : failure
}

function reasonText({ reasons }: Words, reason: string | null): string {
  return reason !== null && reason in reasons ? reasons[reason as keyof typeof reasons] : (reason ?? '')
}
