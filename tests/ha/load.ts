// Verifications at a steady rate over all processes, and what became of each request.

import { setTimeout as sleep } from 'node:timers/promises'
import { freshNumber } from '../support/process/phones.ts'
import type { TestService } from '../support/process/server.ts'

export type Load = {
  readonly accepted: ReadonlyMap<number, number>
  // How often each response came: 'accepted', 'code 5', 'HTTP 500', 'no response'.
  readonly counts: () => Readonly<Record<string, number>>
  // The longest time without an accepted request since the given moment, in milliseconds.
  readonly gapMs: (sinceMs: number) => number
  readonly acceptedSince: (sinceMs: number) => number
  readonly stop: () => Promise<void>
}

const timeoutMs = 10_000
const stepMs = 10

export function startLoad(bases: readonly string[], { bearer }: TestService, perSecond: number): Load {
  // When each verification was accepted, by ID.
  const accepted = new Map<number, number>()
  const counts: Record<string, number> = {}
  const open = new Set<Promise<void>>()
  const stopped = new AbortController()
  const startedMs = performance.now()
  const send = async (n: number) => {
    const { outcome, id } = await request(`${bases[n % bases.length]}/v1.0/initCall`, bearer, `${startedMs}-${n}`)
    counts[outcome] = (counts[outcome] ?? 0) + 1
    if (id !== undefined) accepted.set(id, performance.now())
  }
  const run = async () => {
    for (let n = 0; !stopped.signal.aborted; await sleep(stepMs)) {
      for (; n < ((performance.now() - startedMs) / 1_000) * perSecond; n++) {
        const one = send(n).finally(() => open.delete(one))
        open.add(one)
      }
    }
    await Promise.all(open)
  }
  const ended = run()
  return {
    accepted,
    counts: () => counts,
    gapMs: (sinceMs) => {
      const times = [sinceMs, ...[...accepted.values()].filter((atMs) => atMs > sinceMs), performance.now()]
      return Math.max(...times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0)))
    },
    acceptedSince: (sinceMs) => [...accepted.values()].filter((atMs) => atMs > sinceMs).length,
    stop: async () => {
      stopped.abort()
      await ended
    },
  }
}

type Outcome = { readonly outcome: string; readonly id?: number }

async function request(url: string, bearer: Readonly<Record<string, string>>, unique: string): Promise<Outcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...bearer, 'content-type': 'application/json' },
      body: JSON.stringify({ phone: freshNumber('180'), unique }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const json = (await response.json()) as { status: boolean; code?: unknown; vendor_id?: number }
    if (response.status === 200 && json.vendor_id !== undefined) return { outcome: 'accepted', id: json.vendor_id }
    return { outcome: response.status === 503 ? `code ${String(json.code)}` : `HTTP ${response.status}` }
  } catch {
    return { outcome: 'no response' }
  }
}
