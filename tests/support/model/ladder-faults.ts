// Faults in the SQL functions of ladders, each with the race that finds it, or the model. tests/slow/ladders.test.ts seeds them.

import type { ladderRaces } from '../suites/ladder-races.ts'
import type { SqlMutation } from './sql-mutations.ts'
import { oneDatabase } from './world.ts'

type Race = keyof typeof ladderRaces
type Fault = SqlMutation & { readonly foundBy: Race | 'model' }

const wrongCodes = 'wrong codes at once: exactly as many are evaluated as there are checks'
const ends = 'check, cancel and next at once: one end, and no call is accepted or dialled after it'

export const ladderFaults: readonly Fault[] = [
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
    from: /PERFORM note_ladder_calls\(locked\.ladder_calls, ends\)/,
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
