// Fetches the numbering registry on a schedule, and at once when the console asks for it over NATS. Every process that fetches is
// asked: each machine has its own directory. The time of the last check is kept beside the data, so neither a restart nor
// a second keeper on the same machine fetches again before it is due. A failure is logged and counted, and the data in use
// stays; the next attempt follows within an hour.

import type { RequestRegistryFetch } from '../../actions/numbers/registries.ts'
import type { RegistryFetch } from '../../domain/numbers/numbering-report.ts'
import { hourMs } from '../../domain/values/time.ts'
import { fetchDueInMs, readFetchState } from '../../numbering/fetch-state.ts'
import { fetchInThread } from '../../numbering/threads.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { Events } from '../../process/metrics/events.ts'
import type { Bus } from '../core/bus.ts'
import { requestReply } from '../core/request-reply.ts'

type RegistryFetchDeps = {
  readonly numberingDir: string
  // '' for no fetch.
  readonly registryUrl: string
  readonly registryCaFile: string | undefined
  readonly registryFetchHours: number
  readonly timeScale: number
  readonly notifyChanged: () => void
  readonly bus: Pick<Bus, 'connection' | 'names'> | undefined
  readonly clock: Clock
  readonly events: Pick<Events, 'registryFetched' | 'registryChecked'>
  readonly log: Logger
}

const acceptTimeoutMs = 3_000

export function createRegistryFetchRequest(bus: Pick<Bus, 'connection' | 'names' | 'isUp'>): RequestRegistryFetch {
  return async () => (await requestReply(bus, bus.names.registryFetchSubject, {}, acceptTimeoutMs)) !== undefined
}

export function startRegistryFetch(deps: RegistryFetchDeps): { readonly close: () => Promise<void> } {
  if (deps.numberingDir === '' || deps.registryUrl === '') return { close: async () => undefined }
  const closing = new AbortController()
  const requests = serveRequests(deps.bus)
  const fetching = keepFetching(deps, requests, closing.signal)
  return {
    close: async () => {
      requests.close()
      closing.abort()
      await fetching
    },
  }
}

type Requests = ReturnType<typeof serveRequests>

// Replies at once: a download takes longer than a page waits.
function serveRequests(bus: RegistryFetchDeps['bus']) {
  let waiting = new AbortController()
  const subscription = bus?.connection.subscribe(bus.names.registryFetchSubject, {
    callback: (error, message) => {
      if (error) return
      message.respond('{}')
      waiting.abort()
    },
  })
  return {
    // Aborted by the first request after the last `take`.
    signal: () => waiting.signal,
    take: (): boolean => {
      const { aborted } = waiting.signal
      if (aborted) waiting = new AbortController()
      return aborted
    },
    close: () => subscription?.unsubscribe(),
  }
}

async function keepFetching(deps: RegistryFetchDeps, requests: Requests, closing: AbortSignal): Promise<void> {
  const { numberingDir, registryUrl, registryFetchHours, timeScale, clock, events } = deps
  const intervalMs = clock.scaledMs(registryFetchHours * hourMs)
  while (!closing.aborted) {
    const isRequested = requests.take()
    const dueInMs = isRequested ? 0 : await fetchDueInMs(numberingDir, registryUrl, intervalMs)
    if (dueInMs === 0) await fetchOnce(deps, isRequested ? 0 : intervalMs, closing)
    const state = await readFetchState(numberingDir)
    events.registryChecked(state?.url === registryUrl ? state.checkedAtMs : undefined)
    const pauseMs = dueInMs === 0 ? hourMs : Math.min(dueInMs / timeScale, hourMs)
    await clock.sleep(pauseMs, AbortSignal.any([closing, requests.signal()]))
  }
}

async function fetchOnce(deps: RegistryFetchDeps, intervalMs: number, closing: AbortSignal): Promise<void> {
  const { numberingDir: dir, registryUrl: url, registryCaFile: caFile, events, log } = deps
  try {
    const done = await fetchInThread({ dir, url, caFile, allowLoss: false, intervalMs }, closing)
    if (done === undefined) return
    events.registryFetched(done.isNew ? 'changed' : 'unchanged')
    logChanges(log, done)
    if (done.isNew) deps.notifyChanged()
  } catch (error) {
    if (closing.aborted) return
    events.registryFetched('failed')
    log.warn({ err: error }, 'registry fetch failed')
  }
}

function logChanges(log: Logger, { version, isNew, registries }: RegistryFetch): void {
  const sum = (count: (one: RegistryFetch['registries'][number]) => number) =>
    registries.reduce((total, one) => total + count(one), 0)
  const added = sum(({ diff }) => diff.added.numbers)
  const removed = sum(({ diff }) => diff.removed.numbers)
  const moved = sum(({ diff }) => diff.changedOwner.numbers)
  const conflicts = sum((one) => one.conflicts.length)
  log.info({ numbering: version, changed: isNew, added, removed, moved, conflicts }, 'registry fetched')
}
