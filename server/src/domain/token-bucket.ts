// A token bucket of one second's worth, at least one token. It starts empty, so that a process that restarts again and again
// is not faster than one that keeps running.

export type TokenBucket = {
  // Time from any monotonic clock.
  readonly has: (perSecond: number, nowMs: number) => boolean
  readonly spend: () => void
}

export function createTokenBucket(startedMs: number): TokenBucket {
  let tokens = 0
  let atMs = startedMs
  return {
    has: (perSecond, nowMs) => {
      tokens = Math.min(Math.max(1, perSecond), tokens + ((nowMs - atMs) / 1000) * perSecond)
      atMs = nowMs
      return tokens >= 1
    },
    spend: () => {
      tokens -= 1
    },
  }
}
