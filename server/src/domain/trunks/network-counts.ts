// How providers ring over trunks: a matrix of provider, trunk and mode against what is usual at these hours, and the hour in which a share
// changed.

import { hasFallen, type Interval, shareInterval } from '../values/share.ts'

export type NetworkCount = {
  readonly hourMs: number
  readonly provider: string
  readonly trunk: string
  readonly mode: string
  readonly calls: number
  readonly dialled: number
  readonly rang: number
  readonly succeeded: number
}

type Cell = Interval & {
  readonly provider: string
  readonly trunk: string
  readonly mode: string
  readonly dialled: number
  readonly rang: number
  // The share of the same hours of earlier weeks.
  readonly usual: number | undefined
  readonly hasFallen: boolean
}

type ChangePoint = {
  readonly provider: string
  readonly trunk: string
  readonly mode: string
  // The first hour after the change.
  readonly hourMs: number
  readonly before: number
  readonly after: number
}

// Most calls first.
export function cellsOf(current: readonly NetworkCount[], earlier: readonly NetworkCount[]): readonly Cell[] {
  const usual = sumsOf(earlier)
  return [...sumsOf(current)]
    .filter(([, { dialled }]) => dialled > 0)
    .map(([key, { provider, trunk, mode, dialled, rang }]) => {
      const before = usual.get(key)
      const share = before === undefined || before.dialled === 0 ? undefined : before.rang / before.dialled
      const interval = shareInterval(rang, dialled)
      return {
        provider,
        trunk,
        mode,
        dialled,
        rang,
        ...interval,
        usual: share,
        hasFallen: hasFallen(rang, dialled, share),
      }
    })
    .toSorted((one, other) => other.dialled - one.dialled)
}

const callsMin = 50
const changeMin = 0.05
// Two equal shares are that far apart once in fifteen thousand times.
const zMin = 4

// Where a series breaks most clearly, if it does: both sides have enough calls and differ by more than their spread explains.
export function changePointsOf(counts: readonly NetworkCount[]): readonly ChangePoint[] {
  const series = Map.groupBy(counts, keyOf)
  return [...series.values()]
    .flatMap((of) => {
      const hours = of.toSorted((one, other) => one.hourMs - other.hourMs)
      const found = breakOf(hours)
      const [first] = hours
      return found && first ? [{ provider: first.provider, trunk: first.trunk, mode: first.mode, ...found }] : []
    })
    .toSorted((one, other) => other.hourMs - one.hourMs)
}

type Sum = { readonly dialled: number; readonly rang: number }

function breakOf(hours: readonly NetworkCount[]): Pick<ChangePoint, 'hourMs' | 'before' | 'after'> | undefined {
  const all = hours.reduce<Sum>(plus, { dialled: 0, rang: 0 })
  let before: Sum = { dialled: 0, rang: 0 }
  let best: (Pick<ChangePoint, 'hourMs' | 'before' | 'after'> & { readonly z: number }) | undefined
  for (const hour of hours) {
    const after = { dialled: all.dialled - before.dialled, rang: all.rang - before.rang }
    if (before.dialled >= callsMin && after.dialled >= callsMin) {
      const [old, now] = [before.rang / before.dialled, after.rang / after.dialled]
      const z = distance(before, after)
      if (z >= zMin && Math.abs(now - old) >= changeMin && z > (best?.z ?? 0)) {
        best = { hourMs: hour.hourMs, before: old, after: now, z }
      }
    }
    before = plus(before, hour)
  }
  return best && { hourMs: best.hourMs, before: best.before, after: best.after }
}

// Two shares in units of the spread that they would have if they were one.
function distance(one: Sum, other: Sum): number {
  const pooled = (one.rang + other.rang) / (one.dialled + other.dialled)
  const spread = Math.sqrt(pooled * (1 - pooled) * (1 / one.dialled + 1 / other.dialled))
  return spread === 0 ? 0 : Math.abs(one.rang / one.dialled - other.rang / other.dialled) / spread
}

function plus(sum: Sum, { dialled, rang }: Sum): Sum {
  return { dialled: sum.dialled + dialled, rang: sum.rang + rang }
}

function keyOf({ provider, trunk, mode }: NetworkCount): string {
  return JSON.stringify([provider, trunk, mode])
}

function sumsOf(counts: readonly NetworkCount[]): ReadonlyMap<string, NetworkCount> {
  const sums = new Map<string, NetworkCount>()
  for (const count of counts) {
    const known = sums.get(keyOf(count))
    sums.set(keyOf(count), known ? { ...known, ...plus(known, count) } : count)
  }
  return sums
}
