// Welch's t-test between classes of work: whether one takes longer than another. Samples are interleaved in random
// order, so that other load hits all classes alike, and the slowest tenth is dropped: it shows pauses of the machine,
// not the work.

import { randomInt } from 'node:crypto'

const kept = 0.9

// |t| of each pair of classes, by their names.
export async function timeScores(
  classes: Readonly<Record<string, () => unknown>>,
  samplesEach: number,
): Promise<Readonly<Record<string, number>>> {
  const names = Object.keys(classes)
  const samples = new Map<string, number[]>(names.map((name) => [name, []]))
  for (let n = -samplesEach; n < samplesEach * names.length; n++) {
    const name = names[randomInt(names.length)] ?? ''
    const startedMs = performance.now()
    await classes[name]?.()
    const ms = performance.now() - startedMs
    if (n >= 0) samples.get(name)?.push(ms)
  }
  const all = [...samples.values()].flat().toSorted((a, b) => a - b)
  const slowest = all[Math.floor(all.length * kept)] ?? 0
  const moments = names.map((name) => momentsOf((samples.get(name) ?? []).filter((ms) => ms <= slowest)))
  const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b, j) => [`${a} / ${b}`, i, i + 1 + j] as const))
  return Object.fromEntries(pairs.map(([name, i, j]) => [name, scoreOf(moments[i], moments[j])]))
}

type Moments = { readonly count: number; readonly mean: number; readonly variance: number }

function momentsOf(values: readonly number[]): Moments {
  const count = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1)
  return { count, mean, variance }
}

// A class of which nothing is left took longer than all others.
function scoreOf(a: Moments | undefined, b: Moments | undefined): number {
  if (!a || !b || a.count < 2 || b.count < 2) return Infinity
  return Math.abs(a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count)
}
