// How long a piece of work takes, over many rounds.

const rounds = 40

// In milliseconds, shortest first. The first round is left out: it reads from the disk.
export async function measure(work: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const startedMs = performance.now()
    await work()
    if (round > 0) times.push(performance.now() - startedMs)
  }
  return times.toSorted((one, other) => one - other)
}

export function at(times: readonly number[], share: number): number {
  return Math.round((times[Math.ceil(times.length * share) - 1] ?? 0) * 10) / 10
}
