import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { type MachineFacts, wasQuiet, watchOthers } from '../../scripts/costs/quiet.ts'

const quiet: MachineFacts = { stolen: 0.01, others: 0.05, slowness: 0.9, cores: 2 }

test('a time bar holds on a quiet machine', () => {
  assert(wasQuiet(quiet))
  assert(wasQuiet({ ...quiet, cores: 16 }))
})

for (const [what, facts] of [
  ['a host that takes CPU time', { stolen: 0.05 }],
  ['other work', { others: 0.5 }],
  ['a core half as fast', { slowness: 2 }],
  ['a single core', { cores: 1 }],
] as const) {
  test(`${what} lifts the time bar`, () => assert(!wasQuiet({ ...quiet, ...facts })))
}

test('what a command starts is no other work; what runs beside it is', async (t) => {
  const child = spawn(process.execPath, ['-e', 'for (;;);'])
  t.after(() => child.kill('SIGKILL'))
  await once(child, 'spawn')
  // Of the child, this process is a neighbour, and the child is a part of this process.
  const [ofChild, ofThis] = [watchOthers(child.pid ?? 0), watchOthers(process.pid)]
  const before = process.cpuUsage()
  let spentMs = 0
  while (spentMs < 300) spentMs = process.cpuUsage(before).user / 1_000
  assert(ofChild.share() > ofThis.share() + 0.1, `${ofChild.share()} and ${ofThis.share()}`)
})
