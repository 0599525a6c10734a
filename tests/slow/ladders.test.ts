// Two hundred ladders in each race, 100 000 random steps beside the model, and faults in the SQL functions that one of them must
// find. `npm run verify -- ladders` runs this.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareLadders, createLadderLane } from '../support/model/ladder-database.ts'
import { applyMutation, type SqlMutation } from '../support/model/sql-mutations.ts'
import { oneDatabase } from '../support/model/world.ts'
import { createTrack, ladderRaces, runRace } from '../support/suites/ladder-races.ts'

const ladders = 200
const laddersOfFault = 25
const steps = { seed: Date.now() % 1_000_000, count: 500, length: 200 }

type Race = keyof typeof ladderRaces
type Fault = SqlMutation & { readonly foundBy: Race | 'model' }

const wrongCodes = 'wrong codes at once: exactly as many are evaluated as there are checks'
const ends = 'check, cancel and next at once: one end, and no call is accepted or dialled after it'

const faults: readonly Fault[] = [
  {
    name: 'a check does not lock its ladder',
    layout: oneDatabase,
    function: 'check_ladder',
    from: /(ladders\.service_id = p_service) FOR UPDATE/,
    to: '$1',
    foundBy: wrongCodes,
  },
  {
    name: 'a key is not kept',
    layout: oneDatabase,
    function: 'check_ladder',
    from: /ladders\.check_keys \|\| p_key/,
    to: "ladders.check_keys || decode(md5(random()::text), 'hex')",
    foundBy: 'checks with one key: one evaluation, one result',
  },
  {
    name: 'a further call is accepted without the lock of its ladder',
    layout: oneDatabase,
    function: 'accept_rung',
    from: /(\n\s+)FOR UPDATE;\n(\s+decision :=)/,
    to: '$1;\n$2',
    foundBy: ends,
  },
  {
    name: 'a call is dialled after the end',
    layout: oneDatabase,
    function: 'claim_calls',
    from: /AND \(call\.ladder_id IS NULL OR call\.ladder_id = ANY \(ladder_ids\)\)/,
    to: '',
    foundBy: ends,
  },
  {
    name: 'the end of a call does not reach its ladder',
    layout: oneDatabase,
    function: 'end_calls',
    from: /PERFORM note_ladder_calls\(locked\.ladder_calls\)/,
    to: 'PERFORM 1',
    foundBy: 'a call that failed: one worker goes on, and after the last call the ladder fails',
  },
  {
    name: 'a pending ladder counts only with its wrong codes',
    layout: oneDatabase,
    function: 'checks_left_for',
    from: /CASE WHEN earlier\.state = 'pending'::\w+ THEN .* ELSE|CASE WHEN earlier\.state = 'pending' THEN earlier\.checks_max ELSE/,
    to: "CASE WHEN earlier.state = 'pending' THEN cardinality(earlier.check_keys) ELSE",
    foundBy: 'starts for one number at once: no more codes can be checked than a day has guesses',
  },
  {
    name: 'a call that has reached the phone is no delivery',
    layout: oneDatabase,
    function: 'take_due_ladders',
    from: /is_delivered\(call\) OR /,
    to: '',
    foundBy: 'model',
  },
]

const track = await createTrack()
for (const [name, race] of Object.entries(ladderRaces)) {
  test(`${ladders} ladders: ${name}`, { timeout: 1_800_000 }, () => runRace(track, race, ladders))
}

const lane = await createLadderLane(await createTrack())
test('100 000 random steps of ladders are what the model says', { timeout: 3_600_000 }, async (t) => {
  t.diagnostic(`seed ${steps.seed}`)
  assert.equal(await compareLadders(lane, steps), undefined)
})

for (const fault of faults) {
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
