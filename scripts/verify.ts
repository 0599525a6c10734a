// Runs one of the long suites: `npm run verify -- NAME`, with the options of its runner behind the name. Without a name it lists them.
// docs/operations/tests.md says what each shows, what it needs and how long it takes.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const quiet = '--disable-warning=ExperimentalWarning'
const tests = 'scripts/test.ts'
const oneByOne = '--at-once=1'

// The arguments of Node.
const suites: Readonly<Record<string, readonly string[]>> = {
  all: [tests, 'tests/slow'],
  boards: [tests, 'tests/slow/boards.test.ts'],
  calls: [tests, 'tests/slow/calls-load.test.ts'],
  'calls-debian12': [tests, '--at-once=4', '--switch=edge', '--kamailio=5.6', 'tests/telephony'],
  'change-requests': [tests, 'tests/slow/change-requests.test.ts'],
  chart: [tests, 'tests/containers/chart.test.ts'],
  'compose-ha': [tests, 'tests/containers/compose-ha.test.ts'],
  cost: [tests, '--switch=edge', 'tests/slow/verification-cost.test.ts'],
  'crash-mutations': [quiet, 'tests/crash/run-mutations.ts'],
  'demo-image': [tests, 'tests/containers/demo.test.ts'],
  disks: [tests, 'tests/slow/full-disk.test.ts'],
  docs: [tests, 'tests/slow/docs-pages.test.ts'],
  doctor: [
    tests,
    'tests/integration/doctor.test.ts',
    'tests/telephony/doctor.test.ts',
    'tests/telephony/edge-doctor.test.ts',
  ],
  drop: [tests, 'tests/slow/partition-drop.test.ts'],
  'edge-faults': [tests, 'tests/slow/edge-faults.test.ts'],
  'edge-torture': [tests, oneByOne, 'tests/slow/edge-torture.test.ts', 'tests/slow/edge-forged.test.ts'],
  'flash-load': [tests, 'tests/slow/flash-load.test.ts'],
  forged: [tests, 'tests/slow/forged-calls.test.ts'],
  fuzz: ['scripts/fuzz.ts'],
  'key-guessing': [tests, 'tests/slow/key-guessing.test.ts'],
  ladders: [tests, oneByOne, 'tests/slow/ladders.test.ts'],
  large: [tests, oneByOne, 'tests/slow/large-data.test.ts', 'tests/slow/large-console.test.ts'],
  'live-streams': [tests, 'tests/slow/live-streams.test.ts'],
  measures: [
    tests,
    oneByOne,
    ...['footprint', 'slow-clients', 'key-timing', 'web-guessing'].map((name) => `tests/slow/${name}.test.ts`),
  ],
  model: [tests, oneByOne, 'tests/slow/model.test.ts', 'tests/slow/model-mutations.test.ts'],
  mutations: [tests, 'tests/slow/mutations.test.ts'],
  neighbours: [tests, 'tests/slow/neighbours.test.ts'],
  readme: [tests, 'tests/slow/readme.test.ts'],
  reconnects: [tests, 'tests/slow/reconnects.test.ts'],
  release: [tests, 'tests/containers/release.test.ts', 'tests/slow/push.test.ts'],
  rotation: [tests, 'tests/slow/key-rotation.test.ts'],
  'rule-change': [tests, 'tests/slow/rule-change.test.ts'],
  'sip-flood': [tests, 'tests/slow/sip-flood.test.ts'],
  'sip-messages': [tests, 'tests/slow/sip-messages-cost.test.ts'],
  slots: [tests, 'tests/slow/slot-moves.test.ts'],
  starvation: [tests, 'tests/slow/starvation.test.ts'],
  web: [tests, 'tests/slow/web-screens.test.ts'],
  workflows: [tests, oneByOne, 'tests/slow/workflows.test.ts'],
  world: [tests, oneByOne, 'tests/slow/world.test.ts', 'tests/slow/world-both-ways.test.ts'],
}

process.exitCode = main(process.argv.slice(2))

function main([name = '', ...rest]: readonly string[]): number {
  const suite = suites[name]
  if (suite === undefined) {
    process.stderr.write(`npm run verify -- NAME\n\n${Object.keys(suites).join('\n')}\n`)
    return name === '' ? 0 : 2
  }
  const cwd = join(import.meta.dirname, '..')
  return spawnSync(process.execPath, [...suite, ...rest], { cwd, stdio: 'inherit' }).status ?? 1
}
