// Two load models and their figures.
//
// A closed loop measures throughput: each client sends its next request as soon as it has a response. pgbench works the same
// way, so the two can be compared. But its clients send less while the server is slow, which makes latency look too good
// (coordinated omission). Latency is therefore measured in an open loop: requests are due at random times (Poisson), whether
// or not earlier ones have finished, and each counts from the time it was due.

export type Load =
  | { readonly seconds: number; readonly clients: number }
  | { readonly seconds: number; readonly perSecond: number }

// Refused: shed with the response of the contract. Anything else that is not good has failed.
export type Outcome = 'good' | 'refused' | 'failed'

export type Measured = {
  readonly perSecond: number
  readonly good: number
  readonly refused: number
  readonly failed: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly refusedP99Ms: number
  // How late the generator sent its requests.
  readonly lagP99Ms: number
}

const timeoutMs = 5_000

export async function runLoad(load: Load, ask: () => Promise<Outcome>): Promise<Measured> {
  const counts = { good: 0, refused: 0, failed: 0 }
  const times = { good: createHistogram(), refused: createHistogram(), failed: createHistogram() }
  const lags = createHistogram()
  const startedMs = performance.now()
  let lastGoodMs = startedMs
  const one = async (dueMs: number): Promise<void> => {
    lags.add(performance.now() - dueMs)
    const outcome = await ask()
    const nowMs = performance.now()
    counts[outcome] += 1
    times[outcome].add(nowMs - dueMs)
    if (outcome === 'good') lastGoodMs = nowMs
  }
  const unanswered = 'clients' in load ? await closedLoop(load, one) : await openLoop(load, one)
  return {
    perSecond: counts.good / ((lastGoodMs - startedMs) / 1000),
    ...counts,
    failed: counts.failed + unanswered,
    p50Ms: times.good.quantile(0.5),
    p99Ms: times.good.quantile(0.99),
    refusedP99Ms: times.refused.quantile(0.99),
    lagP99Ms: lags.quantile(0.99),
  }
}

async function closedLoop(
  { seconds, clients }: { readonly seconds: number; readonly clients: number },
  one: (dueMs: number) => Promise<void>,
): Promise<number> {
  const endMs = performance.now() + seconds * 1000
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < endMs) await one(performance.now())
    }),
  )
  return 0
}

// Returns how many requests had no response.
async function openLoop(
  { seconds, perSecond }: { readonly seconds: number; readonly perSecond: number },
  one: (dueMs: number) => Promise<void>,
): Promise<number> {
  const startMs = performance.now()
  const endMs = startMs + seconds * 1000
  const gapMs = () => (-Math.log(1 - Math.random()) * 1000) / perSecond
  const open = new Set<Promise<void>>()
  for (let dueMs = startMs + gapMs(); dueMs < endMs; ) {
    for (const nowMs = performance.now(); dueMs <= nowMs && dueMs < endMs; dueMs += gapMs()) {
      const answered = one(dueMs).finally(() => open.delete(answered))
      open.add(answered)
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.race([Promise.all(open), new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())])
  return open.size
}

// Each bucket is 2 % wider than the one before, so every figure is accurate to 2 %.
const growth = Math.log(1.02)
const leastMs = 0.01

function createHistogram() {
  const buckets: number[] = []
  let total = 0
  return {
    add: (ms: number): void => {
      const bucket = Math.max(0, Math.ceil(Math.log(ms / leastMs) / growth))
      buckets[bucket] = (buckets[bucket] ?? 0) + 1
      total += 1
    },
    // 0 without any sample.
    quantile: (part: number): number => {
      let passed = 0
      const bucket = buckets.findIndex((count) => (passed += count ?? 0) >= total * part && passed > 0)
      return total === 0 ? 0 : leastMs * Math.exp(bucket * growth)
    },
  }
}

export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? Number.NaN
}
