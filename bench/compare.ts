// Compares accept throughput and latency of two servers, on the private stack, in about four minutes:
//
//   npm run bench -- compare REVISION   an older revision and this tree
//   npm run bench -- compare --web      this tree without and with the role `web` in the same process, idle
//   npm run bench -- compare --api-log  this tree without and with the API log
//
// Both run at once, each with its own database, and take turns: a round of one is followed by a round of the other, so that
// noise on the machine affects both. Rounds are short and many, because the speed of a shared machine changes within ten
// seconds. It prints the medians, the spread, the ratio of the medians and the median of the ratios of the pairs, and one JSON
// line with all rounds.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { AcceptRound, AcceptRoundJob, AcceptRoundOpening } from './accept-rounds.ts'
import { type Child, createChild } from './child.ts'
import { median } from './load.ts'

type Side = {
  readonly name: string
  readonly child: Child<AcceptRoundJob, AcceptRound>
  readonly rounds: AcceptRound[]
}

const rounds = 15
const warmUpRounds = 4
const repository = resolve(import.meta.dirname, '..')
const [choice] = process.argv.slice(2)
if (choice === undefined) throw new Error('Usage: npm run bench -- compare REVISION, -- --web or -- --api-log')

const olderTree = choice.startsWith('--') ? undefined : checkOut(choice)
const sides: Side[] = []
try {
  if (olderTree) {
    sides.push(startSide(choice, olderTree, { roles: 'api' }), startSide('this tree', repository, { roles: 'api' }))
  } else if (choice === '--web') {
    sides.push(
      startSide('api', repository, { roles: 'api' }),
      startSide('api and web', repository, { roles: 'api,web' }),
    )
  } else {
    sides.push(
      startSide('without API log', repository, { roles: 'api', apiLog: 'off' }),
      startSide('with API log', repository, { roles: 'api', apiLog: 'on' }),
    )
  }
  // Both get the same rate, half of the first one's throughput, so that their latencies can be compared. Warming up takes the
  // same number of rounds on both sides: code is optimised with use.
  let firstPerSecond = 0
  for (let round = 1; round <= warmUpRounds; round++) {
    for (const side of sides) {
      const { perSecond } = await side.child.ask({ perSecond: 200 })
      if (side === sides[0]) firstPerSecond = perSecond
    }
  }
  for (let round = 1; round <= rounds; round++) {
    for (const { name, child, rounds: done } of round % 2 === 0 ? sides.toReversed() : sides) {
      const result = await child.ask({ perSecond: firstPerSecond / 2 })
      done.push(result)
      say(`round ${round} of ${rounds}: ${name}, ${text(result.perSecond)}/s, p99 ${text(result.p99Ms)} ms`)
    }
  }
  report(sides)
} finally {
  for (const { child } of sides) {
    await child.ask({ close: true })
    await child.close()
  }
  if (olderTree) execFileSync('git', ['worktree', 'remove', '--force', olderTree], { cwd: repository })
}

function startSide(name: string, tree: string, opening: AcceptRoundOpening): Side {
  return { name, child: createChild(join(tree, 'bench', 'accept-rounds.ts'), opening), rounds: [] }
}

// The older revision uses the packages of this tree and the running stack.
function checkOut(rev: string): string {
  const tree = join(repository, '.stack', 'compare')
  rmSync(tree, { recursive: true, force: true })
  execFileSync('git', ['worktree', 'prune'], { cwd: repository })
  execFileSync('git', ['worktree', 'add', '--detach', '--force', tree, rev], { cwd: repository, stdio: 'ignore' })
  execFileSync('cp', ['-al', join(repository, 'node_modules'), join(tree, 'node_modules')])
  mkdirSync(join(tree, '.stack'))
  for (const name of ['state.json', 'run']) {
    const from = join(repository, '.stack', name)
    if (existsSync(from)) symlinkSync(from, join(tree, '.stack', name))
  }
  writeFileSync(join(tree, 'bench', 'accept-rounds.ts'), roundsFor(tree))
  return tree
}

// accept-rounds.ts as it is or was, whichever is the newest whose imports the older tree has: files were renamed since. The
// rounds of both sides take the same time.
function roundsFor(tree: string): string {
  const path = 'bench/accept-rounds.ts'
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' })
  const versions = git('log', '--format=%H', '--', path).trim().split('\n')
  const current = readFileSync(join(repository, path), 'utf8')
  const duration = /^const seconds = \d+$/m
  for (const source of [current, ...versions.map((id) => git('show', `${id}:${path}`))]) {
    const imports = [...source.matchAll(/ from '(\.\.?\/[^']+)'/g)].map(([, file = '']) => file)
    if (imports.every((file) => existsSync(join(tree, 'bench', file)))) {
      return source.replace(duration, duration.exec(current)?.[0] ?? '')
    }
  }
  throw new Error(`no version of ${path} fits this revision`)
}

function report(both: readonly Side[]): void {
  const [older, newer] = both
  if (!older || !newer) return
  for (const figure of ['perSecond', 'p50Ms', 'p99Ms', 'cpuMs', 'serverCpuMs', 'postgresCpuMs'] as const) {
    const of = ({ rounds: done }: Side) => done.map((round) => round[figure])
    const spread = (side: Side) => `${text(Math.min(...of(side)))} to ${text(Math.max(...of(side)))}`
    const [before, after] = [median(of(older)), median(of(newer))]
    const ofPairs = median(of(newer).map((value, at) => value / (of(older)[at] ?? Number.NaN)))
    say(
      `${figure}: ${text(before)} (${spread(older)}) → ${text(after)} (${spread(newer)}), ratio ${text(after / before)}, ` +
        `of pairs ${text(ofPairs)}`,
    )
  }
  process.stdout.write(`${JSON.stringify(both.map(({ name, rounds: done }) => ({ name, rounds: done })))}\n`)
}

function text(figure: number): string {
  return String(Number(figure.toPrecision(3)))
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
