// Rate limits per client address, in this process's memory: no money depends on them, and losing them in a restart does no
// harm. Requests use a token bucket, so one second's worth may come at once; one that counts as several may overdraw it. Failed authentications are counted over a
// sliding second: after five the address is refused, and refused requests do not count.

import { limitKey } from '../domain/accounts/client-address.ts'
import type { Clock } from '../process/clock.ts'

type AddressLimits = {
  // Undefined if the request may pass, else the seconds to wait.
  readonly take: (address: string, scope: string, perSecond: number, count?: number) => number | undefined
  readonly noteFailure: (address: string) => void
  readonly failsTooOften: (address: string) => boolean
  readonly close: () => void
}

type Bucket = { tokens: number; perSecond: number; atMs: number }

const failuresMax = 5
const failuresWindowMs = 1_000
const forgetMs = 2_000

export function createAddressLimits(clock: Clock): AddressLimits {
  const buckets = new Map<string, Bucket>()
  const failures = new Map<string, number[]>()
  const sweeping = clock.every(1_000, () => sweep(buckets, failures, clock.monotonicMs()))
  return {
    take: (address, scope, perSecond, count = 1) => {
      const nowMs = clock.monotonicMs()
      const key = `${limitKey(address)} ${scope}`
      const bucket = buckets.get(key) ?? { tokens: perSecond, perSecond, atMs: nowMs }
      bucket.tokens = Math.min(perSecond, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * perSecond)
      bucket.atMs = nowMs
      buckets.set(key, bucket)
      if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond))
      bucket.tokens -= count
      return undefined
    },
    noteFailure: (address) => {
      const key = limitKey(address)
      const times = [...(failures.get(key) ?? []), clock.monotonicMs()]
      failures.set(key, times.slice(-failuresMax))
    },
    failsTooOften: (address) => {
      if (failures.size === 0) return false
      const times = failures.get(limitKey(address))
      const [oldest] = times ?? []
      return times?.length === failuresMax && oldest !== undefined && clock.monotonicMs() - oldest < failuresWindowMs
    },
    close: () => sweeping.stop(),
  }
}

// Drops full buckets and old failures: they no longer limit anything.
function sweep(buckets: Map<string, Bucket>, failures: Map<string, number[]>, nowMs: number): void {
  for (const [key, { tokens, perSecond, atMs }] of buckets) {
    const isFull = tokens + ((nowMs - atMs) / 1000) * perSecond >= perSecond
    if (isFull && nowMs - atMs > forgetMs) buckets.delete(key)
  }
  for (const [key, times] of failures) if (nowMs - (times.at(-1) ?? 0) > forgetMs) failures.delete(key)
}
