// The same random steps in the model and in PostgreSQL, over one database and over two: decisions, states, balances, holds,
// ledger, number limits, leases, caps and idempotency keys are the same after every step. `npm run verify:model` takes
// 100 000 steps and shows that faults in the SQL functions are found.

import { test } from 'node:test'
import { assertSame, createLane } from '../support/model/compare.ts'
import { oneDatabase, twoDatabases } from '../support/model/world.ts'

const seed = 1

for (const [name, layout] of Object.entries({ 'one database': oneDatabase, 'two databases': twoDatabases })) {
  const lane = await createLane(layout)
  test(`2 000 random steps in ${name} are what the model says, seed ${seed}`, async (t) => {
    const { happened } = await assertSame(lane, { seed, count: 2, length: 1_000 })
    t.diagnostic(JSON.stringify(Object.fromEntries(happened)))
  })
}
