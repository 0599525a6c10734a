// What must be exact about ladders under any interleaving, in PostgreSQL: each race takes many sessions to one ladder, over and over.

import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { connect, type Database, jobDeadlines } from '../../../server/src/db/core/database.ts'
import { matchInboundCalls } from '../../../server/src/db/verifications/inbound-request.ts'
import {
  acceptLadders,
  acceptRung,
  cancelLadder,
  checkLadder,
  type LadderRequest,
  readLadder,
  takeDueLadders,
} from '../../../server/src/db/verifications/ladder.ts'
import { type CallEnd, claimCalls, endCalls } from '../../../server/src/db/verifications/verification.ts'
import type { AccountId, ServiceId, VerificationId } from '../../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../../server/src/domain/money/money.ts'
import { guessesPerDay, type Ladder, type RungRequest } from '../../../server/src/domain/verifications/ladder.ts'
import { atEnd } from '../at-end.ts'
import { callRequest } from '../database/call-request.ts'
import { assertSoundLedger } from '../database/ledger.ts'
import { type Installation, install, makeService } from '../process/server.ts'

export type Track = {
  readonly installation: Installation
  readonly database: Database
  readonly accountId: AccountId
  readonly serviceId: ServiceId
}

const sessions = 12
// Of a machine that is busy with other things.
const waitMs = 60_000
const timeScale = 10
const code = '0417'
const checksMax = 3

export async function createTrack(): Promise<Track> {
  const installation = await install()
  const database = connect(installation.database.ownerUrl, jobDeadlines, undefined, sessions)
  atEnd(() => database.end())
  // A busy machine takes longer to connect than a server waits for.
  Object.assign(database.options, { connectionTimeoutMillis: 0, idleTimeoutMillis: 0 })
  const { accountId, serviceId } = await makeService(installation, 1_000_000)
  return { installation, database, accountId, serviceId }
}

// Each leaves the money as it must be.
export const ladderRaces = {
  'wrong codes at once: exactly as many are evaluated as there are checks': raceWrongCodes,
  'right codes among wrong ones: approved once or failed, never both': raceRightCodes,
  'checks with one key: one evaluation, one result': raceKeys,
  'check, cancel and next at once: one end, and no call is accepted or dialled after it': raceEnds,
  'a call that failed: one worker goes on, and after the last call the ladder fails': raceWorkers,
  'a call from the subscriber, a cancel and a code at once: one end, charged only for a call that came': raceInbound,
  'starts for one number at once: no more codes can be checked than a day has guesses': raceGuesses,
  'the end of the time and a right code at once: one end': raceTime,
} as const satisfies Readonly<Record<string, (track: Track) => Promise<void>>>

export async function runRace(track: Track, race: (track: Track) => Promise<void>, ladders: number): Promise<void> {
  for (let round = 0; round < ladders; round++) await race(track)
  const { rows } = await track.database.query<{ held: number; open: number }>(
    `SELECT held, (SELECT coalesce(sum(price), 0)::bigint FROM verifications WHERE account_id = $1 AND state IN ('accepted', 'dialling'))
       AS open FROM accounts WHERE id = $1`,
    [track.accountId],
  )
  assert.equal(rows[0]?.held, rows[0]?.open, 'what is held is the price of the open calls')
  await assertSoundLedger(track.installation.slots)
}

async function raceWrongCodes(track: Track): Promise<void> {
  const { id } = await startDialled(track)
  const results = await atOnce(sessions, () => check(track, id, '9999'))
  const left = results.filter(({ result }) => result === 'wrong').map(({ checksLeft }) => checksLeft)
  assert.deepEqual(new Set(left), new Set([0, 1, 2]))
  assert.equal(left.length, checksMax)
  assert.equal(results.filter(({ result }) => result === 'over').length, sessions - checksMax)
  const { state, reason, checks } = await ladderOf(track, id)
  assert.deepEqual([state, reason, checks], ['failed', 'checks_used_up', checksMax])
}

async function raceRightCodes(track: Track): Promise<void> {
  const { id } = await startDialled(track)
  const results = await atOnce(sessions, (n) => check(track, id, n % 4 === 0 ? code : '9999'))
  const count = (wanted: string) => results.filter(({ result }) => result === wanted).length
  const { state } = await ladderOf(track, id)
  if (state === 'approved') assert(count('approved') === 1 && count('wrong') < checksMax)
  else assert.deepEqual([state, count('approved'), count('wrong')], ['failed', 0, checksMax])
}

async function raceKeys(track: Track): Promise<void> {
  const { id } = await startDialled(track)
  const key = randomBytes(20)
  const tried = randomInt(2) === 0 ? code : '9999'
  const results = await atOnce(16, () => check(track, id, tried, key))
  assert.equal(new Set(results.map(({ result, checksLeft }) => `${result} ${checksLeft}`)).size, 1)
  assert.equal((await ladderOf(track, id)).checks, 1)
  const other = Buffer.concat([key.subarray(0, 16), randomBytes(4)])
  assert.equal((await check(track, id, '1234', other)).result, 'key-reused')
  assert.equal((await ladderOf(track, id)).checks, 1)
}

async function raceEnds(track: Track): Promise<void> {
  const { id, call } = await startDialled(track)
  await end(track, id, call, { succeeded: true, reason: 'rang' })
  // The cooldown of the number is not what this is about.
  const rung = { ...call, mode: 'voice', numberHashes: [randomBytes(32)] } as const
  const nexts: Promise<unknown>[] = []
  const next = async () => {
    const accepted = await acceptRung(track.database, { id, callsBefore: 1 }, rung, timeScale, waitMs)
    if (accepted.decision === 'accepted' && accepted.id !== null) nexts.push(claim(track, accepted.id))
    return accepted.decision
  }
  const decisions = atOnce(8, next)
  const [checked, cancelled] = await Promise.all([check(track, id, code), cancel(track, id)])
  const accepted = (await decisions).filter((decision) => decision === 'accepted').length
  await Promise.all(nexts)
  const { state, callIds } = await ladderOf(track, id)
  assert.notEqual(checked.result === 'approved', cancelled.isChanged)
  assert.equal(state, cancelled.isChanged ? 'cancelled' : 'approved')
  assert(accepted <= 1 && callIds.length === 1 + accepted, `${accepted} calls`)
  const { rows } = await track.database.query<{ late: number }>(
    `SELECT count(*) AS late FROM verifications AS call JOIN ladders AS ladder ON ladder.id = call.ladder_id
     WHERE ladder.id = $1 AND greatest(call.accepted_at, call.dialled_at) > ladder.ended_at`,
    [id],
  )
  assert.equal(rows[0]?.late, 0, 'a call after the end')
  const [, second] = callIds
  if (second !== undefined) assert.equal(await claim(track, second, 2), undefined, 'dialled after the end')
}

async function raceWorkers(track: Track): Promise<void> {
  const { id, call } = await startDialled(track)
  await end(track, id, call, { succeeded: false, reason: 'refused' })
  const take = async () => (await takeDueLadders(track.database, 10, 5)).filter((one) => one.id === id)
  const taken = (await atOnce(8, take)).flat()
  assert.deepEqual(taken, [{ id, outcome: 'next', calls: 1 }])
  const rung = { ...call, mode: 'voice', numberHashes: [randomBytes(32)] } as const
  const accepted = await atOnce(4, () => acceptRung(track.database, { id, callsBefore: 1 }, rung, timeScale, waitMs))
  const ids = new Set(accepted.map((one) => one.id))
  assert.deepEqual([ids.size, accepted.filter(({ decision }) => decision === 'accepted').length], [1, 1])
  const [second] = ids
  assert(second)
  await claim(track, second)
  assert.deepEqual(await take(), [])
  await end(track, second, rung, { succeeded: false, reason: 'not-answered' })
  assert.deepEqual((await atOnce(4, take)).flat(), [{ id, outcome: 'failed', calls: 2 }])
  const { state, reason } = await ladderOf(track, id)
  assert.deepEqual([state, reason], ['failed', 'unreachable'])
}

async function raceInbound(track: Track): Promise<void> {
  const { id, call } = await startDialled(track, { modes: ['flash', 'inbound'] })
  await end(track, id, call, { succeeded: true, reason: 'rang' })
  const waiting = await acceptRung(track.database, { id, callsBefore: 1 }, inboundCall(track), timeScale, waitMs)
  assert.equal(waiting.decision, 'accepted')
  const waitingId = waiting.id as VerificationId
  const [checked, cancelled, matched] = await Promise.all([
    check(track, id, code),
    cancel(track, id),
    matchInboundCalls(track.database, [{ id: waitingId, vaultName: 'none' }], 60, waitMs),
  ])
  const { state, approvedCall } = await ladderOf(track, id)
  const { rows } = await track.database.query<{ state: string; webhooks: number }>(
    'SELECT state, (SELECT count(*) FROM webhooks WHERE webhooks.id = $1) AS webhooks FROM verifications WHERE id = $1',
    [waitingId],
  )
  assert.equal(rows[0]?.state === 'succeeded', matched[0])
  assert.equal(rows[0]?.webhooks, 0, 'no webhook of /v1.0')
  assert.equal(cancelled.isChanged, state === 'cancelled')
  if (matched[0]) assert.equal(state, 'approved')
  if (state === 'approved') assert.equal(checked.result === 'approved', approvedCall === null)
  else assert.equal(rows[0]?.state, 'failed', 'a cancel gives back the hold of the waiting call')
}

async function raceGuesses(track: Track): Promise<void> {
  const phoneHash = randomBytes(32)
  // As if another database kept the limits of the number.
  const request = () => ({
    call: callRequest(track, { phoneHash, numberHashes: undefined }),
    ladder: ladderRequest({ phoneHashes: [phoneHash] }),
  })
  const started = (
    await atOnce(6, () =>
      acceptLadders(track.database, randomInt(2) === 0 ? [request()] : [request(), request()], timeScale, waitMs),
    )
  ).flat()
  const accepted = started.filter(({ decision }) => decision === 'accepted')
  const ladders = await Promise.all(accepted.map(({ id }) => ladderOf(track, id as VerificationId)))
  assert.equal(sum(ladders.map((ladder) => ladder.checksMax)), guessesPerDay)
  assert(started.every(({ decision }) => decision === 'accepted' || decision === 'guesses-used-up'))
  // What is over without wrong codes is free again, and what was wrong is not.
  const [first, ...rest] = ladders
  assert(first)
  await claim(track, first.id)
  await check(track, first.id, '9999')
  await Promise.all(ladders.map(({ id }) => cancel(track, id)))
  const again = await Promise.all(
    Array.from({ length: rest.length + 1 }, () => acceptLadders(track.database, [request()], timeScale, waitMs)),
  )
  const ids = again.flat().flatMap(({ id }) => (id === null ? [] : [id]))
  const allowed = await Promise.all(ids.map((id) => ladderOf(track, id)))
  assert.equal(sum(allowed.map((ladder) => ladder.checksMax)), guessesPerDay - 1)
  await Promise.all(ids.map((id) => cancel(track, id)))
}

async function raceTime(track: Track): Promise<void> {
  const { id } = await startDialled(track)
  await track.database.query(
    'UPDATE ladders SET expires_at = clock_timestamp(), due_at = clock_timestamp() WHERE id = $1',
    [id],
  )
  const [checked, ...taken] = await Promise.all([
    check(track, id, code),
    ...Array.from({ length: 4 }, () => takeDueLadders(track.database, 10, 5)),
  ])
  assert.deepEqual([checked.result, checked.state], ['over', 'expired'])
  assert(taken.flat().filter((one) => one.id === id).length <= 1)
  assert.equal((await ladderOf(track, id)).state, 'expired')
}

async function startDialled(
  track: Track,
  changes: Partial<LadderRequest> = {},
): Promise<{ readonly id: VerificationId; readonly call: ReturnType<typeof callRequest> }> {
  const call = callRequest(track)
  const ladder = ladderRequest({ phoneHashes: [call.phoneHash], ...changes })
  const [started] = await acceptLadders(track.database, [{ call, ladder }], timeScale, waitMs)
  assert.equal(started?.decision, 'accepted')
  const id = started?.id as VerificationId
  assert(await claim(track, id))
  return { id, call }
}

export function ladderRequest(changes: Partial<LadderRequest> = {}): LadderRequest {
  return {
    modes: ['flash', 'voice'],
    code,
    checksMax,
    phoneHashes: [randomBytes(32)],
    silenceSeconds: undefined,
    ttlSeconds: 600,
    vaultName: 'none',
    language: 'ru',
    skipped: [],
    ...changes,
  }
}

export function inboundCall({ accountId, serviceId }: Pick<Track, 'accountId' | 'serviceId'>): RungRequest {
  return {
    accountId,
    serviceId,
    isTest: false,
    phoneHash: randomBytes(32),
    personSealed: randomBytes(40),
    country: 'RU',
    phoneInfo: undefined,
    price: 1_000_000 as MicroAmount,
    hourMax: null,
    dayMax: null,
    spendMax: null,
    optOutDigest: undefined,
    subscriberHashes: [randomBytes(32)],
    candidates: [1, 2, 3].map((number) => ({ number: 70_000_000_000 + number, trunk: 'first' })),
    inboundSeconds: 120,
    testCallSeconds: undefined,
    keyDigests: undefined,
    clientDigest: undefined,
  }
}

async function claim({ database }: Track, id: VerificationId, attempt = 1) {
  const [claimed] = await claimCalls(
    database,
    [{ id, attempt, trunk: 'first', callerNumber: undefined, ladder: true, token: randomInt(2 ** 40) }],
    waitMs,
  )
  return claimed
}

async function end(
  { database }: Track,
  id: VerificationId,
  { numberHashes }: ReturnType<typeof callRequest>,
  outcome: Pick<CallEnd, 'succeeded' | 'reason'>,
): Promise<void> {
  const [isEnded] = await endCalls(
    database,
    [{ id, attempt: 1, sipStatus: undefined, numberHashes, numberLeaseId: id, ...outcome }],
    waitMs,
  )
  assert.equal(isEnded, true)
}

function check({ database, serviceId }: Track, id: VerificationId, tried: string, key = randomBytes(20)) {
  return checkLadder(database, serviceId, id, { code: tried, key }, waitMs)
}

function cancel({ database, serviceId }: Track, id: VerificationId) {
  return cancelLadder(database, serviceId, id, waitMs)
}

async function ladderOf({ database }: Track, id: VerificationId): Promise<Ladder> {
  const ladder = await readLadder(database, id)
  assert(ladder)
  return ladder
}

function atOnce<T>(count: number, work: (index: number) => Promise<T>): Promise<readonly T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
