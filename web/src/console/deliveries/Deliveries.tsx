// Webhooks of all customers: which hosts take none, what waits, and what can be sent again.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { Webhook } from 'lucide-react'
import { useIsHelper } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { Shape } from '../../parts/charts/Ring.tsx'
import { Button } from '../../parts/forms/Button.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { PageHead, Row, Section } from '../../parts/text/Page.tsx'
import { Empty, Loaded, Mistake } from '../../parts/text/State.tsx'
import { useChange, useRead } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './deliveries.module.css'

type Shown = WebOutput<'deliveries'>

export function Deliveries() {
  return (
    <Loaded query={useRead('deliveries')}>
      {(shown) => (shown.hosts.length === 0 ? <None /> : <Page shown={shown} />)}
    </Loaded>
  )
}

function None() {
  const words = useScreenWords('deliveries')
  return <Empty icon={Webhook} title={words.none} text={words.noneText} isPage />
}

function Page({ shown: { waiting, lateSeconds, hosts, failed, examinedMax } }: { readonly shown: Shown }) {
  const words = useScreenWords('deliveries')
  const formats = useFormats()
  const inTrouble = hosts.filter(({ failingSince }) => failingSince !== null).length
  const late = lateSeconds === null ? '' : ` ${words.late(formats.number(lateSeconds))}`
  return (
    <>
      <PageHead
        title={inTrouble === 0 ? words.allWell : words.trouble(inTrouble)}
        lead={`${words.lead(waiting)}${late}`}
      />
      <Section title={words.hosts} lead={words.hostsLead(formats.number(examinedMax))}>
        {hosts.map((host) => (
          <Host key={host.host} host={host} />
        ))}
      </Section>
      <Section title={words.failed} lead={words.failedLead}>
        {failed.length === 0 && <p className={css.none}>{words.noneFailed}</p>}
        {failed.map((delivery) => (
          <Failed key={delivery.verificationId} delivery={delivery} />
        ))}
      </Section>
    </>
  )
}

function Host({ host }: { readonly host: Shown['hosts'][number] }) {
  const words = useScreenWords('deliveries')
  const formats = useFormats()
  const cause = useCause()
  const recover = useChange('recover-host', ['deliveries'])
  const isHelper = useIsHelper()
  const { accountIds, webhooks, delivered, waiting, recoverable, medianMs, failingSince } = host
  const facts = [
    words.delivered(formats.number(delivered), formats.number(webhooks)),
    ...(medianMs === null ? [] : [words.median(formats.number(medianMs))]),
    ...(waiting === 0 ? [] : [words.waiting(formats.number(waiting))]),
    words.customers(accountIds.join(', ')),
  ]
  return (
    <Row
      title={
        <span className={css.host}>
          <Shape is={failingSince === null ? 'well' : 'poor'} />
          {host.host}
        </span>
      }
      note={facts.join(', ')}
    >
      <span className={failingSince === null ? css.well : css.poor}>
        {failingSince === null
          ? words.healthy
          : `${words.failingSince(formats.moment(failingSince))}: ${cause(host.lastStatus, host.lastFailure)}`}
      </span>
      {recoverable > 0 && (
        <Button
          isSmall
          disabled={!isHelper || recover.isPending}
          aria-label={`${words.recover(recoverable)}: ${host.host}`}
          onClick={() =>
            recover.mutate(
              { host: host.host },
              { onSuccess: ({ count }) => showNotice({ text: words.recovered(count) }) },
            )
          }
        >
          {words.recover(recoverable)}
        </Button>
      )}
      <Mistake error={recover.error} />
    </Row>
  )
}

function Failed({ delivery }: { readonly delivery: Shown['failed'][number] }) {
  const words = useScreenWords('deliveries')
  const formats = useFormats()
  const cause = useCause()
  const send = useChange('send-delivery-again', ['deliveries'])
  const isHelper = useIsHelper()
  const { verificationId, accountId, host, calledAt, reason, attempts, lastStatus, lastFailure, numberUntil } = delivery
  const reasons: Readonly<Record<string, string>> = words.reasons
  const last = reason === 'gone' ? '' : cause(lastStatus, lastFailure)
  const why = [reasons[reason] ?? reason, last, words.tries(attempts)]
  return (
    <Row
      title={`${host}, ${words.customers(String(accountId))}`}
      note={`${formats.moment(calledAt)}, ${verificationId}: ${why.filter((text) => text !== '').join(', ')}`}
    >
      {numberUntil === null ? (
        <span className={css.quiet}>{words.erased}</span>
      ) : (
        <Button
          isSmall
          disabled={!isHelper || send.isPending}
          aria-label={`${words.sendAgain}: ${verificationId}`}
          onClick={() => send.mutate({ verificationId }, { onSuccess: () => showNotice({ text: words.sent }) })}
        >
          {words.sendAgain}
        </Button>
      )}
      <Mistake error={send.error} />
    </Row>
  )
}

// What the last attempt came to.
function useCause(): (status: number | null, failure: string | null) => string {
  const words = useScreenWords('deliveries')
  const failures: Readonly<Record<string, string>> = words.failures
  return (status, failure) => {
    if (status !== null) return words.responds(status)
    return failure === null ? '' : (failures[failure] ?? failure)
  }
}
