// Fractions that look random: the same seed and key give the same one, in whatever order they are drawn. So a part of the world can be
// made without the parts before it.

export type Draw = (...key: readonly (number | string)[]) => number

export function drawsOf(seed: number): Draw {
  return (...key) => {
    let state = stepOf(0x9e3779b9, seed)
    for (const part of key) {
      if (typeof part === 'number') state = stepOf(state, part)
      else for (let at = 0; at < part.length; at++) state = stepOf(state, part.charCodeAt(at))
    }
    return (mixed(state) >>> 0) / 4_294_967_296
  }
}

// One of the names, by their weights.
export function pick<Name extends string>(weights: Readonly<Partial<Record<Name, number>>>, fraction: number): Name {
  const entries = Object.entries(weights) as [Name, number][]
  let left = fraction * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [name, weight] of entries) {
    left -= weight
    if (left < 0) return name
  }
  const last = entries.at(-1)
  if (!last) throw new RangeError('there is nothing to pick from')
  return last[0]
}

// How often something happens that happens so often on average.
export function poisson(mean: number, fraction: number): number {
  let probability = Math.exp(-mean)
  let sum = probability
  let count = 0
  while (fraction > sum && count < 1_000) {
    count += 1
    probability *= mean / count
    sum += probability
  }
  return count
}

function stepOf(state: number, part: number): number {
  return mixed(Math.imul(state ^ (part | 0), 0x85ebca6b) + Math.floor(part / 4_294_967_296))
}

// The end of MurmurHash3.
function mixed(state: number): number {
  let hash = state ^ (state >>> 16)
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
