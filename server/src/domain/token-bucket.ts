// So many a second, evenly: a bucket of one second's worth, and of one at least. It begins empty, so that a process which
// is started again and again is no quicker than one that stays.

export type TokenBucket = {
  // Time is any clock's that never goes back.
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
