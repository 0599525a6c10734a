// The crash test: `npm run test:crash`.
//
//   --seed N          that seed; else one of the clock's, which is printed
//   --seeds a..b      one after the other, with a table in the end
//   --kills N         so many kills; 20 unless told
//   --long            100 kills
//   --mutation NAME      with a seeded fault; then it must turn red
//   --check FOLDER    evaluates histories that were kept, and runs nothing
//
// A seed decides what is asked and what is broken, and in which order. When exactly each happens the machine decides, so a
// seed that was red once may need some runs to be red again; its histories are kept.

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
