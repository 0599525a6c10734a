// Two hundred ladders in each race, 100 000 random steps beside the model, and faults in the SQL functions that one of them must
// find. `npm run verify -- ladders` runs this.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareLadders, createLadderLane } from '../support/model/ladder-database.ts'
import { ladderFaults } from '../support/model/ladder-faults.ts'
import { applyMutation } from '../support/model/sql-mutations.ts'
import { createTrack, ladderRaces, runRace } from '../support/suites/ladder-races.ts'

const ladders = 200
const laddersOfFault = 25
const steps = { seed: Date.now() % 1_000_000, count: 500, length: 200 }

const track = await createTrack()
for (const [name, race] of Object.entries(ladderRaces)) {
  test(`${ladders} ladders: ${name}`, { timeout: 1_800_000 }, () => runRace(track, race, ladders))
}

const lane = await createLadderLane(await createTrack())
test('100 000 random steps of ladders are what the model says', { timeout: 3_600_000 }, async (t) => {
  t.diagnostic(`seed ${steps.seed}`)
  assert.equal(await compareLadders(lane, steps), undefined)
})

for (const fault of ladderFaults) {
  const faulty = await createTrack()
  test(`a seeded fault is found: ${fault.name}`, { timeout: 600_000 }, async () => {
    await applyMutation(faulty.installation.slots, fault)
    const { foundBy } = fault
    const found = await (foundBy === 'model'
      ? createLadderLane(faulty).then((own) => compareLadders(own, { ...steps, count: 50 }))
      : runRace(faulty, ladderRaces[foundBy], laddersOfFault).then(
          () => undefined,
          (error: Error) => error.message,
        ))
    assert(found !== undefined, 'nothing was found')
  })
}
