// Accepting a request to call in PostgreSQL: acceptCalls in one database, acceptOverShards over two.

import { acceptOverShards } from '../../../server/src/db/verifications/accept-over-shards.ts'
import { reserveNumbers } from '../../../server/src/db/verifications/number-limits.ts'
import { type Accepted, acceptCalls } from '../../../server/src/db/verifications/verification.ts'
import type { ServiceId, VerificationId } from '../../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../../server/src/domain/money/money.ts'
import type { NumberPrefix } from '../../../server/src/domain/numbers/number-prefix.ts'
import type { NumberRef } from '../../../server/src/domain/numbers/phone-number.ts'
import type { CallRequest } from '../../../server/src/domain/verifications/call-request.ts'
import { rivalOf } from './accept.ts'
import { accountAt, type DatabaseWorld, moveClock, nextLeaseBytes, numberAt, type Order } from './database-world.ts'
import type { AcceptStep } from './steps.ts'
import { type Decided, firstCallId, keyName, prefixOf, serviceAt } from './world.ts'

type CallPlan = { readonly request: CallRequest; readonly number: NumberRef }

class LostResponse extends Error {}

export async function accept(world: DatabaseWorld, step: AcceptStep): Promise<Decided> {
  const { fault } = step
  const plan = planOf(world, step)
  if (step.isTest || plan.request.numberHashes) {
    return decided(world, await acceptInAccount(world, step, plan.request, undefined))
  }
  if (fault?.type === 'dies-after-reserve' || fault?.type === 'dies-after-accept')
    return acceptAndDie(world, step, plan)
  let order: Order | undefined
  const acceptWithFault = async (request: CallRequest): Promise<Accepted> => {
    if (fault?.type === 'slow') {
      await moveClock(world, fault.ms)
      if (fault.rival !== undefined) await accept(world, rivalOf(step, fault.rival))
    }
    const accepted = await acceptInAccount(world, step, request, 0)
    if (accepted.decision !== 'accepted') return accepted
    order = world.orders.at(-1)
    if (fault?.type === 'lost-response') throw new LostResponse()
    if (fault?.type === 'slow' && fault.pins) await world.batches.pin(accepted.id as VerificationId)
    return accepted
  }
  try {
    const { accepted, numberLeaseId } = await acceptOverShards(
      shardDeps(world),
      plan.request,
      plan.number,
      acceptWithFault,
    )
    if (order !== undefined) {
      order.leaseId = numberLeaseId
      order.isDispatched = accepted.decision === 'accepted'
    }
    return decided(world, accepted)
  } catch (error) {
    if (!(error instanceof LostResponse)) throw error
    return { decision: 'lost-response', callId: null, retryMs: null }
  }
}

export function shardDeps(world: DatabaseWorld) {
  return {
    batches: world.batches,
    randomBytes: (size: number) => nextLeaseBytes(world, size),
    monotonicMs: () => world.nowMs,
  }
}

// What domain/verifications/plan-call.ts finds out about a request.
export function planOf(world: DatabaseWorld, step: AcceptStep): CallPlan {
  const service = serviceAt(step.service)
  const account = accountAt(world, service.account)
  const { hash, slot, database } = numberAt(world, step.number)
  const isLocal = account.database === database
  const key = keyName(service, step.key)
  const keyDigest = key === undefined ? undefined : world.digestOf(`key ${key}`)
  if (key !== undefined && keyDigest !== undefined) world.keys.set(keyDigest.toString('hex'), key)
  const request: CallRequest = {
    accountId: account.id,
    serviceId: world.serviceIds[step.service] as ServiceId,
    keyDigests: keyDigest && [keyDigest],
    isTest: step.isTest,
    mode: step.mode,
    phoneHash: hash,
    personSealed: hash,
    clientDigest: undefined,
    numberHashes: isLocal ? [hash] : undefined,
    country: 'RU',
    phoneInfo: undefined,
    code: '0417',
    price: step.price as MicroAmount,
    trunk: 'first',
    callerNumber: undefined,
    calls10Minutes: service.callsPer10Minutes,
    callsDay: service.callsPerDay,
    hourMax: service.verificationsHourMax,
    dayMax: service.verificationsDayMax,
    spendMax: service.spendDayMax,
    optOutDigest: isLocal ? hash : undefined,
    prefix: prefixOf(step.number) as NumberPrefix,
    prefixMax: service.prefixHourMax ?? undefined,
    chargesFailed: false,
  }
  return { request, number: { slot, hashes: [hash], optOutDigest: hash } }
}

async function acceptInAccount(
  world: DatabaseWorld,
  step: AcceptStep,
  request: CallRequest,
  leaseId: number | undefined,
): Promise<Accepted> {
  const { database } = accountAt(world, serviceAt(step.service).account)
  const [accepted] = await acceptCalls(database, [request], 1)
  if (accepted === undefined) throw new Error('a request was not decided')
  if (accepted.decision === 'accepted') {
    const id = accepted.id as VerificationId
    world.calls.set(id, firstCallId + world.orders.length)
    world.orders.push({ id, step, leaseId: leaseId ?? id, isDispatched: leaseId === undefined })
  }
  return accepted
}

// As far as acceptOverShards comes before its process dies.
async function acceptAndDie(world: DatabaseWorld, step: AcceptStep, { request, number }: CallPlan): Promise<Decided> {
  const token = -1 - nextLeaseBytes(world, 6).readUIntBE(0, 6)
  const { accountId, serviceId, keyDigests } = request
  const known = keyDigests && (await world.batches.findKey({ accountId, serviceId, keyDigests }))
  if (known) return decided(world, { decision: 'exists', id: known, retryMs: null })
  const reservation = { ...request, ...number, token }
  const [reserved] = await reserveNumbers(numberAt(world, step.number).database, [reservation], 1)
  if (reserved === undefined) throw new Error('a reservation was not decided')
  const { decision, retryMs } = reserved
  if (decision !== 'reserved') return { decision, callId: null, retryMs }
  if (step.fault?.type === 'dies-after-accept') await acceptInAccount(world, step, request, reserved.token)
  return { decision: 'died', callId: null, retryMs: null }
}

function decided({ calls }: DatabaseWorld, { decision, id, retryMs }: Accepted): Decided {
  return { decision, callId: id === null ? null : (calls.get(id) ?? id), retryMs }
}
