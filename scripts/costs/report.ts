// What a run of tests has cost, as the runner prints it: where the CPU time went, how much was only waited, and which files took
// longest.

import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

export type FileCost = {
  readonly file: string
  readonly tookMs: number
  // Its event loop had nothing to do: a server worked, or time passed.
  readonly waitedMs: number
  // Until its modules were loaded.
  readonly loadMs: number
  readonly ownMs: number
  // CPU time of the programs that it started and that have ended.
  readonly childrenMs: number
  readonly processes: number
  readonly databases: number
}

// A test database was made.
export const databaseChannel = 'ringproof.test-database'

const slowestMax = 12

export function readCosts(path: string): FileCost[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as FileCost]))
}

/** `servers`: CPU time of the stack's servers during the run, by name. */
export function describeCosts(
  costs: readonly FileCost[],
  servers: ReadonlyMap<string, number>,
  repository: string,
): string {
  const sum = (name: Exclude<keyof FileCost, 'file'>) => costs.reduce((total, cost) => total + cost[name], 0)
  const cpu = [
    `test files ${seconds(sum('ownMs'))} (loading modules ${seconds(sum('loadMs'))})`,
    `${sum('processes')} programs they started ${seconds(sum('childrenMs'))}`,
    ...[...servers].map(([name, ms]) => `${name} ${seconds(ms)}`),
  ]
  const lines = [
    `CPU time of ${costs.length} files in seconds: ${cpu.join(', ')}.`,
    `They waited for ${seconds(sum('waitedMs'))} of ${seconds(sum('tookMs'))} s, and made ${sum('databases')} databases.`,
  ]
  const slowest = costs.toSorted((one, other) => other.tookMs - one.tookMs).slice(0, slowestMax)
  return [
    ...lines,
    'Slowest files, in seconds (CPU time of the file and of its programs):',
    ...slowest.map(
      ({ file, tookMs, ownMs, childrenMs }) =>
        `${seconds(tookMs).padStart(5)} (${seconds(ownMs + childrenMs)})  ${relative(repository, file)}`,
    ),
    '',
  ].join('\n')
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(0)
}
