// A token bucket of one second's worth, at least one token. It starts empty, so that a process that restarts again and again
// is not faster than one that keeps running.

type TokenBucket = {
  // How many tokens there are, as a whole number. Time from any monotonic clock.
  readonly available: (perSecond: number, nowMs: number) => number
  readonly spend: () => void
}

export function createTokenBucket(startedMs: number): TokenBucket {
  let tokens = 0
  let atMs = startedMs
  return {
    available: (perSecond, nowMs) => {
      tokens = Math.min(Math.max(1, perSecond), tokens + ((nowMs - atMs) / 1000) * perSecond)
      atMs = nowMs
      return Math.max(0, Math.floor(tokens))
    },
    spend: () => {
      tokens -= 1
    },
  }
}
