import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Complaint, Law } from './read-tree.ts'

export const missingFileLaw: Law = (tree) =>
  tree.modules.flatMap(({ path, imports }) =>
    imports
      .filter((one) => one.target !== undefined && !isFile(join(tree.root, one.target)))
      .map(({ line, specifier }) => ({ path, line, text: `imports ${specifier}: there is no such file` })),
  )

// Each module is named in at most one cycle: the shortest one that leads back to the start of the search.
export const cycleLaw: Law = (tree) => {
  const known = new Set(tree.modules.map((module) => module.path))
  const targets = new Map(
    tree.modules.map(({ path, imports }) => [
      path,
      imports.flatMap(({ target }) => (target !== undefined && known.has(target) ? [target] : [])),
    ]),
  )
  const named = new Set<string>()
  const complaints: Complaint[] = []
  for (const { path, imports } of tree.modules) {
    if (named.has(path)) continue
    const cycle = shortestCycle(path, targets)
    if (cycle === undefined) continue
    for (const member of cycle) named.add(member)
    const line = imports.find((one) => one.target === cycle[1])?.line ?? 1
    complaints.push({ path, line, text: `is in an import cycle: ${cycle.join(' → ')}` })
  }
  return complaints
}

function shortestCycle(start: string, targets: Map<string, string[]>): string[] | undefined {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const here of queue) {
    for (const next of targets.get(here) ?? []) {
      if (next === start) return [...wayTo(here, cameFrom), start]
      if (cameFrom.has(next)) continue
      cameFrom.set(next, here)
      queue.push(next)
    }
  }
  return undefined
}

function wayTo(end: string, cameFrom: Map<string, string>): string[] {
  const way = [end]
  for (let at = cameFrom.get(end); at !== undefined; at = cameFrom.get(at)) way.unshift(at)
  return way
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
