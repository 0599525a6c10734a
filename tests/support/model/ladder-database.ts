// The same steps of ladders in PostgreSQL, through the functions that production calls, and what is there after each.

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { sweepCalls, sweepInboundRequests } from '../../../server/src/db/core/sweep.ts'
import { matchInboundCalls } from '../../../server/src/db/verifications/inbound-request.ts'
import {
  acceptLadders,
  acceptRung,
  cancelLadder,
  checkLadder,
  takeDueLadders,
} from '../../../server/src/db/verifications/ladder.ts'
import { claimCalls, endCalls, noteRang } from '../../../server/src/db/verifications/verification.ts'
import type { VerificationId } from '../../../server/src/domain/core/slot.ts'
import { dayMs } from '../../../server/src/domain/values/time.ts'
import type { RungRequest } from '../../../server/src/domain/verifications/ladder.ts'
import { callRequest } from '../database/call-request.ts'
import { inboundCall, ladderRequest, type Track } from '../suites/ladder-races.ts'
import { replaceClock, setClock } from './database-clock.ts'
import {
  type LadderMode,
  type LadderStep,
  type LadderWorld,
  ladderModes,
  leaseMs,
  type ModelLadder,
  takeLadderStep,
  waitMs,
} from './ladder.ts'

type Known = { readonly id: VerificationId; readonly calls: VerificationId[]; readonly phoneHash: Buffer }
type DatabaseLadders = { readonly track: Track; readonly name: number; readonly ladders: Known[] }
export type LadderLane = { readonly track: Track; nowMs: number; worlds: number }

const code = '0417'

export async function createLadderLane(track: Track): Promise<LadderLane> {
  await replaceClock(track.database)
  return { track, nowMs: Date.UTC(2026, 10, 15, 23, 40), worlds: 0 }
}

// The first difference; undefined: none.
export async function compareLadders(
  lane: LadderLane,
  { seed, count, length }: { readonly seed: number; readonly count: number; readonly length: number },
  happened = new Map<string, number>(),
): Promise<string | undefined> {
  for (const [at, history] of fc
    .sample(fc.array(step, { minLength: length, maxLength: length }), { seed, numRuns: count })
    .entries()) {
    const world: LadderWorld = { nowMs: lane.nowMs, ladders: [] }
    lane.worlds += 1
    const real: DatabaseLadders = { track: lane.track, name: lane.worlds, ladders: [] }
    await setClock(lane.track.database, world.nowMs)
    for (const [place, one] of history.entries()) {
      const wanted = takeLadderStep(world, one)
      if (one.type === 'wait') await setClock(lane.track.database, world.nowMs)
      const got = await takeInDatabase(real, one, world).catch((error: Error) => error.message)
      const words = `${one.type} ${typeof wanted === 'string' && one.type !== 'take' ? wanted : ''}`.trim()
      happened.set(words, (happened.get(words) ?? 0) + 1)
      try {
        assert.deepEqual(got, wanted)
        assert.deepEqual(await snapshot(real), world.ladders.map(shownLadder))
      } catch (error) {
        const last = history.slice(Math.max(0, place - 8), place + 1).map((each) => JSON.stringify(each))
        return `seed ${seed}, history ${at}, step ${place}: ${(error as Error).message}\n${last.join('\n')}`
      }
    }
    for (const { state, reason } of world.ladders) {
      const words = `${state} ${reason ?? ''}`.trim()
      happened.set(words, (happened.get(words) ?? 0) + 1)
    }
    // No budget of guesses reaches from one history into the next.
    lane.nowMs = world.nowMs + 2 * dayMs
  }
  return undefined
}

const back = fc.integer({ min: 0, max: 1 })
const mode = fc.constantFrom(...ladderModes)
const ends = [
  { succeeded: true, reason: 'rang', sipStatus: undefined },
  { succeeded: true, reason: 'spoken', sipStatus: undefined },
  { succeeded: false, reason: 'no-ringing', sipStatus: undefined },
  { succeeded: false, reason: 'refused', sipStatus: 404 },
  { succeeded: false, reason: 'refused', sipStatus: 480 },
  { succeeded: false, reason: 'not-answered', sipStatus: 408 },
] as const

const step: fc.Arbitrary<LadderStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('start' as const),
      modes: fc.uniqueArray(mode, { minLength: 1, maxLength: 3 }),
      checks: fc.integer({ min: 1, max: 3 }),
      silenceSeconds: fc.option(fc.integer({ min: 20, max: 60 }), { nil: undefined }),
      ttlSeconds: fc.integer({ min: 60, max: 300 }),
      number: fc.nat({ max: 1 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('wait' as const),
      ms: fc.oneof({ weight: 5, arbitrary: fc.nat({ max: 3_000 }) }, fc.nat({ max: 60_000 })),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constantFrom('take' as const, 'sweep' as const) }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('next' as const), back, mode, isStale: fc.boolean() }) },
  {
    weight: 7,
    arbitrary: fc.record({
      type: fc.constantFrom(...(['claim', 'claim', 'claim', 'rang', 'call-in'] as const)),
      back,
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cancel' as const), back }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('outcome' as const), back, end: fc.constantFrom(...ends) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('check' as const),
      back,
      isRight: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
      key: fc.option(fc.nat({ max: 1 }), { nil: undefined }),
    }),
  },
)

async function takeInDatabase(real: DatabaseLadders, one: LadderStep, world: LadderWorld): Promise<unknown> {
  const { track, ladders } = real
  const { database, serviceId } = track
  switch (one.type) {
    case 'wait':
      return undefined
    case 'start': {
      const phoneHash = createHash('sha256').update(`${real.name} ${one.number}`).digest()
      const [first = 'flash'] = one.modes
      const ladder = ladderRequest({
        modes: one.modes,
        code: one.modes.some((each) => each !== 'inbound') ? code : undefined,
        checksMax: one.checks,
        phoneHashes: [phoneHash],
        silenceSeconds: one.silenceSeconds,
        ttlSeconds: one.ttlSeconds,
      })
      const [started] = await acceptLadders(database, [{ call: request(track, phoneHash, first), ladder }], 1)
      const id = started?.id
      if (id !== null && id !== undefined) ladders.push({ id, calls: [id], phoneHash })
      return started?.decision
    }
    case 'take': {
      const taken = await takeDueLadders(database, 100, leaseMs / 1_000)
      const places = taken.map(({ id, outcome }) => [ladders.findIndex((known) => known.id === id), outcome] as const)
      return places
        .filter(([place]) => place >= 0)
        .toSorted(([a], [b]) => a - b)
        .map((words) => words.join(' '))
        .join(', ')
    }
    case 'sweep':
      await sweepCalls(database, 500)
      await sweepInboundRequests(database, 500, 1)
      return undefined
    case 'next':
    case 'claim':
    case 'rang':
    case 'outcome':
    case 'call-in':
    case 'check':
    case 'cancel': {
      const known = ladders.at(-1 - one.back)
      if (known === undefined) return undefined
      const attempt = world.ladders[ladders.indexOf(known)]?.calls.at(-1)?.attempt ?? 0
      return takeOwn(track, serviceId, known, one, attempt)
    }
  }
}

type OwnStep = Extract<LadderStep, { readonly back: number }>

// The model has taken the step already: attempt is the one after it.
async function takeOwn(
  track: Track,
  serviceId: Track['serviceId'],
  known: Known,
  one: OwnStep,
  attempt: number,
): Promise<unknown> {
  const { database } = track
  const call = known.calls.at(-1) ?? known.id
  switch (one.type) {
    case 'next': {
      const before = { id: known.id, callsBefore: known.calls.length - (one.isStale ? 1 : 0) }
      const accepted = await acceptRung(database, before, request(track, known.phoneHash, one.mode), 1)
      if (accepted.decision === 'accepted' && accepted.id !== null) known.calls.push(accepted.id)
      return accepted.decision
    }
    case 'claim': {
      const { rows } = await database.query<{ attempt: number; mode: string }>(
        'SELECT attempt, mode FROM verifications WHERE id = $1',
        [call],
      )
      // Nobody dials a call that waits for the subscriber.
      if (rows[0]?.mode === 'inbound') return false
      const attemptAfter = (rows[0]?.attempt ?? 0) + 1
      const next = {
        id: call,
        attempt: attemptAfter,
        trunk: 'first',
        callerNumber: undefined,
        ladder: true,
        token: 1,
      } as const
      return (await claimCalls(database, [next]))[0] !== undefined
    }
    case 'rang':
      await noteRang(database, [{ id: call, attempt }])
      return undefined
    case 'outcome': {
      // A worker reports the end of an attempt that it has claimed.
      if (attempt === 0) return false
      const end = { id: call, attempt, ...one.end, numberHashes: undefined, numberLeaseId: undefined }
      return (await endCalls(database, [end]))[0]
    }
    case 'call-in': {
      const { rows } = await database.query<{ id: VerificationId }>(
        `SELECT id FROM verifications WHERE id = ANY ($1) AND mode = 'inbound'`,
        [known.calls],
      )
      const [waiting] = rows
      return waiting ? (await matchInboundCalls(database, [{ id: waiting.id, vaultName: 'none' }], 60))[0] : false
    }
    case 'cancel':
      return (await cancelLadder(database, serviceId, known.id)).isChanged
    case 'check': {
      const tried = one.isRight ? code : '9999'
      const digest = (text: string, size: number) => createHash('sha256').update(text).digest().subarray(0, size)
      const key =
        one.key === undefined
          ? randomBytes(20)
          : Buffer.concat([digest(`${known.id} ${one.key}`, 16), digest(`${known.id} ${one.key} ${tried}`, 4)])
      return (await checkLadder(database, serviceId, known.id, { code: tried, key })).result
    }
  }
}

// The limits see another number in each call, and the guesses that of the ladder.
function request(track: Track, phoneHash: Buffer, one: LadderMode): RungRequest {
  if (one === 'inbound')
    return {
      ...(inboundCall(track) as Extract<RungRequest, { candidates: unknown }>),
      phoneHash,
      inboundSeconds: waitMs / 1_000,
    }
  return callRequest(track, { phoneHash, mode: one })
}

function shownLadder(ladder: ModelLadder) {
  const { state, reason, checked, checksMax, modesLeft, calls, approvedCall, dueAtMs } = ladder
  return {
    state,
    reason,
    checks: checked.length,
    checksMax,
    modesLeft,
    hasCode: state === 'pending' && ladder.modes.some((one) => one !== 'inbound'),
    calls: calls.map((call) => `${call.mode} ${call.state} ${call.reason ?? '-'} ${call.rang ? 'rang' : 'silent'}`),
    approvedCall: approvedCall ?? -1,
    dueAtMs: state === 'pending' ? dueAtMs : 0,
  }
}

async function snapshot({ track, ladders }: DatabaseLadders) {
  const { rows } = await track.database.query<ReturnType<typeof shownLadder>>(
    `SELECT state, reason, cardinality(check_keys) AS checks, checks_max AS "checksMax", modes_left AS "modesLeft",
       code IS NOT NULL AS "hasCode", coalesce(array_position(call_ids, approved_call) - 1, -1) AS "approvedCall",
       CASE state WHEN 'pending' THEN round(extract(epoch FROM due_at) * 1000)::bigint ELSE 0 END AS "dueAtMs",
       ARRAY(SELECT concat_ws(' ', call.mode, call.state, coalesce(call.reason, '-'),
           CASE WHEN call.rang_at IS NULL THEN 'silent' ELSE 'rang' END)
         FROM verifications AS call WHERE call.id = ANY (call_ids) ORDER BY call.id) AS calls
     FROM ladders AS ladder WHERE ladder.id = ANY ($1) ORDER BY ladder.id`,
    [ladders.map(({ id }) => id)],
  )
  return rows
}
