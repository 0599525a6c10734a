// Statistics of outgoing calls: how many were dialled, rang and succeeded, and their post-dial delay. Each database reports
// its counts by group and post-dial delay, so that percentiles are of all calls and not of databases.

export const statisticsKeys = ['trunk', 'country', 'mode', 'hour'] as const
export type StatisticsKey = (typeof statisticsKeys)[number]

type CallGroup = Readonly<Partial<Record<StatisticsKey, string>>>

// Calls of one group with about the same post-dial delay.
export type CallCounts = {
  readonly group: CallGroup
  // Rounded; null for calls that did not ring.
  readonly postDialMs: number | null
  readonly dialled: number
  readonly rang: number
  readonly succeeded: number
  // Ended before they were dialled: no free channel in time, no node, or undone.
  readonly notDialled: number
}

export type CallStatistics = Omit<CallCounts, 'postDialMs'> & {
  // The share of dialled calls that rang; undefined if none was dialled.
  readonly ringThrough: number | undefined
  readonly postDialP50Ms: number | undefined
  readonly postDialP95Ms: number | undefined
}

// One row per group, sorted by its keys.
export function mergeStatistics(
  counts: readonly CallCounts[],
  by: readonly StatisticsKey[],
): readonly CallStatistics[] {
  const nameOf = ({ group }: CallCounts) => by.map((key) => group[key] ?? '').join('\0')
  return [...Map.groupBy(counts, nameOf)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, ofGroup]) => statisticsOf(ofGroup))
}

function statisticsOf(counts: readonly CallCounts[]): CallStatistics {
  const sum = (name: 'dialled' | 'rang' | 'succeeded' | 'notDialled') =>
    counts.reduce((total, count) => total + count[name], 0)
  const [dialled, rang] = [sum('dialled'), sum('rang')]
  return {
    group: counts[0]?.group ?? {},
    dialled,
    rang,
    succeeded: sum('succeeded'),
    notDialled: sum('notDialled'),
    ringThrough: dialled === 0 ? undefined : rang / dialled,
    postDialP50Ms: percentile(counts, 0.5),
    postDialP95Ms: percentile(counts, 0.95),
  }
}

// The smallest delay that the given share of calls with a delay does not exceed.
function percentile(counts: readonly CallCounts[], share: number): number | undefined {
  const measured = counts
    .flatMap(({ postDialMs, rang }) => (postDialMs === null ? [] : [{ postDialMs, rang }]))
    .toSorted((a, b) => a.postDialMs - b.postDialMs)
  const wanted = share * measured.reduce((total, { rang }) => total + rang, 0)
  let passed = 0
  return measured.find(({ rang }) => (passed += rang) >= wanted)?.postDialMs
}
