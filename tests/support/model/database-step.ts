// One step of a history in PostgreSQL, through the functions that production calls.

import type { Database } from '../../../server/src/db/core/database.ts'
import { sweepCalls } from '../../../server/src/db/core/sweep.ts'
import { reserveAgain } from '../../../server/src/db/verifications/accept-over-shards.ts'
import { closeNumbers } from '../../../server/src/db/verifications/number-limits.ts'
import {
  type CallEnd,
  claimCalls,
  endCalls,
  noteRang,
  pinVerifications,
  readVerification,
  undoCalls,
} from '../../../server/src/db/verifications/verification.ts'
import { slotOfVerification } from '../../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../../server/src/domain/money/money.ts'
import { credit } from '../database/credit.ts'
import { accept, planOf, shardDeps } from './database-accept.ts'
import { accountAt, type DatabaseWorld, moveClock, numberAt, type Order } from './database-world.ts'
import type { CallStep, Step } from './steps.ts'
import type { StepResult } from './take-step.ts'

// More than are ever overdue at once.
const endsMax = 500

// The attempt is that of the step's call before the step.
export async function takeDatabaseStep(world: DatabaseWorld, step: Step, attempt: number): Promise<StepResult> {
  switch (step.type) {
    case 'wait':
      await moveClock(world, step.ms)
      return undefined
    case 'credit': {
      const { id, database } = accountAt(world, step.account)
      await credit(database, id, step.amount as MicroAmount)
      return undefined
    }
    case 'accept':
      return accept(world, step)
    case 'sweep':
      return sweep(world, step.account)
    case 'claim':
    case 'rang':
    case 'outcome':
    case 'undo':
    case 'retry': {
      const order = world.orders.at(-1 - step.back)
      return order && takeCallStep(world, step, order, attempt + step.attemptOff)
    }
  }
}

async function sweep(world: DatabaseWorld, account: number | undefined): Promise<number> {
  if (account !== undefined) {
    const { id, database } = accountAt(world, account)
    return (await sweepCalls(database, endsMax, id)).ended
  }
  const swept = await Promise.all(world.slots.databases.map((database) => sweepCalls(database, endsMax)))
  return swept.reduce((sum, { ended }) => sum + ended, 0)
}

async function takeCallStep(world: DatabaseWorld, step: CallStep, order: Order, attempt: number): Promise<StepResult> {
  const { id, leaseId } = order
  const database = world.slots.databaseOf(slotOfVerification(id))
  const number = numberAt(world, order.step.number)
  const isRemote = number.database !== database
  const end: CallEnd = {
    id,
    attempt,
    succeeded: step.succeeded,
    reason: 'refused',
    sipStatus: undefined,
    numberHashes: isRemote ? undefined : [number.hash],
    numberLeaseId: leaseId,
  }
  const closesNumber = isRemote && !order.step.isTest
  const close = { slot: number.slot, hashes: [number.hash], leaseId }
  if ((step.type === 'claim' || step.type === 'outcome') && !order.isDispatched) return undefined
  switch (step.type) {
    case 'claim': {
      const [claimed] = await claimCalls(database, [
        { id, attempt: attempt + 1, trunk: 'first', callerNumber: undefined, token: attempt },
      ])
      return claimed?.leftMs
    }
    case 'rang':
      await noteRang(database, [{ id, attempt }])
      return undefined
    case 'outcome': {
      const [isEnded] = await endCalls(database, [{ ...end, attempt: Math.max(1, attempt) }])
      // As engine/verifications/execute-call.ts does.
      if (closesNumber) await closeNumbers(number.database, [{ ...close, givesBack: false }])
      return isEnded
    }
    case 'undo': {
      await undoCalls(database, [{ ...end, attempt: 0, succeeded: false, reason: 'not-dispatched' }])
      // As actions/verifications/start-verification.ts does.
      const kept = await readVerification(database, id)
      if (closesNumber && kept?.state === 'failed' && kept.attempt === 0) {
        await closeNumbers(number.database, [{ ...close, givesBack: true }])
      }
      return undefined
    }
    case 'retry':
      return retry(world, order, database, closesNumber)
  }
}

// As actions/verifications/replay-verification.ts does.
async function retry(world: DatabaseWorld, order: Order, database: Database, isRemote: boolean): Promise<boolean> {
  if (order.step.key === undefined) return false
  await pinVerifications(database, [order.id])
  if ((await readVerification(database, order.id))?.state !== 'accepted') return false
  if (isRemote) {
    const { request, number } = planOf(world, order.step)
    const leaseId = await reserveAgain(shardDeps(world), request, number)
    if (leaseId === undefined) return false
    order.leaseId = leaseId
  }
  order.isDispatched = true
  return true
}
