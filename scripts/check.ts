// Runs as `npm run check`: all checks that need no private stack.

import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { cpuMsOfEnded } from '../bench/cpu.ts'
import { watchMachine } from './costs/quiet.ts'

type Part = { name: string; args: string[] }
type Outcome = { name: string; isOk: boolean; seconds: number; output: string }

const repository = join(import.meta.dirname, '..')

// Long enough for the slowest machine; a part that hangs must not hang the check.
const partTimeoutMs = 600_000

// From a clean clone on a quiet machine with two cores.
const barSeconds = 20

// CPU time of children whose part is already printed.
let countedMs = 0

process.chdir(repository)
process.exitCode = await main()

async function main(): Promise<number> {
  const startedMs = performance.now()
  const watch = watchMachine(process.pid)
  // In parallel: each part spends much of its time waiting for files or child processes.
  const outcomes = await Promise.all(parts().map((part) => runPart(part)))
  const seconds = secondsSince(startedMs)
  const failed = outcomes.filter((outcome) => !outcome.isOk)
  for (const { name, output } of failed) process.stdout.write(`\n--- ${name} ---\n${output.trimEnd()}\n`)
  const decision = failed.length === 0 ? 'ok' : `failed: ${failed.map(({ name }) => name).join(', ')}`
  process.stdout.write(`${failed.length === 0 ? '' : '\n'}check ${decision} (${seconds.toFixed(1)} s)\n`)
  const bar = watch.checkBar('check', seconds, barSeconds)
  if (seconds > barSeconds) process.stdout.write(`${bar.sentence}\n`)
  return failed.length === 0 && bar.isKept ? 0 : 1
}

function parts(): Part[] {
  // These take seconds each, the tests of the laws themselves likewise: `npm test` runs them.
  const long = new Set(
    [
      'code-spread',
      'model',
      'numbering-ported',
      'parser-time',
      'registry-diff',
      'registry-import',
      'return-path',
      'sbom',
      'switch-over',
      'time-bar',
      'version',
    ].map((name) => `tests/unit/${name}.test.ts`),
  )
  const unitTests = globSync('tests/unit/**/*.test.ts').filter((file) => !long.has(file))
  return [
    { name: 'tests', args: ['scripts/test.ts', '--together', ...unitTests.toSorted()] },
    { name: 'shape', args: ['scripts/test.ts', '--together', 'tests/architecture/architecture.test.ts'] },
    // The linter needs the types of every file anyway and reports what tsc would, in half the time of both.
    { name: 'lint', args: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--type-check', '--deny-warnings'] },
    { name: 'format', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'] },
  ]
}

async function runPart({ name, args }: Part): Promise<Outcome> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: partTimeoutMs,
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ending = Promise.withResolvers<string>()
  child.on('error', (error) => ending.resolve(error.message))
  child.on('close', (code, signal) => ending.resolve(signal ?? String(code)))
  const end = await ending.promise
  const isOk = end === '0'
  const seconds = secondsSince(startedMs)
  process.stdout.write(
    `${name.padEnd(7)}${isOk ? 'ok' : 'failed'} (${seconds.toFixed(1)} s, CPU ${newlyEndedSeconds().toFixed(1)} s)\n`,
  )
  return { name, isOk, seconds, output: `${Buffer.concat(chunks).toString()}\n${name} ended with ${end}.` }
}

// CPU time of the children that have ended since the last call: of one part, unless two end in the same moment.
function newlyEndedSeconds(): number {
  const allMs = cpuMsOfEnded(process.pid)
  const newMs = allMs - countedMs
  countedMs = allMs
  return newMs / 1_000
}

// The server's settings must not reach a unit test. The linter is a short Go process: collecting garbage only near a limit
// saves a third of its time.
function cleanEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env)
  const kept = entries.filter(([name]) => !/^(RINGPROOF|OTEL)_/.test(name) && name !== 'NODE_OPTIONS')
  return { ...Object.fromEntries(kept), GOGC: 'off', GOMEMLIMIT: '3GiB' }
}

function secondsSince(startedMs: number): number {
  return (performance.now() - startedMs) / 1000
}
