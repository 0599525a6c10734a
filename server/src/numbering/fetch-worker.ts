// The program of the thread that fetches the registry. It ends with one message: the result, or the refusal.

import { parentPort, workerData } from 'node:worker_threads'
import { createClock } from '../process/clock.ts'
import { UsageError } from '../process/errors.ts'
import { type FetchOptions, fetchRegistry } from './fetch-registry.ts'
import type { FetchOutcome } from './threads.ts'

const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort())
const deps = { clock: createClock(1), signal: stopping.signal, report: () => undefined }
const outcome = await fetchRegistry(workerData as FetchOptions, deps).then(
  (fetched): FetchOutcome => ({ fetched }),
  (error: unknown): FetchOutcome => {
    if (error instanceof UsageError) return { refused: error.message }
    throw error
  },
)
parentPort?.postMessage(outcome)
