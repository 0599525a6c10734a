// Compares the version in use with the one that is kept, in a thread: walking hundreds of thousands of ranges takes most of a second,
// in which the process could not serve requests. The last difference is remembered: two versions always differ in the same way.

import { Worker } from 'node:worker_threads'
import type { VersionDiff } from '../domain/numbers/numbering-report.ts'
import type { Clock } from '../process/clock.ts'
import { readVersionPair, type VersionPair } from './diff-versions.ts'
import { versionOf } from './pointer.ts'
import { messageOf } from './thread.ts'

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
