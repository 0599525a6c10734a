// Live hints: which topics of an account have changed, for the pages that are open in browsers. A hint says "read again" and
// carries no data; PostgreSQL stays the only truth, so a lost hint only makes a page late. They go over a NATS core subject
// per account, at most four a second, also when several processes send them. Noting one is a write to a map: the publication
// comes later, so no request waits for it.

import type { LiveTopic } from '@ringproof/contract/web/api.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import { type Clock, createClock } from '../../process/clock.ts'
import type { Bus } from './bus.ts'

export type NoteChange = (accountId: AccountId, ...topics: readonly LiveTopic[]) => void
type OnTopics = (topics: readonly LiveTopic[]) => void

// After the first change: the response of the request that made it goes out first, and a burst becomes one hint.
const firstMs = 10
const gapMs = 250

export function createLiveHints(bus: Pick<Bus, 'connection' | 'names' | 'isUp'>): {
  readonly noteChange: NoteChange
  readonly close: () => Promise<void>
} {
  const hints = coalesce<AccountId>((accountId, topics) => {
    if (bus.isUp()) bus.connection.publish(bus.names.liveSubjectOf(accountId), JSON.stringify(topics))
  })
  return { noteChange: hints.note, close: async () => hints.close() }
}

// Without NATS nothing is live.
export const noLiveHints: NoteChange = () => undefined

export function watchLiveHints(
  bus: Pick<Bus, 'connection' | 'names'>,
  accountId: AccountId,
  onTopics: OnTopics,
): { readonly close: () => void } {
  const hints = coalesce<AccountId>((_, topics) => onTopics(topics))
  const subscription = bus.connection.subscribe(bus.names.liveSubjectOf(accountId), {
    callback: (error, message) => {
      if (!error) hints.note(accountId, ...(JSON.parse(message.string()) as readonly LiveTopic[]))
    },
  })
  return {
    close: () => {
      subscription.unsubscribe()
      hints.close()
    },
  }
}

// Reports what changed soon after the first change, then every gapMs while there is more. One timer for all keys: with many
// busy accounts, their hints leave in one write to NATS. In real time, whatever timeScale is: it spares browsers, not the
// product.
function coalesce<K>(report: (key: K, topics: readonly LiveTopic[]) => void, clock: Clock = createClock(1)) {
  let changed = new Map<K, Set<LiveTopic>>()
  let timer: { readonly stop: () => void } | undefined
  const flush = () => {
    const due = changed
    changed = new Map()
    timer = due.size === 0 ? undefined : clock.after(gapMs, flush)
    for (const [key, topics] of due) report(key, [...topics])
  }
  return {
    note: (key: K, ...topics: readonly LiveTopic[]) => {
      if (topics.length === 0) return
      const known = changed.get(key)
      if (known) for (const topic of topics) known.add(topic)
      else changed.set(key, new Set(topics))
      timer ??= clock.after(firstMs, flush)
    },
    close: () => {
      timer?.stop()
      changed.clear()
    },
  }
}
