// Fetches the numbering registry on a schedule. The time of the last check is kept beside the data, so neither a restart nor
// a second keeper on the same machine fetches again before it is due. A failure is logged and counted, and the data in use
// stays; the next attempt follows within an hour.

import type { Clock } from '../clock.ts'
import type { RegistryFetch } from '../domain/numbers/numbering-report.ts'
import type { Events } from '../events.ts'
import type { Logger } from '../log.ts'
import { fetchDueInMs, readFetchState } from '../numbering/fetch-state.ts'
import { fetchInThread } from '../numbering/fetch-thread.ts'

export type RegistryFetchDeps = {
  readonly numberingDir: string
  // '' for no fetch.
  readonly registryUrl: string
  readonly registryCaFile: string | undefined
  readonly registryFetchHours: number
  readonly timeScale: number
  readonly notifyChanged: () => void
  readonly clock: Clock
  readonly events: Pick<Events, 'registryFetched' | 'registryChecked'>
  readonly log: Logger
}

const hourMs = 3_600_000

export function startRegistryFetch(deps: RegistryFetchDeps): { readonly close: () => Promise<void> } {
  const closing = new AbortController()
  const fetching = deps.numberingDir === '' || deps.registryUrl === '' ? undefined : keepFetching(deps, closing.signal)
  return {
    close: async () => {
      closing.abort()
      await fetching
    },
  }
}

async function keepFetching(deps: RegistryFetchDeps, closing: AbortSignal): Promise<void> {
  const { numberingDir, registryUrl, registryFetchHours, timeScale, clock, events } = deps
  const intervalMs = clock.scaledMs(registryFetchHours * hourMs)
  while (!closing.aborted) {
    const dueInMs = await fetchDueInMs(numberingDir, registryUrl, intervalMs)
    if (dueInMs === 0) await fetchOnce(deps, intervalMs, closing)
    const state = await readFetchState(numberingDir)
    events.registryChecked(state?.url === registryUrl ? state.checkedAtMs : undefined)
    await clock.sleep(dueInMs === 0 ? hourMs : Math.min(dueInMs / timeScale, hourMs), closing)
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
