// The hot path to the database: concurrent accepts, inbound starts and matches, claims, rings, ends and reads are combined
// into batches, per database.

import {
  type AccountId,
  type Slot,
  slotOfAccount,
  slotOfVerification,
  type VerificationId,
} from '../../domain/core/slot.ts'
import { slotOfDigest } from '../../domain/numbers/phone-number.ts'
import type { CallRequest } from '../../domain/verifications/call-request.ts'
import { type InboundRequest, numberLifeSeconds } from '../../domain/verifications/inbound-request.ts'
import { lanesOf } from '../core/account-lanes.ts'
import type { Database } from '../core/database.ts'
import { followSlot } from '../core/follow-slot.ts'
import { type MicroBatch, microBatch } from '../core/micro-batch.ts'
import type { SlotMap } from '../core/slot-map.ts'
import { type IdempotencyKey, readIdempotencyKeys } from './idempotency-key.ts'
import {
  type InboundMatch,
  matchInboundCalls,
  type StartedInboundRequest,
  startInboundRequests,
} from './inbound-request.ts'
import { type AcceptedRung, acceptLadders, type LadderStart } from './ladder.ts'
import { closeNumbers, type NumberClose, type Reservation, type Reserved, reserveNumbers } from './number-limits.ts'
import {
  type Accepted,
  acceptCalls,
  acceptRepeats,
  type CallEnd,
  type Claim,
  type Claimed,
  claimCalls,
  endCalls,
  noteRang,
  pinVerifications,
  readAccountsOf,
  readVerifications,
  undoCalls,
  type Verification,
} from './verification.ts'

export type CallBatches = {
  readonly accept: MicroBatch<CallRequest, Accepted>
  readonly acceptRepeat: MicroBatch<CallRequest, Accepted>
  readonly startInbound: MicroBatch<InboundRequest, StartedInboundRequest>
  readonly acceptLadder: MicroBatch<LadderStart, AcceptedRung<'guesses-used-up'>>
  readonly matchInbound: MicroBatch<InboundMatch, boolean>
  readonly claim: MicroBatch<Claim, Claimed | undefined>
  readonly rang: MicroBatch<Pick<Claim, 'id' | 'attempt'>, void>
  readonly end: MicroBatch<CallEnd, boolean>
  readonly undo: MicroBatch<CallEnd, void>
  readonly pin: MicroBatch<VerificationId, void>
  readonly read: MicroBatch<VerificationId, Verification | undefined>
  readonly findKey: MicroBatch<IdempotencyKey, VerificationId | undefined>
  // In the database of the number.
  readonly reserveNumber: MicroBatch<Reservation, Reserved>
  readonly closeNumber: MicroBatch<NumberClose, void>
}

// How long a step gathers at most: no request waits for it (docs/adr/0051). An accept never does.
const gatherMs = { claim: 4, rang: 100, end: 50 } as const

export function createCallBatches(slots: SlotMap, timeScale: number): CallBatches {
  const byDatabase = new Map(slots.databases.map((database) => [database, batchesOf(database, timeScale)]))
  const batchesAt = (database: Database): CallBatches => {
    const batches = byDatabase.get(database)
    if (!batches) throw new RangeError('database is not in the slot map')
    return batches
  }
  const at = (slot: Slot) => batchesAt(slots.databaseOf(slot))
  const ofAccount = ({ accountId }: Pick<CallRequest, 'accountId'>) => slotOfAccount(accountId)
  // With its number, if that is counted in the same database.
  const ofStart = (request: Pick<CallRequest, 'accountId' | 'optOutDigest'>) =>
    request.optOutDigest ? [ofAccount(request), slotOfDigest(request.optOutDigest)] : [ofAccount(request)]
  const follow = <T>(slot: Slot, work: (batches: CallBatches) => Promise<T>) =>
    followSlot(slots, [slot], () => work(at(slot)))
  const followStart = <T>(
    request: Pick<CallRequest, 'accountId' | 'optOutDigest'>,
    work: (batches: CallBatches) => Promise<T>,
  ) => followSlot(slots, ofStart(request), () => work(at(ofAccount(request))), false)
  const ofCall = ({ id }: Pick<Claim, 'id'>) => slotOfVerification(id)
  return {
    accept: (request) => followStart(request, ({ accept }) => accept(request)),
    acceptRepeat: (request) => followStart(request, ({ acceptRepeat }) => acceptRepeat(request)),
    startInbound: (request) => followStart(request, ({ startInbound }) => startInbound(request)),
    acceptLadder: (start) => followStart(start.call, ({ acceptLadder }) => acceptLadder(start)),
    matchInbound: (match) => follow(ofCall(match), ({ matchInbound }) => matchInbound(match)),
    claim: (call) => follow(ofCall(call), ({ claim }) => claim(call)),
    rang: (call) => follow(ofCall(call), ({ rang }) => rang(call)),
    end: (call) => follow(ofCall(call), ({ end }) => end(call)),
    undo: (call) => follow(ofCall(call), ({ undo }) => undo(call)),
    pin: (id) => follow(ofCall({ id }), ({ pin }) => pin(id)),
    read: (id) => follow(ofCall({ id }), ({ read }) => read(id)),
    findKey: (key) => follow(ofAccount(key), ({ findKey }) => findKey(key)),
    reserveNumber: (number) => follow(number.slot, ({ reserveNumber }) => reserveNumber(number)),
    closeNumber: (number) => follow(number.slot, ({ closeNumber }) => closeNumber(number)),
  }
}

function batchesOf(database: Database, timeScale: number): CallBatches {
  const lanes = lanesOf(database)
  const accountsOf = (items: readonly { readonly accountId: AccountId }[]) => items.map(({ accountId }) => accountId)
  const accountsOfIds = (ids: readonly VerificationId[]) => readAccountsOf(database, ids)
  const accountsOfCalls = (items: readonly { readonly id: VerificationId }[]) =>
    accountsOfIds(items.map(({ id }) => id))
  return {
    accept: lanes.batch(accountsOf, (items, lockMs) => acceptCalls(database, items, timeScale, lockMs)),
    acceptRepeat: lanes.batch(accountsOf, (items, lockMs) => acceptRepeats(database, items, timeScale, lockMs)),
    startInbound: lanes.batch(accountsOf, (items, lockMs) => startInboundRequests(database, items, timeScale, lockMs)),
    acceptLadder: lanes.batch(
      (items) => accountsOf(items.map(({ call }) => call)),
      (items, lockMs) => acceptLadders(database, items, timeScale, lockMs),
    ),
    matchInbound: lanes.batch(accountsOfCalls, (items, lockMs) =>
      matchInboundCalls(database, items, numberLifeSeconds * timeScale, lockMs),
    ),
    claim: lanes.batch(
      accountsOfCalls,
      (items, lockMs) => claimCalls(database, items, lockMs),
      gatherMs.claim * timeScale,
    ),
    rang: lanes.batch(
      accountsOfCalls,
      async (items, lockMs) => {
        await noteRang(database, items, lockMs)
        return items.map(() => undefined)
      },
      gatherMs.rang * timeScale,
    ),
    end: lanes.batch(accountsOfCalls, (items, lockMs) => endCalls(database, items, lockMs), gatherMs.end * timeScale),
    undo: lanes.batch(accountsOfCalls, async (items, lockMs) => {
      await undoCalls(database, items, lockMs)
      return items.map(() => undefined)
    }),
    pin: lanes.batch(accountsOfIds, async (ids, lockMs) => {
      await pinVerifications(database, ids, lockMs)
      return ids.map(() => undefined)
    }),
    read: microBatch((ids) => readVerifications(database, ids)),
    findKey: microBatch((keys) => readIdempotencyKeys(database, keys)),
    reserveNumber: microBatch((reservations) => reserveNumbers(database, reservations, timeScale)),
    closeNumber: microBatch(async (closes) => {
      await closeNumbers(database, closes)
      return closes.map(() => undefined)
    }),
  }
}
