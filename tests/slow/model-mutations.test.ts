// Each fault in an SQL function makes PostgreSQL differ from the model. Part of `npm run verify -- model`.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareHistories, createLane } from '../support/model/compare.ts'
import { applyMutation, sqlMutations } from '../support/model/sql-mutations.ts'

const run = { seed: 1, count: 36, length: 1_000 }

for (const mutation of sqlMutations) {
  const lane = await createLane(mutation.layout)
  test(`the comparison finds a mutation of ${mutation.function}: ${mutation.name}`, async (t) => {
    await applyMutation(lane.slots, mutation)
    const { difference, steps } = await compareHistories(lane, run)
    assert(difference !== undefined, `nothing differs after ${steps} steps`)
    t.diagnostic(difference.split('\n').slice(0, 2).join(' '))
  })
}
