import { Link } from '@tanstack/react-router'
import { Send, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { useIsBuilder } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { Button, buttonClass } from '../../parts/forms/Button.tsx'
import { PageHead } from '../../parts/text/Page.tsx'
import { Empty, Loaded } from '../../parts/text/State.tsx'
import { useScreenWords, useWords } from '../../words/words.ts'
import { Deliveries } from './Deliveries.tsx'
import { Hosts } from './Hosts.tsx'
import { Recover } from './Recover.tsx'
import { Secrets } from './Secrets.tsx'
import { SendExample } from './SendExample.tsx'
import { Snippets } from './Snippets.tsx'
import { useWebhooks } from './use-webhooks.ts'
import { scheduleOf, type WebhooksPage } from './webhook.ts'
import css from './webhooks.module.css'

export function Webhooks() {
  const query = useWebhooks()
  return <Loaded query={query}>{(page) => <Page page={page} />}</Loaded>
}

function Page({ page }: { readonly page: WebhooksPage }) {
  const words = useScreenWords('webhooks')
  const { state } = useWords()
  const isBuilder = useIsBuilder()
  const [open, setOpen] = useState<'example' | 'recover'>()
  const close = () => setOpen(undefined)
  const title = isBuilder ? undefined : state.onlyBuilders
  const hasFailed = page.webhooks.some((webhook) => webhook.state === 'failed' && webhook.numberUntil !== null)
  return (
    <>
      <PageHead title={<Headline page={page} />} lead={<Lead page={page} />}>
        <Button
          look="ghost"
          disabled={!isBuilder || page.services.length === 0}
          title={title}
          onClick={() => setOpen('example')}
        >
          {words.example}
        </Button>
        <Button
          look="ink"
          disabled={!isBuilder || !hasFailed}
          title={title ?? (hasFailed ? undefined : words.nothingToRecover)}
          onClick={() => setOpen('recover')}
        >
          <Send size={15} />
          {words.recover}
        </Button>
      </PageHead>
      {page.webhooks.length === 0 ? (
        <Empty icon={WebhookIcon} title={words.empty} text={words.emptyText}>
          <Link className={buttonClass('ink')} to="/dashboard/test/phones">
            {words.emptyAct}
          </Link>
        </Empty>
      ) : (
        <>
          {page.hosts.length > 0 && <Hosts hosts={page.hosts} />}
          <Deliveries page={page} />
        </>
      )}
      <div className={css.two}>
        <Secrets services={page.services} />
        <Snippets />
      </div>
      {open === 'example' && <SendExample services={page.services} onClose={close} />}
      {open === 'recover' && <Recover onClose={close} />}
    </>
  )
}

// The first thing to know: which receiver is in trouble, and since when.
function Headline({ page: { hosts, webhooks } }: { readonly page: WebhooksPage }) {
  const words = useScreenWords('webhooks')
  const formats = useFormats()
  const [first] = hosts
  if (first !== undefined && first.failingSince !== null) {
    return (
      <>
        <em className={css.bad}>
          {first.lastStatus === null ? words.silent(first.host) : words.trouble(first.host, first.lastStatus)}
        </em>
        {words.since(formats.clock(first.failingSince))}
      </>
    )
  }
  const failed = webhooks.filter(({ state }) => state === 'failed').length
  if (failed > 0) return words.someFailed(failed)
  return webhooks.length === 0 ? words.title : words.allWell
}

function Lead({ page: { webhooks, retrySeconds } }: { readonly page: WebhooksPage }) {
  const words = useScreenWords('webhooks')
  const waiting = webhooks.filter(({ state }) => state === 'waiting').length
  const minutes = Math.round((scheduleOf(retrySeconds).at(-1) ?? 0) / 60)
  const rules = words.lead(retrySeconds.length + 1, minutes)
  return waiting === 0 ? rules : `${words.leadWaiting(waiting)}${rules}`
}
