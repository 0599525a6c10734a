// What is known of the last fetch, kept beside the numbering data: when the registry was last checked, which version of
// each file was imported, and how the last attempt ended. And the lease that keeps two processes from downloading at once. The import itself is safe without
// it, so a lease that a dead process left behind is only waited for.

import { mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type FetchAttempt, isFetchResult } from '../domain/numbers/numbering-report.ts'
import { hourMs } from '../domain/values/time.ts'
import { wallMs } from '../process/clock.ts'
import type { Validators } from './download.ts'
import { writeWhole } from './pointer.ts'

type FetchState = {
  readonly url: string
  readonly checkedAtMs: number
  // By file name.
  readonly files: Readonly<Record<string, Validators>>
}

const stateName = 'fetched.json'
const attemptName = 'fetch-attempt.json'
const leaseName = 'fetch.lease'
const leaseMs = hourMs

// Undefined if nothing was fetched yet, or if the file cannot be read: then everything is downloaded.
export async function readFetchState(dir: string): Promise<FetchState | undefined> {
  const state = await readJson<FetchState>(dir, stateName)
  const isWhole = typeof state?.url === 'string' && typeof state.checkedAtMs === 'number' && state.files !== undefined
  return isWhole ? (state as FetchState) : undefined
}

export async function writeFetchState(dir: string, state: FetchState): Promise<void> {
  await writeWhole(dir, stateName, JSON.stringify(state))
}

// Undefined if nothing was fetched yet, or if the file cannot be read.
export async function readFetchAttempt(dir: string): Promise<FetchAttempt | undefined> {
  const attempt = await readJson<FetchAttempt>(dir, attemptName)
  const isWhole = typeof attempt?.atMs === 'number' && typeof attempt.reason === 'string'
  return isWhole && isFetchResult(attempt.result) ? (attempt as FetchAttempt) : undefined
}

export async function writeFetchAttempt(dir: string, attempt: FetchAttempt): Promise<void> {
  await writeWhole(dir, attemptName, JSON.stringify(attempt))
}

async function readJson<Content>(dir: string, name: string): Promise<Partial<Content> | undefined> {
  try {
    return JSON.parse(await readFile(join(dir, name), 'utf8')) as Partial<Content>
  } catch {
    return undefined
  }
}

// How long until the registry has to be checked again; 0 if it is due.
export async function fetchDueInMs(dir: string, url: string, intervalMs: number): Promise<number> {
  const state = await readFetchState(dir)
  if (state === undefined || state.url !== url) return 0
  const ageMs = wallMs() - state.checkedAtMs
  // A time in the future comes from a clock that was wrong.
  return ageMs < 0 ? 0 : Math.max(0, intervalMs - ageMs)
}

// Undefined while another process has it.
export async function acquireFetchLease(dir: string): Promise<(() => Promise<void>) | undefined> {
  await mkdir(dir, { recursive: true })
  const path = join(dir, leaseName)
  const ageMs = await leaseAgeMs(dir)
  if (ageMs !== undefined && ageMs > leaseMs) await rm(path, { force: true })
  try {
    await (await open(path, 'wx')).close()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined
    throw error
  }
  return () => rm(path, { force: true })
}

// Whether a process has the lease.
export async function isFetching(dir: string): Promise<boolean> {
  const ageMs = await leaseAgeMs(dir)
  return ageMs !== undefined && ageMs <= leaseMs
}

function leaseAgeMs(dir: string): Promise<number | undefined> {
  return stat(join(dir, leaseName)).then(
    ({ mtimeMs }) => wallMs() - mtimeMs,
    () => undefined,
  )
}
