// The fault matrix: `npm run test:faults`, which runs this file in separate namespaces.
//
//   --faults=F1,F5     these faults; by default the chosen six
//   --all              all faults
//   --seeds=1-10       these seeds; by default 1
//   --mutations        every fault that the crash test seeds in the product; each must be found
//   --part=2/2         every second case from the second on, except faults that need the machine for themselves; or `alone`, for
//                      those. `--parallel=2` of scripts/faults.ts starts them
//
// A case is one fault with one seed. All cases run one after the other over one topology; each is checked by itself. The
// histories of a case that failed are kept.

import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type MutationName, programOf } from '../crash/mutations.ts'
import { printViolations } from '../crash/run-result.ts'
import { type CaseResult, type Fault, runCase } from './case.ts'
import type { Measure } from './measures.ts'
import { breaks, mutationsHere, runMutation } from './mutations.ts'
import { chosenIds, faults } from './table.ts'
import { createTopology, type Topology } from './topology.ts'

const { values } = parseArgs({
  options: {
    faults: { type: 'string' },
    all: { type: 'boolean', default: false },
    seeds: { type: 'string', default: '1' },
    mutations: { type: 'boolean', default: false },
    part: { type: 'string' },
  },
})

process.exitCode = await main()

async function main(): Promise<number> {
  const chosen = chosenCases()
  if (chosen.length === 0) return 0
  await using open = new AsyncDisposableStack()
  // Removed last, when nothing is mounted there any more.
  const passed: string[] = []
  open.defer(() => passed.forEach((directory) => rmSync(directory, { recursive: true })))
  const startedMs = performance.now()
  const topology = await createTopology(programOf(undefined, ''), (close) =>
    open.defer(async () => void (await close())),
  )
  say(`the topology is up after ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`)
  let failed = 0
  for (const { run } of chosen) if (!(await run(topology).catch(reportError))) failed += 1
  say(`${chosen.length - failed} passed, ${failed} failed`)
  if (failed === 0) passed.push(topology.directory)
  return failed === 0 ? 0 : 1
}

type Case = { readonly isAlone: boolean; readonly run: (topology: Topology) => Promise<boolean> }

function chosenCases(): readonly Case[] {
  const all = values.mutations
    ? mutationsHere.map((name): Case => ({ isAlone: false, run: (topology) => isFound(topology, name) }))
    : chosenSeeds().flatMap((seed) => chosenFaults().map((fault) => caseOf(fault, seed)))
  if (values.part === undefined) return all
  if (values.part === 'alone') return all.filter(({ isAlone }) => isAlone)
  const [nth = 0, parts = 1] = values.part.split('/').map(Number)
  return all.filter(({ isAlone }) => !isAlone).filter((_, index) => index % parts === nth - 1)
}

function caseOf(fault: Fault, seed: number): Case {
  return { isAlone: fault.isAlone ?? false, run: (topology) => isPassed(topology, fault, seed) }
}

async function isPassed(topology: Topology, fault: Fault, seed: number): Promise<boolean> {
  const deaths = topology.deaths.length
  const result = await runCase(topology, fault, seed)
  const isOk = result.violations.length === 0 && result.unmet.length === 0
  say(`${isOk ? 'ok    ' : 'failed'} ${fault.id} ${fault.name}, seed ${seed}: ${summary(result)}`)
  const own = topology.deaths.slice(deaths)
  if (own.length > 0) say(`  ended by themselves and were started again: ${own.join(', ')}`)
  printViolations(result.violations, say)
  for (const text of result.unmet) say(`  not met: ${text}`)
  if (isOk) rmSync(result.directory, { recursive: true })
  else say(`  histories: ${result.directory}`)
  return isOk
}

async function isFound(topology: Topology, name: MutationName): Promise<boolean> {
  const { violations, seconds } = await runMutation(topology, name, 7)
  const isOk = violations.some(({ invariant }) => invariant === breaks(name))
  say(`${isOk ? 'ok    ' : 'failed'} ${name} breaks: ${breaks(name)} (${seconds.toFixed(0)} s)`)
  if (!isOk) printViolations(violations, say)
  return isOk
}

// The next case starts when the cluster is whole again.
function reportError(error: unknown): boolean {
  say(`failed ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return false
}

function summary({ accepted, seconds, measures }: CaseResult): string {
  return [`${accepted} accepted`, ...measures.map(formatMeasure), `${seconds.toFixed(0)} s`].join('; ')
}

function formatMeasure({ what, value, max, min }: Measure): string {
  const limit = max !== undefined ? ` (at most ${max})` : min !== undefined ? ` (at least ${min})` : ''
  return `${value} ${what}${limit}`
}

function chosenFaults(): readonly Fault[] {
  if (values.all) return faults
  const ids = values.faults?.split(',') ?? chosenIds
  return ids.map((id) => {
    const fault = faults.find((one) => one.id === id)
    if (!fault) throw new RangeError(`there is no fault ${id}: there are ${faults.map((one) => one.id).join(', ')}`)
    return fault
  })
}

function chosenSeeds(): readonly number[] {
  const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(values.seeds) ?? []
  if (first === undefined) throw new RangeError('--seeds takes one number or two, such as 1-10')
  return Array.from({ length: Number(last ?? first) - Number(first) + 1 }, (_, index) => Number(first) + index)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
