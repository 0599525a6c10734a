// Runs every test, or the tests you name.
//
//   npm test                                       everything in tests/ except the folders below
//   npm test -- tests/integration/ledger.test.ts   a file, a folder or a glob
//   npm test -- --test-name-pattern='^refuses'     tests by name; --test-skip-pattern leaves them out
//
//   … --at-once=2                                  files in parallel, instead of one per CPU core, and two more unless cores are slow
//   … --together                                   all files in one process: faster, for tests without servers
//   npm run test:calls                             real calls, tests/telephony; first: npm run stack -- up --telephony
//   npm run test:calls -- --switch=edge            the same with the signalling edge: flash calls over it, Asterisk behind it
//   npm run test:shared                               what needs files of ../shared beside the clone: tests/shared
//   npm run test:web                               the web pages in Chromium, tests/web; needs the stack with --telephony
//   npm run image:test, npm run compose:test       images in a real Docker, tests/containers; compose-ha:test likewise
//   npm run verify -- chart                            the Helm chart, tests/containers; needs ../shared
//   npm run verify -- calls                           how many calls one Asterisk handles
//   npm run test:ha                                a machine of three dies, tests/ha; as root, needs programs of the stack
//   npm run verify                                 tests too slow for every run: tests/slow
//
// tests/integration, tests/telephony and tests/slow need the private stack, and take the server's settings from it alone.

import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { parseArgs } from 'node:util'
import { cpuMsOfFamily } from '../bench/cpu.ts'
import { coreSlowness } from './costs/quiet.ts'
import { describeCosts, readCosts } from './costs/report.ts'
import { installInterpreters } from './stack/interpreters.ts'
import { installKamailio } from './stack/parts/edge.ts'
import { runningServers } from './stack/process.ts'

type TestEvent = { type: string; data: unknown }
type Counts = { tests: number; passed: number; skipped: number; todo: number }

const repository = join(import.meta.dirname, '..')
const testTimeoutMs = 600_000
const slowCore = 1.5

// A test that blocks the event loop cannot be timed out from inside its process.
const runTimeoutMs = 60 * 60_000

process.chdir(repository)
process.exitCode = await main()

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'test-name-pattern': { type: 'string', multiple: true, default: [] },
      'test-skip-pattern': { type: 'string', multiple: true, default: [] },
      together: { type: 'boolean', default: false },
      switch: { type: 'string', default: 'asterisk' },
      kamailio: { type: 'string', default: '6.0' },
      'at-once': { type: 'string' },
    },
  })
  const files = chooseFiles(positionals)
  if (files === undefined) return 1
  if (!prepareEnvironment(files)) return 1
  // `npm test` has them already; these are run one by one, too.
  if (files.some((file) => file.startsWith('tests/slow/'))) await installInterpreters()
  process.env['RINGPROOF_TEST_SWITCH'] = values.switch
  process.env['RINGPROOF_TEST_KAMAILIO'] = values.kamailio
  // Before several files need it at once.
  if (values.kamailio === '5.6') await installKamailio('bookworm')
  const { 'test-name-pattern': names, 'test-skip-pattern': skips, together } = values
  const atOnce = Number(values['at-once'] ?? filesAtOnce())
  const folder = mkdtempSync(join(tmpdir(), 'test-costs-'))
  try {
    const costs = join(folder, 'costs.jsonl')
    writeFileSync(costs, '')
    process.env['TEST_COSTS'] = costs
    const serversMs = cpuOfServers()
    return await runTests(files, names, skips, together, atOnce, () => printCosts(costs, serversMs))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

// Files wait more than half of their time, so two more than there are cores. On slow cores each of them would be late with what
// its servers promise.
function filesAtOnce(): number {
  const slowness = coreSlowness()
  return availableParallelism() + (slowness > slowCore ? 0 : slowness > 1 ? 1 : 2)
}

function chooseFiles(choices: string[]): string[] | undefined {
  const chosen = new Set<string>()
  if (choices.length === 0)
    return globSync('tests/**/*.test.ts', {
      exclude: ['telephony', 'slow', 'shared', 'web', 'containers', 'ha'].map((folder) => `tests/${folder}/**`),
    }).toSorted()
  for (const choice of choices) {
    const path = relative(repository, choice)
    const isFolder = statSync(choice, { throwIfNoEntry: false })?.isDirectory() === true
    const files = globSync(isFolder ? join(path, '**/*.test.ts') : path)
    if (files.length === 0) {
      process.stderr.write(`There is no test in ${choice}.\n`)
      return undefined
    }
    for (const file of files) chosen.add(file)
  }
  return [...chosen].toSorted()
}

// Test processes inherit the environment of this one.
function prepareEnvironment(files: string[]): boolean {
  const stack = files.some((file) => /^tests\/(integration|contract|telephony|slow|shared|web)\//.test(file))
    ? stackEnvironment()
    : {}
  if (stack === undefined) {
    process.stderr.write('The private stack is not running: npm run stack -- up\n')
    return false
  }
  for (const name of Object.keys(process.env)) {
    if (/^(RINGPROOF|OTEL)_/.test(name) || name === 'NODE_OPTIONS') delete process.env[name]
  }
  Object.assign(process.env, stack)
  // Every test file is a process that loads hundreds of modules, and hashes passwords for its server as well as for itself.
  process.env['UV_THREADPOOL_SIZE'] = '16'
  process.env['NODE_COMPILE_CACHE'] = join(repository, 'node_modules/.cache/tests')
  return true
}

function stackEnvironment(): Record<string, string> | undefined {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/stack/main.ts', 'env'], { encoding: 'utf8' })
  if (status !== 0) return undefined
  const exports = stdout.matchAll(/^export ([A-Za-z_]\w*)=((?:'[^']*'|\\')*)$/gm)
  return Object.fromEntries([...exports].map(([, name = '', quoted = '']) => [name, unquote(quoted)]))
}

// Inside quotes of a shell a quote is written as '\''.
function unquote(quoted: string): string {
  return quoted.replaceAll(`'\\''`, '\0').replaceAll(`'`, '').replaceAll('\0', `'`)
}

// Unit tests need no server: without other flags they run in one process, which saves the start of a hundred.
// *.slow.test.ts takes longest: these files start first, so that none of them is left alone at the end.
// *.serial.test.ts measures time or loads the machine: these files run one at a time, after all others.
async function runTests(
  files: string[],
  namePatterns: string[],
  skipPatterns: string[],
  isTogether: boolean,
  atOnce: number,
  printSpent: () => void,
): Promise<number> {
  const serial = files.filter((file) => file.endsWith('.serial.test.ts'))
  const slow = files.filter((file) => file.endsWith('.slow.test.ts'))
  const unit = files.filter((file) => file.startsWith('tests/unit/'))
  const others = files.filter((file) => ![serial, slow, unit].some((group) => group.includes(file)))
  const sums: Counts = { tests: 0, passed: 0, skipped: 0, todo: 0 }
  const emptyFiles: string[] = []
  const runInto = async (group: string[], concurrency: number, isOneProcess = isTogether) => {
    if (group.length === 0) return
    const counts = await runGroup(group, concurrency, emptyFiles, isOneProcess, {
      ...(namePatterns.length === 0 ? {} : { testNamePatterns: namePatterns }),
      ...(skipPatterns.length === 0 ? {} : { testSkipPatterns: skipPatterns }),
    })
    for (const name of Object.keys(sums) as (keyof Counts)[]) sums[name] += counts[name]
  }
  await runInto(unit, 1, true)
  await runInto([...slow, ...others], atOnce)
  await runInto(serial, 1)
  printSpent()
  const isFiltered = namePatterns.length + skipPatterns.length > 0
  return conclude(sums, emptyFiles, isFiltered)
}

async function runGroup(
  files: string[],
  concurrency: number,
  emptyFiles: string[],
  isTogether: boolean,
  patterns: { testNamePatterns?: string[]; testSkipPatterns?: string[] },
): Promise<Counts> {
  let counts: Counts = { tests: 0, passed: 0, skipped: 0, todo: 0 }
  const events = run({
    files,
    ...(isTogether
      ? { isolation: 'none' as const, timeout: testTimeoutMs }
      : {
          concurrency,
          execArgv: [
            `--test-timeout=${testTimeoutMs}`,
            '--disable-warning=ExperimentalWarning',
            ...['left-open.ts', 'costs/record.ts'].flatMap((name) => ['--import', join(repository, 'scripts', name)]),
          ],
        }),
    signal: AbortSignal.timeout(runTimeoutMs),
    ...patterns,
  })
  // Node counts a file in which no test has run as one test that has passed.
  events.on('test:pass', ({ name, nesting }) => {
    if (nesting === 0 && files.includes(name)) emptyFiles.push(name)
  })
  events.on('test:summary', (summary) => {
    if (summary.file === undefined) counts = summary.counts
  })
  await pipeline(Readable.from(withoutClosingLines(events)), new spec(), process.stdout, { end: false })
  return counts
}

// Each group ends with its counts; the last lines printed must be the sum.
async function* withoutClosingLines(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  for await (const event of events) {
    if (event.type !== 'test:diagnostic' || !isClosingLine(event.data)) yield event
  }
}

function isClosingLine(data: unknown): boolean {
  if (typeof data !== 'object' || data === null || !('message' in data) || 'file' in data) return false
  return /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/.test(String(data.message))
}

// Of the private stack, so far: its servers are nobody's children.
function cpuOfServers(): Map<string, number> {
  return new Map([...runningServers()].map(([name, { pid }]) => [name, cpuMsOfFamily(pid)]))
}

function printCosts(path: string, before: ReadonlyMap<string, number>): void {
  const costs = readCosts(path)
  if (costs.length < 2) return
  const spent = [...cpuOfServers()].map(([name, ms]) => [name, ms - (before.get(name) ?? 0)] as const)
  process.stdout.write(describeCosts(costs, new Map(spent), repository))
}

// A test that neither passed nor was skipped has failed or was cut off. A file without tests fails too, unless a name
// pattern excluded its tests.
function conclude(counts: Counts, emptyFiles: string[], isFiltered: boolean): number {
  const left = counts.skipped + counts.todo
  const emptyFailed = isFiltered ? 0 : emptyFiles.length
  const passed = counts.passed - emptyFiles.length
  const failed = counts.tests - counts.passed - left + emptyFailed
  if (emptyFailed > 0) process.stdout.write(`There is no test in ${emptyFiles.join(', ')}.\n`)
  if (passed + failed === 0) process.stdout.write('No test ran.\n')
  // The same lines as node's own runner.
  for (const [name, count] of [
    ['tests', passed + failed + left],
    ['pass', passed],
    ['fail', failed],
    ['skipped', left],
  ]) {
    process.stdout.write(`ℹ ${name} ${count}\n`)
  }
  process.stdout.write(`${passed} passed, ${failed} failed${left === 0 ? '' : `, ${left} skipped`}\n`)
  return failed === 0 && passed > 0 ? 0 : 1
}
