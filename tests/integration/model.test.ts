// The same random steps in the model and in PostgreSQL, over one database and over two: decisions, states, balances, holds,
// ledger, number limits, leases, caps and idempotency keys are the same after every step. `npm run verify -- model` takes
// 100 000 steps and seeds faults in the SQL functions.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertSame, compareHistories, createLane } from '../support/model/compare.ts'
import { applyMutation, sqlMutations } from '../support/model/sql-mutations.ts'
import { oneDatabase, twoDatabases } from '../support/model/world.ts'

const seed = 1

// Histories in which little happens would show little.
const mustHappen = ['accepted', 'exists', 'no-money', 'too-soon', 'used-up-day', 'claim with a number', 'outcome true']

for (const [name, layout] of Object.entries({ 'one database': oneDatabase, 'two databases': twoDatabases })) {
  const lane = await createLane(layout)
  test(`2 000 random steps in ${name} are what the model says, seed ${seed}`, async (t) => {
    const { happened } = await assertSame(lane, { seed, count: 2, length: 1_000 })
    t.diagnostic(JSON.stringify(Object.fromEntries(happened)))
    for (const what of mustHappen) assert(happened.has(what), `${what} never happened`)
  })
}

const mutation = sqlMutations.find((one) => one.function === 'close_numbers')
const mutated = await createLane(twoDatabases)

test('a fault in an SQL function is a difference', async () => {
  assert(mutation)
  await applyMutation(mutated.slots, mutation)
  const { difference } = await compareHistories(mutated, { seed, count: 1, length: 1_000 })
  assert.match(difference ?? '', /^seed 1, history 0, step \d+:\nnumbers\./)
})
