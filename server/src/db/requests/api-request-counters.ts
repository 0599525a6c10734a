// Counts of API requests that are still to be written, by everything that they are asked by.

import type { AccountId, ServiceId } from '../../domain/core/slot.ts'
import { type CompletedRequest, subjectOf } from '../../domain/requests/api-request.ts'
import type { Clock } from '../../process/clock.ts'

export type Counted = {
  readonly accountId: AccountId
  readonly serviceId: ServiceId
  readonly isTest: boolean
  readonly method: string
  readonly refusal: string
  readonly subject: string
  readonly msMax: number
  requests: number
  lastMs: number
}

export type Counts = Map<string, Counted>

// This many counters are written with the next rows; more of them wait, so that each write stands for more requests.
const countersPerWrite = 100
const countersMs = 10_000
const countersMax = 20_000

export function createCounters(clock: Clock) {
  let counted: Counts = new Map()
  let takenMs = clock.monotonicMs()
  return {
    // Whether there was room.
    add: (request: CompletedRequest): boolean => {
      const { key, counter } = counterOf(request)
      if (counted.size >= countersMax && !counted.has(key)) return false
      addCount(counted, key, counter)
      return true
    },
    // What is due, or all.
    take: (isLast: boolean): Counts => {
      const nowMs = clock.monotonicMs()
      if (counted.size > countersPerWrite && nowMs - takenMs < countersMs && !isLast) return new Map()
      const counts = counted
      counted = new Map()
      takenMs = nowMs
      return counts
    },
    addCount: (key: string, counter: Counted): void => addCount(counted, key, counter),
    putBack: (counts: Counts): void => {
      for (const [key, one] of counted) addCount(counts, key, one)
      counted = counts
    },
  }
}

function addCount(counted: Counts, key: string, counter: Counted): void {
  const known = counted.get(key)
  if (!known) counted.set(key, counter)
  else {
    known.requests += counter.requests
    known.lastMs = Math.max(known.lastMs, counter.lastMs)
  }
}

// Upper bounds of durations: percentiles are known to one of these.
const msBounds = [1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800, 1_200, 2_000, 5_000, 60_000]

function counterOf(request: CompletedRequest): { readonly key: string; readonly counter: Counted } {
  const { apiClient, isTest, method, refused, startedMs, endedMs } = request
  const { serviceId, accountId } = apiClient
  const refusal = refused?.refusal.refusal ?? ''
  const subject = refused ? subjectOf(refused.refusal) : ''
  const msMax = msBounds.find((bound) => endedMs - startedMs <= bound) ?? 60_000
  return {
    key: `${serviceId} ${isTest} ${method} ${refusal} ${subject} ${msMax}`,
    counter: { accountId, serviceId, isTest, method, refusal, subject, msMax, requests: 1, lastMs: startedMs },
  }
}
