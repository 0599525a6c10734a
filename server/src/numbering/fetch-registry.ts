// Fetches the Russian numbering registry from its public address and imports what has changed. All files take effect
// together, or none: if one cannot be downloaded or is refused, the data in use stays.

import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FetchAttempt, RegistryFetch, ReportProgress } from '../domain/numbers/numbering-report.ts'
import { type Clock, wallMs } from '../process/clock.ts'
import type { Limits, Validators } from './download.ts'
import { acquireFetchLease, fetchDueInMs, readFetchState, writeFetchAttempt, writeFetchState } from './fetch-state.ts'
import { importRegistry } from './import-registry.ts'
import { kindDigits, readCurrent, registryKinds, versionOf } from './pointer.ts'

export type FetchOptions = {
  readonly dir: string
  // The address of the folder that has the files.
  readonly url: string
  readonly caFile: string | undefined
  readonly allowLoss: boolean
  // Nothing is fetched if the last fetch is younger.
  readonly intervalMs: number
}

export type FetchDeps = {
  // In real time.
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly report: ReportProgress
  readonly limits?: Limits
}

// Undefined if another process fetches, or has done so within the interval.
export async function fetchRegistry(options: FetchOptions, deps: FetchDeps): Promise<RegistryFetch | undefined> {
  const release = await acquireFetchLease(options.dir)
  if (release === undefined) return undefined
  try {
    if ((await fetchDueInMs(options.dir, options.url, options.intervalMs)) > 0) return undefined
    const folder = await mkdtemp(join(options.dir, 'download-'))
    try {
      const done = await fetchInto(folder, options, deps)
      await note(options.dir, done.isNew ? 'changed' : 'unchanged', '')
      return done
    } catch (error) {
      // Who stops the process knows why there is no result.
      if (!deps.signal.aborted)
        await note(options.dir, 'failed', error instanceof Error ? error.message : String(error))
      throw error
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  } finally {
    await release()
  }
}

// For the operator's eyes only: a disk that cannot take it must not change the outcome.
async function note(dir: string, result: FetchAttempt['result'], reason: string): Promise<void> {
  await writeFetchAttempt(dir, { atMs: wallMs(), result, reason }).catch(() => undefined)
}

async function fetchInto(
  folder: string,
  { dir, url, caFile, allowLoss }: FetchOptions,
  deps: FetchDeps,
): Promise<RegistryFetch> {
  const known = await readFetchState(dir)
  const knownFiles = known?.url === url ? known.files : {}
  const files: Record<string, Validators> = { ...knownFiles }
  const paths: string[] = []
  const unchanged: RegistryFetch['unchanged'][number][] = []
  // The HTTP client is loaded when it is needed: most processes never fetch.
  const { download } = await import('./download.ts')
  for (const [index, kind] of kindDigits.map((digit) => registryKinds[digit]).entries()) {
    const name = `${kind}.csv`
    const path = join(folder, name)
    deps.report('download', index / kindDigits.length)
    const validators = await download({ caFile, ...deps }, addressOf(url, name), knownFiles[name] ?? {}, path)
    if (validators === undefined) unchanged.push(kind)
    else {
      files[name] = validators
      paths.push(path)
    }
  }
  deps.report('download', 1)
  const imported =
    paths.length > 0
      ? await importRegistry(dir, paths, allowLoss, deps.report)
      : { version: versionOf(await readCurrent(dir)), isNew: false, registries: [] }
  await writeFetchState(dir, { url, checkedAtMs: wallMs(), files })
  return { ...imported, unchanged }
}

function addressOf(folder: string, name: string): URL {
  return new URL(name, folder.endsWith('/') ? folder : `${folder}/`)
}
