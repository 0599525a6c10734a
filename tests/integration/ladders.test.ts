// Ladders in the database: races with a few ladders each, and what their calls show. `npm run verify -- ladders` runs two hundred, and seeds faults in the SQL functions.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { CallMode } from '@ringproof/contract/methods.ts'
import { acceptLadders, acceptRung, cancelLadder, readLadder } from '../../server/src/db/verifications/ladder.ts'
import {
  acceptCalls,
  claimCalls,
  endCalls,
  readVerification,
  undoCalls,
} from '../../server/src/db/verifications/verification.ts'
import { slotOfAccount, type VerificationId } from '../../server/src/domain/core/slot.ts'
import type { NumberPrefix } from '../../server/src/domain/numbers/number-prefix.ts'
import { callRequest } from '../support/database/call-request.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { createTrack, ladderRaces, ladderRequest, runRace } from '../support/suites/ladder-races.ts'

const ladders = 5
const track = await createTrack()

for (const [name, race] of Object.entries(ladderRaces)) {
  test(name, () => runRace(track, race, ladders))
}

const surfaces = await installPhones(1)
const { base } = await serve(surfaces)

test('no call of a ladder shows its code, or the caller number that ends with it', async () => {
  const { accountId, serviceId, bearer } = await makeService(surfaces, 100)
  const database = surfaces.slots.databaseOf(slotOfAccount(accountId))
  await database.query('UPDATE services SET repeats = true WHERE id = $1', [serviceId])
  const [started] = await acceptLadders(
    database,
    [{ call: callRequest({ accountId, serviceId }), ladder: ladderRequest() }],
    1,
  )
  const id = started?.id as VerificationId
  const [claimed] = await claimCalls(database, [
    { id, attempt: 1, trunk: 'first', callerNumber: 70000000417, ladder: true, token: 1 },
  ])
  assert(claimed)
  const asked = async (method: string) =>
    (await ask(`${base}/v1.0/${method}?uid=${id}`, { headers: bearer })).json['code']
  assert.deepEqual([await asked('getInfo'), await asked('initRepeat')], [10, 13])
  await cancelLadder(database, serviceId, id)
  const end = { id, attempt: 1, succeeded: true, reason: 'rang', sipStatus: undefined, numberLeaseId: undefined }
  await endCalls(database, [{ ...end, numberHashes: undefined }])
  // Long after its end, when a person with the right sees codes.
  await database.query(`UPDATE verifications SET ended_at = ended_at - interval '1 day' WHERE id = $1`, [id])
  const shown = await readVerification(database, id)
  assert.deepEqual([shown?.code, shown?.callerNumber, shown?.ladderId], [null, null, id])
  const { rows } = await database.query<{ code: string | null }>('SELECT code FROM ladders WHERE id = $1', [id])
  assert.deepEqual(rows, [{ code: null }])
})

test('the database refuses a code in a call of a ladder, in a ladder that is over, and a check too many', async () => {
  const { accountId, serviceId } = track
  const call = callRequest({ accountId, serviceId })
  const [started] = await acceptLadders(track.database, [{ call, ladder: ladderRequest() }], 1)
  for (const [table, change] of [
    ['verifications', `code = '0417'`],
    ['ladders', `state = 'cancelled', ended_at = clock_timestamp()`],
    ['ladders', `check_keys = ARRAY['\\x01', '\\x02', '\\x03', '\\x04']::bytea[]`],
  ]) {
    await assert.rejects(track.database.query(`UPDATE ${table} SET ${change} WHERE id = $1`, [started?.id]), {
      code: '23514',
    })
  }
})

test('undo: a first call takes its ladder with it, a further one gives it back as it was', async () => {
  const { accountId, serviceId, database } = track
  const call = callRequest({ accountId, serviceId })
  const undo = (id: VerificationId) =>
    undoCalls(database, [
      {
        id,
        attempt: 0,
        succeeded: false,
        reason: 'not-dispatched',
        sipStatus: undefined,
        numberHashes: call.numberHashes,
        numberLeaseId: id,
      },
    ])
  const start = async () => {
    const [started] = await acceptLadders(
      database,
      [{ call: { ...call, numberHashes: [randomBytes(32)] }, ladder: ladderRequest() }],
      1,
    )
    return started?.id as VerificationId
  }
  const first = await start()
  await undo(first)
  assert.equal(await readLadder(database, first), undefined)
  const id = await start()
  const rung = { ...call, mode: 'voice', numberHashes: [randomBytes(32)] } as const
  // But for its times: its next call is due in a moment.
  const read = async () => ({ ...(await readLadder(database, id)), leftMs: 0, dueAt: undefined })
  const before = await read()
  const further = await acceptRung(database, { id, callsBefore: 1 }, rung, 1)
  assert.notDeepEqual(await read(), before)
  await undo(further.id as VerificationId)
  assert.deepEqual(await read(), before)
})

test('after a call that disturbed nobody the next one of its ladder need not wait, twice; every other call must', async () => {
  const { accountId, serviceId, database, installation } = track
  const other = await makeService(installation)
  const numberHashes = [randomBytes(32)]
  const call = callRequest({ accountId, serviceId }, { numberHashes, calls10Minutes: 100, callsDay: 100 })
  const [started] = await acceptLadders(
    database,
    [{ call, ladder: ladderRequest({ modes: ['flash', 'voice', 'mix'] }) }],
    1,
  )
  const id = started?.id as VerificationId
  const end = async (of: VerificationId, isSilent: boolean) => {
    await claimCalls(database, [
      { id: of, attempt: 1, trunk: 'first', callerNumber: undefined, ladder: true, token: 1 },
    ])
    const failed = { attempt: 1, succeeded: false, reason: 'refused', sipStatus: 486, isSilent, numberHashes }
    await endCalls(database, [{ ...failed, id: of, numberLeaseId: of }])
  }
  const next = (callsBefore: number, mode: CallMode) => acceptRung(database, { id, callsBefore }, { ...call, mode }, 1)
  await end(id, true)
  const [stranger] = await acceptCalls(
    database,
    [callRequest(other, { numberHashes, calls10Minutes: 100, callsDay: 100 })],
    1,
  )
  assert.equal(stranger?.decision, 'too-soon', 'of another account')
  const second = await next(1, 'voice')
  assert.equal(second.decision, 'accepted')
  assert.equal((await next(2, 'mix')).decision, 'too-soon', 'while it is going on')
  await end(second.id as VerificationId, true)
  const third = await next(2, 'mix')
  assert.equal(third.decision, 'accepted')
  await end(third.id as VerificationId, true)
  assert.equal((await next(3, 'flash')).decision, 'too-soon', 'the third time')
  // A phone that rang.
  const [again] = await acceptLadders(
    database,
    [{ call: { ...call, numberHashes: [randomBytes(32)] }, ladder: ladderRequest() }],
    1,
  )
  await end(again?.id as VerificationId, false)
  const rang = { id: again?.id as VerificationId, callsBefore: 1 }
  assert.equal((await acceptRung(database, rang, { ...call, mode: 'voice' }, 1)).decision, 'too-soon')
})

test('a further call of a ladder is no repeat for the breaker, and a second ladder is', async () => {
  const { accountId, serviceId, database } = track
  const phoneHash = randomBytes(32)
  const prefix = 4_711 as NumberPrefix
  const call = () => callRequest({ accountId, serviceId }, { phoneHash, prefix, numberHashes: [randomBytes(32)] })
  const ended = async (id: VerificationId | null | undefined) => {
    const end = { id: id as VerificationId, attempt: 0, succeeded: false, reason: 'refused', sipStatus: 480 }
    await endCalls(database, [{ ...end, numberHashes: undefined, numberLeaseId: undefined }])
  }
  const started = async () => (await acceptLadders(database, [{ call: call(), ladder: ladderRequest() }], 1))[0]?.id
  const first = await started()
  await ended(first)
  await ended(
    (await acceptRung(database, { id: first as VerificationId, callsBefore: 1 }, { ...call(), mode: 'voice' }, 1)).id,
  )
  await ended(await started())
  // A minute of the statistics lasts six seconds here.
  const counted = async () => {
    await database.query('SELECT roll_up_prefixes(0.1)')
    const { rows } = await database.query<{ calls: number | null; repeats: number }>(
      'SELECT sum(calls)::integer AS calls, sum(repeats)::integer AS repeats FROM prefix_minutes WHERE prefix = $1',
      [prefix],
    )
    return rows[0]?.calls === 3 ? rows[0] : undefined
  }
  assert.deepEqual(await poll('three calls to be counted', counted), { calls: 3, repeats: 1 })
})
