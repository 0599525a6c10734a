import { shownWebhookStates } from '@ringproof/contract/lists/requests.ts'
import { useState } from 'react'
import { Button, Segments } from '../../parts/forms/Button.tsx'
import { FilterRow, SearchField } from '../../parts/tables/Filters.tsx'
import { useScreenWords } from '../../words/words.ts'
import { Delivery } from './Delivery.tsx'
import { useOlderWebhooks } from './use-webhooks.ts'
import type { Webhook, WebhookState, WebhooksPage } from './webhook.ts'
import css from './webhooks.module.css'

const filters = ['all', ...shownWebhookStates] as const

export function Deliveries({ page }: { readonly page: WebhooksPage }) {
  const words = useScreenWords('webhooks')
  const [shown, setShown] = useState<'all' | WebhookState>('all')
  const [text, setText] = useState('')
  const older = useOlderWebhooks(page.webhooks.at(-1)?.verificationId)
  const all = [...page.webhooks, ...(older.data?.pages.flatMap(({ webhooks }) => webhooks) ?? [])]
  const troubled = all.find((webhook) => webhook.state !== 'delivered')
  const [open, setOpen] = useState<number | undefined>(troubled?.verificationId)
  const found = all.filter((webhook) => (shown === 'all' || webhook.state === shown) && matches(webhook, text))
  const { time, state, what, tries, next } = words.columns
  const hasMore = older.data === undefined ? page.hasMore : older.hasNextPage
  return (
    <section className={css.deliveries}>
      <FilterRow className={css.filters} isTitled>
        <h2>{words.list}</h2>
        <SearchField label={words.find} value={text} onType={setText} />
        <Segments
          label={words.filter}
          value={shown}
          onChange={setShown}
          of={filters.map((value) => ({ value, text: words.states[value] }))}
        />
      </FilterRow>
      <div className={css.listHead} aria-hidden="true">
        {[time, state, what, 'vendor_id', tries, next].map((column) => (
          <span key={column}>{column}</span>
        ))}
      </div>
      <ul className={css.list}>
        {found.map((webhook) => (
          <Delivery
            key={webhook.verificationId}
            webhook={webhook}
            page={page}
            isOpen={open === webhook.verificationId}
            onToggle={() => setOpen(open === webhook.verificationId ? undefined : webhook.verificationId)}
          />
        ))}
      </ul>
      {found.length === 0 && <p className={css.none}>{words.nothingFound}</p>}
      <div className={css.more}>
        {hasMore && (
          <Button
            disabled={older.isFetching}
            onClick={() => {
              const reading = older.data === undefined ? older.refetch() : older.fetchNextPage()
              reading.catch(() => undefined)
            }}
          >
            {words.older}
          </Button>
        )}
        <p>{words.kept}</p>
      </div>
    </section>
  )
}

function matches({ verificationId, host }: Webhook, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  return String(verificationId).includes(wanted) || host.includes(wanted)
}
