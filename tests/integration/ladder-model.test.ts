// The same random steps of ladders in the model and in PostgreSQL. `npm run verify -- ladders` takes 100 000.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareLadders, createLadderLane } from '../support/model/ladder-database.ts'
import { createTrack } from '../support/suites/ladder-races.ts'

const lane = await createLadderLane(await createTrack())

// Histories in which little happens would show little.
const mustHappen = ['start accepted', 'next accepted', 'check wrong', 'check over', 'check not-called', 'expired']

test('450 random steps of ladders are what the model says', async (t) => {
  const happened = new Map<string, number>()
  const difference = await compareLadders(lane, { seed: 1, count: 3, length: 150 }, happened)
  assert.equal(difference, undefined)
  t.diagnostic(JSON.stringify(Object.fromEntries(happened)))
  for (const what of mustHappen) assert(happened.has(what), `${what} never happened`)
})
