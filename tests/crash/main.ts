// The crash test: `npm run test:crash`.
//
// --seed N this seed; by default one from the clock, which is printed
// --seeds a..b these seeds in order, with a table at the end
// --kills N number of kills; default 20
//   --long            100 kills
// --mutation NAME with a seeded fault; the run must then fail
// --check FOLDER checks kept histories, and runs nothing
//
// A seed decides what is requested and what is broken, and in which order. The exact timing depends on the machine, so
// a seed that failed once may need several runs to fail again; its histories are kept.

import { parseArgs } from 'node:util'
import { violationsOf } from './check.ts'
import { readHistories } from './histories.ts'
import { mutationNames } from './mutations.ts'
import { checkRun, printViolations, type RunResult } from './run-result.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    kills: { type: 'string' },
    long: { type: 'boolean', default: false },
    mutation: { type: 'string' },
    check: { type: 'string' },
  },
})

const columns = ['kills', 'accepted', 'succeeded', 'failed', 'refused', 'webhooks', 'dead', 'copies'] as const

process.exitCode = await main()

async function main(): Promise<number> {
  if (values.check !== undefined) {
    const violations = violationsOf(readHistories(values.check))
    printViolations(violations, say)
    say(`${violations.length} violations`)
    return violations.length === 0 ? 0 : 1
  }
  const mutation = mutationNames.find((name) => name === values.mutation)
  if (values.mutation !== undefined && !mutation) {
    say(`There is no such mutation. There are: ${mutationNames.join(', ')}.`)
    return 1
  }
  const kills = Number(values.kills ?? (values.long ? 100 : 20))
  const rows: [number, RunResult][] = []
  for (const seed of chosenSeeds()) {
    say(`seed ${seed}, ${kills} kills${mutation === undefined ? '' : `, ${mutation}`}`)
    const result = await checkRun({ seed, kills, mutation }, say)
    printViolations(result.violations, say)
    say(`seed ${seed}: ${result.violations.length} violations in ${result.seconds.toFixed(0)} s`)
    rows.push([seed, result])
  }
  if (rows.length > 1) say(tableOf(rows))
  return rows.every(([, { violations }]) => violations.length === 0) ? 0 : 1
}

function chosenSeeds(): readonly number[] {
  const [, first, last] = /^(\d+)\.\.(\d+)$/.exec(values.seeds ?? '') ?? []
  if (first !== undefined && last !== undefined) {
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index)
  }
  if (values.seeds !== undefined) throw new Error('--seeds takes two numbers, such as 1..20')
  const seed = values.seed === undefined ? Math.floor(Date.now() / 1_000) % 1_000_000 : Number(values.seed)
  if (!Number.isSafeInteger(seed)) throw new Error('--seed takes a whole number')
  return [seed]
}

function tableOf(rows: readonly (readonly [number, RunResult])[]): string {
  const cells = [
    ['seed', 'seconds', ...columns, 'violations'],
    ...rows.map(([seed, { seconds, figures, violations }]) =>
      [seed, seconds.toFixed(0), ...columns.map((name) => figures[name] ?? 0), violations.length].map(String),
    ),
  ]
  const red = rows.filter(([, { violations }]) => violations.length > 0).length
  const lines = cells.map((row) => row.map((cell) => cell.padStart(10)).join(''))
  return [...lines, `${rows.length - red} green, ${red} red`].join('\n')
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
