import { Worker } from 'node:worker_threads'
import type { RegistryFetch, VersionDiff } from '../domain/numbers/numbering-report.ts'
import type { Clock } from '../process/clock.ts'
import { UsageError } from '../process/errors.ts'
import { readVersionPair, type VersionPair } from './diff-versions.ts'
import type { FetchOptions } from './fetch-registry.ts'
import { versionOf } from './pointer.ts'

// The one message of a thread, which then ends.
async function messageOf<Message>(worker: Worker): Promise<Message> {
  try {
    return await new Promise<Message>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('the thread ended without a result')))
    })
  } finally {
    await worker.terminate()
  }
}

// Compares the version in use with the one that is kept, in a thread: walking hundreds of thousands of ranges takes most of a second,
// in which the process could not serve requests. The last difference is remembered: two versions always differ in the same way.

const heapMbMax = 256

const diffMsMax = 60_000

// Undefined if no version is kept.
export function createDiff(dir: string, clock: Clock): () => Promise<VersionDiff | undefined> {
  let last: { readonly of: string; readonly diff: Promise<VersionDiff> } | undefined
  return async () => {
    const pair = await readVersionPair(dir)
    if (!pair) return undefined
    const of = `${versionOf(pair.before)} ${versionOf(pair.after)}`
    if (last?.of !== of) {
      const diff = diffInThread(dir, pair, clock)
      last = { of, diff }
      // The next request tries again.
      diff.catch(() => {
        last = undefined
      })
    }
    return last.diff
  }
}

async function diffInThread(dir: string, pair: VersionPair, clock: Clock): Promise<VersionDiff> {
  const worker = new Worker(new URL('./diff-worker.ts', import.meta.url), {
    workerData: { dir, pair },
    resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
  })
  const late = clock.after(diffMsMax, () => void worker.terminate())
  try {
    return await messageOf<VersionDiff>(worker)
  } finally {
    late.stop()
  }
}

// Fetches the registry in a thread: parsing hundreds of thousands of rows takes seconds, in which the process could not
// serve requests.

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
