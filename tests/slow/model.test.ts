// 100 000 random steps in the model and in PostgreSQL, over one database and over two: nothing differs after any of them.
// `npm run verify -- model` runs this and tests/slow/model-mutations.test.ts. A failure names its seed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertSame, createLane, type Lane } from '../support/model/compare.ts'
import { oneDatabase, twoDatabases } from '../support/model/world.ts'

const length = 1_000
const laneCount = 4
const firstSeed = Date.now() % 1_000_000

// Steps that never reach a limit would show nothing about it.
const mustHappen = `
  accepted, exists, opted-out, no-money, too-soon, used-up-all, used-up-10-minutes, used-up-day, cap-hour, cap-day, cap-spend,
  cap-prefix, claim with a number, outcome true, retry true, sweep with a number, succeeded: lost-ringing,
  failed: lost-ringing, failed: lost, failed: not-started, failed: not-dispatched`
  .split(',')
  .map((what) => what.trim())

const layouts = {
  'one database': { layout: oneDatabase, alsoHappens: [] },
  'two databases': { layout: twoDatabases, alsoHappens: ['died', 'lost-response', 'retry false'] },
}

for (const [name, { layout, alsoHappens }] of Object.entries(layouts)) {
  const lanes: Lane[] = []
  for (let at = 0; at < laneCount; at++) lanes.push(await createLane(layout))
  test(`100 000 random steps in ${name} are what the model says`, { timeout: 1_800_000 }, async (t) => {
    const startedMs = performance.now()
    const comparisons = await Promise.all(
      lanes.map((lane, at) => assertSame(lane, { seed: firstSeed + at, count: 100 / laneCount, length })),
    )
    const steps = comparisons.reduce((sum, one) => sum + one.steps, 0)
    const happened = new Map<string, number>()
    for (const [what, times] of comparisons.flatMap((one) => [...one.happened])) {
      happened.set(what, (happened.get(what) ?? 0) + times)
    }
    const seconds = Math.round((performance.now() - startedMs) / 1_000)
    t.diagnostic(`${steps} steps in ${seconds} s, seeds from ${firstSeed}: ${JSON.stringify([...happened])}`)
    assert.equal(steps, 100_000)
    for (const what of [...mustHappen, ...alsoHappens]) assert(happened.has(what), `${what} never happened`)
  })
}
