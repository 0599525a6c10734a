// Live updates. One tab of the browser holds the event stream, because HTTP/1.1 allows six connections per host; it passes every
// event on to the other tabs. When it is closed, the lock goes to another tab. An event is a hint to read again.

import type { EndpointName, LiveTopic } from '@ringproof/contract/web/api.ts'
import { askHealth, currentLoss, noteContact, onConnectionChange, stopWatching, watchConnection } from './connection.ts'
import { queryClient } from './queries.ts'
import { reads } from './reads.ts'

const channelName = 'ringproof-live'
const firstDelayMs = 1000
const delayMsMax = 30_000

const readsByTopic: Readonly<Record<LiveTopic, readonly EndpointName[]>> = {
  verifications: [
    'services',
    'start',
    'phones',
    'verifications',
    'verification',
    'verification-counts',
    'overview',
    'balance',
    'ledger-lines',
    'webhooks',
  ],
  services: ['services', 'service-settings', 'start', 'webhooks', 'statistics'],
  requests: ['api-requests', 'api-errors', 'verification-request'],
  phones: ['phones'],
  start: ['start'],
  money: ['me', 'balance', 'ledger-lines', 'overview', 'invoices'],
  me: ['me', 'security', 'members', 'notices'],
}

// Without topics: the server is there.
type Message = { readonly topics: readonly LiveTopic[] | 'all' }

let stopCurrent: (() => void) | undefined

export function startLive(): void {
  if (stopCurrent !== undefined) return
  const channel = new BroadcastChannel(channelName)
  const ending = new AbortController()
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => refresh(data))
  watchConnection()
  // What happened while the server was away is unknown.
  const forget = onConnectionChange(() => {
    if (currentLoss() === undefined) refresh({ topics: 'all' })
  })
  const publish = (message: Message) => {
    refresh(message)
    channel.postMessage(message)
  }
  navigator.locks
    .request(channelName, { signal: ending.signal }, () => holdStream(publish, ending.signal))
    .catch(() => undefined)
  stopCurrent = () => {
    ending.abort()
    channel.close()
    forget()
    stopWatching()
  }
}

export function stopLive(): void {
  stopCurrent?.()
  stopCurrent = undefined
}

// Every read is repeated whenever the stream opens: what happened before is unknown.
function holdStream(publish: (message: Message) => void, signal: AbortSignal): Promise<void> {
  const ended = Promise.withResolvers<void>()
  let delayMs = firstDelayMs
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  const open = () => {
    source = new EventSource('/web/events')
    source.addEventListener('open', () => {
      delayMs = firstDelayMs
      publish({ topics: 'all' })
    })
    source.addEventListener('message', ({ data }: MessageEvent<string>) => publish(parse(data)))
    source.addEventListener('error', () => {
      source.close()
      askHealth().catch(() => undefined)
      timer = setTimeout(open, delayMs * (0.5 + Math.random()))
      delayMs = Math.min(delayMs * 2, delayMsMax)
    })
  }
  open()
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    source.close()
    ended.resolve()
  })
  return ended.promise
}

function parse(data: string): Message {
  const { topics }: Partial<Message> = JSON.parse(data)
  return { topics: topics ?? [] }
}

// Reads only: to send anything else again would repeat what it does.
function refresh({ topics }: Message): void {
  noteContact()
  const stale: ReadonlySet<unknown> =
    topics === 'all' ? reads : new Set(topics.flatMap((topic) => readsByTopic[topic] ?? []))
  queryClient.invalidateQueries({ predicate: ({ queryKey: [name] }) => stale.has(name) }).catch(() => undefined)
}
