// Proves that the crash test can fail: a short run without a mutation must pass, and with every mutation the same run
// must violate the invariant that the mutation targets. `npm run verify -- crash-mutations`, or with names for only these
// mutations.

import { parseArgs } from 'node:util'
import { type MutationName, mutationNames, mutations } from './mutations.ts'
import { checkRun, printViolations } from './run-result.ts'

// Enough kills to be the real test, and no more, because there are many mutations.
const seed = 7
const kills = 3

const { positionals } = parseArgs({ allowPositionals: true })

process.exitCode = await main()

async function main(): Promise<number> {
  const strange = positionals.filter((name) => !mutationNames.some((known) => known === name))
  if (strange.length > 0) {
    say(`There is no mutation ${strange.join(', ')}. There are: ${mutationNames.join(', ')}.`)
    return 1
  }
  const chosen = mutationNames.filter((name) => positionals.length === 0 || positionals.includes(name))
  let failed = (await isGreen()) ? 0 : 1
  for (const mutation of chosen) if (!(await isFound(mutation))) failed += 1
  say(`${chosen.length + 1 - failed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

async function isGreen(): Promise<boolean> {
  const { violations, seconds } = await checkRun({ seed, kills, mutation: undefined }, () => undefined)
  printViolations(violations, say)
  report(violations.length === 0, 'without a mutation it is green', seconds)
  return violations.length === 0
}

async function isFound(mutation: MutationName): Promise<boolean> {
  const { breaks } = mutations[mutation]
  const { violations, seconds } = await checkRun({ seed, kills, mutation }, () => undefined)
  const isRight = violations.some(({ invariant }) => invariant === breaks)
  const others = new Set(violations.map(({ invariant }) => invariant).filter((invariant) => invariant !== breaks))
  if (!isRight) printViolations(violations, say)
  const also = others.size === 0 ? '' : ` (and ${[...others].join('; ')})`
  report(isRight, `${mutation} breaks: ${breaks}${also}`, seconds)
  return isRight
}

function report(isOk: boolean, what: string, seconds: number): void {
  say(`${isOk ? 'ok    ' : 'failed'} ${what} (${seconds.toFixed(0)} s)`)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
