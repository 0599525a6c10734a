// The hot path to the record: every accept, wait, proof, claim, ringing, end and look travels with those it meets, database
// by database.

import { slotOfAccount, slotOfVerification, type VerificationId } from '../domain/slot.ts'
import { numberLifeSeconds } from '../domain/wait.ts'
import {
  type Accepted,
  acceptCalls,
  type CallEnd,
  type CallRequest,
  type Claim,
  claimCalls,
  endCalls,
  noteRang,
  readVerifications,
  takeUpCalls,
  undoCalls,
  type Verification,
} from './call.ts'
import type { Database } from './database.ts'
import { type MicroBatch, microBatch } from './micro-batch.ts'
import type { SlotMap } from './slot-map.ts'
import { proveWaits, type StartedWait, startWaits, type WaitProof, type WaitRequest } from './wait.ts'

export type CallBatches = {
  readonly accept: MicroBatch<CallRequest, Accepted>
  readonly wait: MicroBatch<WaitRequest, StartedWait>
  readonly prove: MicroBatch<WaitProof, boolean>
  readonly claim: MicroBatch<Claim, number | undefined>
  readonly rang: MicroBatch<Pick<Claim, 'id' | 'attempt'>, void>
  readonly end: MicroBatch<CallEnd, boolean>
  readonly undo: MicroBatch<CallEnd, void>
  readonly takeUp: MicroBatch<VerificationId, void>
  readonly read: MicroBatch<VerificationId, Verification | undefined>
}

export function openCallBatches(slots: SlotMap, timeScale: number): CallBatches {
  const byDatabase = new Map(slots.databases.map((database) => [database, batchesOf(database, timeScale)]))
  const batchesAt = (database: Database): CallBatches => {
    const batches = byDatabase.get(database)
    if (!batches) throw new RangeError('a slot map has grown a database')
    return batches
  }
  const ofAccount = ({ accountId }: Pick<CallRequest, 'accountId'>) =>
    batchesAt(slots.databaseOf(slotOfAccount(accountId)))
  const ofCall = ({ id }: Pick<Claim, 'id'>) => batchesAt(slots.databaseOf(slotOfVerification(id)))
  return {
    accept: (request) => ofAccount(request).accept(request),
    wait: (wait) => ofAccount(wait).wait(wait),
    prove: (proof) => ofCall(proof).prove(proof),
    claim: (claim) => ofCall(claim).claim(claim),
    rang: (rang) => ofCall(rang).rang(rang),
    end: (end) => ofCall(end).end(end),
    undo: (end) => ofCall(end).undo(end),
    takeUp: (id) => ofCall({ id }).takeUp(id),
    read: (id) => ofCall({ id }).read(id),
  }
}

function batchesOf(database: Database, timeScale: number): CallBatches {
  return {
    accept: microBatch((items) => acceptCalls(database, items, timeScale)),
    wait: microBatch((items) => startWaits(database, items, timeScale)),
    prove: microBatch((items) => proveWaits(database, items, numberLifeSeconds * timeScale)),
    claim: microBatch((items) => claimCalls(database, items)),
    rang: microBatch(async (items) => {
      await noteRang(database, items)
      return items.map(() => undefined)
    }),
    end: microBatch((items) => endCalls(database, items)),
    undo: microBatch(async (items) => {
      await undoCalls(database, items)
      return items.map(() => undefined)
    }),
    takeUp: microBatch(async (ids) => {
      await takeUpCalls(database, ids)
      return ids.map(() => undefined)
    }),
    read: microBatch((ids) => readVerifications(database, ids)),
  }
}
