// Whether this machine was quiet while a command ran: only then does a bar for its time say something about the command. It was
// quiet, if its host took next to nothing of it, a core was as fast as the slowest on which the bars can be reached, and nothing else
// ran beside the command and the servers of the stack.

import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { livingProcesses } from '../../bench/cpu.ts'
import { runningServers } from '../stack/process.ts'

type QuietWatch = {
  /** Whether a command that has taken this long keeps its bar, in a sentence. On a machine that was not quiet it always does. */
  readonly checkBar: (name: string, seconds: number, barSeconds: number) => BarCheck
}

type BarCheck = { readonly isKept: boolean; readonly sentence: string }

const stolenShareMax = 0.02
const othersShareMax = 0.1
const coresMin = 2
const sampleEveryMs = 5_000

// CPU time of the reference work on the slowest core on which the bars can be reached.
const referenceMs = 4.4
const referenceText = JSON.stringify(
  Array.from({ length: 4_000 }, (_, n) => ({
    name: `file-${(n * 7_919) % 4_001}.ts`,
    lines: n,
    layers: ['domain', 'db'],
  })),
)

// What is known of the machine, as shares of one and cores.
export type MachineFacts = {
  readonly stolen: number
  readonly others: number
  // How many times as slow as the reference a core was.
  readonly slowness: number
  readonly cores: number
}

/** `command`: its process. */
export function watchMachine(command: number): QuietWatch {
  const before = machineTime()
  const others = watchOthers(command)
  const samplesMs = [referenceCpuMs()]
  const sampling = setInterval(() => {
    samplesMs.push(referenceCpuMs())
    others.sample()
  }, sampleEveryMs).unref()
  return {
    checkBar: (name, seconds, barSeconds) => {
      clearInterval(sampling)
      const took = `${name} took ${seconds.toFixed(1)} s; its bar is ${barSeconds} s`
      if (seconds <= barSeconds) return { isKept: true, sentence: `${took}.` }
      // Set by scripts/slow-machine.ts.
      if (process.env['NO_TIME_BAR']) return { isKept: true, sentence: `${took}, but not on a slow machine.` }
      const facts = {
        stolen: stolenShare(before, machineTime()),
        others: others.share(),
        slowness: mean(samplesMs) / referenceMs,
        cores: availableParallelism(),
      }
      const isQuiet = wasQuiet(facts)
      return {
        isKept: !isQuiet,
        sentence: `${took}. The machine was ${isQuiet ? '' : 'not '}quiet: ${describe(facts)}.`,
      }
    },
  }
}

/** What neither the command nor the stack has started, of all cores. A process counts from the second sample that it lives in. */
export function watchOthers(command: number): { readonly sample: () => void; readonly share: () => number } {
  const startedMs = performance.now()
  let known = cpuOfOthers(command)
  let sumMs = 0
  const sample = () => {
    const now = cpuOfOthers(command)
    for (const [pid, cpuMs] of now) sumMs += cpuMs - (known.get(pid) ?? cpuMs)
    known = now
  }
  return {
    sample,
    share: () => {
      sample()
      return sumMs / (performance.now() - startedMs) / availableParallelism()
    },
  }
}

function cpuOfOthers(command: number): ReadonlyMap<number, number> {
  const processes = livingProcesses()
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]))
  const ours = new Set([command, ...[...runningServers().values()].map(({ pid }) => pid)])
  const isOurs = (pid: number | undefined): boolean => pid !== undefined && (ours.has(pid) || isOurs(parents.get(pid)))
  return new Map(processes.filter(({ pid }) => !isOurs(pid)).map(({ pid, cpuMs }) => [pid, cpuMs]))
}

export function wasQuiet({ stolen, others, slowness, cores }: MachineFacts): boolean {
  return stolen <= stolenShareMax && others <= othersShareMax && slowness <= 1 && cores >= coresMin
}

function describe({ stolen, others, slowness, cores }: MachineFacts): string {
  return `of its ${cores} cores the host took ${percent(stolen)}, one was ${slowness.toFixed(2)} times as slow as the reference, others used ${percent(others)}`
}

type MachineTime = { readonly stolen: number; readonly all: number }

// In ticks since the machine started.
function machineTime(): MachineTime {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const ticks = line.split(/\s+/).slice(1, 9).map(Number)
  return { stolen: ticks[7] ?? 0, all: ticks.reduce((sum, value) => sum + value, 0) }
}

function stolenShare(from: MachineTime, to: MachineTime): number {
  return (to.stolen - from.stolen) / Math.max(1, to.all - from.all)
}

/** How many times as slow as the reference a core is now, with what the host takes of it. */
export function coreSlowness(): number {
  const timesMs = Array.from({ length: 21 }, () => {
    const startedMs = performance.now()
    doReferenceWork()
    return performance.now() - startedMs
  })
  return mean(timesMs) / referenceMs
}

// CPU time and not the time that passed: what counts is how fast the core is, not how often this process got it. The best of five,
// because garbage collection and cold caches are no part of that.
function referenceCpuMs(): number {
  const timesMs = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage()
    doReferenceWork()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.min(...timesMs)
}

// Like what checks do most: text is parsed, sorted and written. Some cores hash three times as fast as others and do this no faster.
function doReferenceWork(): void {
  const rows = JSON.parse(referenceText) as { name: string }[]
  JSON.stringify(rows.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
}

// And not the median: two cores that share their circuits are half as fast whenever both work, and a run is late by as much.
function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
