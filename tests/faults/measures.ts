// What the extra expectations are measured by, from the histories of a case.

import type { ClientLine, FaultLine, Histories } from '../crash/histories.ts'

export type Measure = {
  readonly what: string
  readonly value: number
  // The extra expectation of the fault; without a limit the value is only reported.
  readonly max?: number
  readonly min?: number
}

// The longest time without an accepted call, from the fault until the last request.
export function gap(max: number) {
  return (histories: Histories, { atMs }: FaultLine): readonly Measure[] => {
    const times = startsOf(histories)
      .filter(({ method, response }) => method === 'initCall' && response?.status === 200)
      .filter(({ doneAtMs }) => doneAtMs > atMs)
      .map(({ doneAtMs }) => doneAtMs)
      .toSorted((a, b) => a - b)
    const gaps = times.map((time, index) => time - (times[index - 1] ?? atMs))
    return [{ what: 'ms without an accepted call', value: Math.max(0, ...gaps), max }]
  }
}

// How long a client waited at most for a response of any kind.
export function slowestResponse(max: number) {
  return (histories: Histories): readonly Measure[] => {
    const waits = histories.client.filter(({ response }) => response !== undefined).map(durationMs)
    return [{ what: 'ms until the slowest response', value: Math.max(0, ...waits), max }]
  }
}

// Keys whose first try got no response or 5xx, and which a later try returned: always the same verification.
export function retriedKeys({ client }: Histories): readonly Measure[] {
  const tries = Map.groupBy(
    client.filter(({ method, unique }) => method === 'initCall' && unique !== undefined),
    ({ serviceId, unique }) => `${serviceId} ${unique}`,
  )
  const retried = [...tries.values()].filter(
    (all) => all.some(isUnknown) && all.some(({ response }) => response?.status === 200),
  )
  const several = retried.filter((all) => new Set(all.flatMap(({ response }) => response?.vendorId ?? [])).size > 1)
  return [
    { what: 'keys retried', value: retried.length },
    { what: 'keys that returned two verifications', value: several.length, max: 0 },
  ]
}

// No client may see one, whatever breaks.
export function internalErrors({ client }: Histories): readonly Measure[] {
  return [{ what: 'HTTP 500', value: client.filter(({ response }) => response?.status === 500).length, max: 0 }]
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export function startsOf({ client }: Histories): readonly ClientLine[] {
  return client.filter(({ method, kind }) => method !== 'getInfo' && kind !== 'after')
}

export function durationMs({ sentAtMs, doneAtMs }: ClientLine): number {
  return doneAtMs - sentAtMs
}

function isUnknown({ response, isUnsent }: ClientLine): boolean {
  return isUnsent !== true && (response === undefined || response.status >= 500)
}
