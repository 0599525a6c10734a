// Fetches the registry in a thread: parsing hundreds of thousands of rows takes seconds, in which the process could not
// serve requests.

import { Worker } from 'node:worker_threads'
import type { RegistryFetch } from '../domain/numbers/numbering-report.ts'
import { UsageError } from '../process/errors.ts'
import type { FetchOptions } from './fetch-registry.ts'
import { messageOf } from './thread.ts'

export type FetchOutcome = { readonly fetched: RegistryFetch | undefined } | { readonly refused: string }

// Undefined if another process fetches, or has just done so. Ends early when the signal is aborted.
export async function fetchInThread(options: FetchOptions, signal: AbortSignal): Promise<RegistryFetch | undefined> {
  const worker = new Worker(new URL('./fetch-worker.ts', import.meta.url), { workerData: options })
  const stop = () => worker.postMessage('stop')
  signal.addEventListener('abort', stop)
  try {
    const outcome = await messageOf<FetchOutcome>(worker)
    if ('refused' in outcome) throw new UsageError(outcome.refused)
    return outcome.fetched
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
