// Accepting a request to call, as actions/verifications/start-verification.ts does it: in one database, or over two with a reservation of the
// number.

import type { MicroAmount } from '../../../server/src/domain/money/money.ts'
import { reservationMs } from '../../../server/src/domain/verifications/number-limits.ts'
import { callDeadlineMs } from '../../../server/src/domain/verifications/verification.ts'
import { applyEvent } from './call-events.ts'
import { shared, sharedLease } from './number-limits.ts'
import { evaluatePrefixCap, prefixUsedBy, usageAt } from './service-caps.ts'
import { type AcceptStep, optedOutNumber } from './steps.ts'
import {
  type Decided,
  enter,
  firstCallId,
  isRemote,
  keyName,
  ledgerOf,
  type ModelService,
  numberAt,
  type Parts,
  prefixName,
  serviceAt,
  updateNumber,
  usageOf,
  type World,
} from './world.ts'

export function accept(world: World, parts: Parts, step: AcceptStep): Decided {
  const wanted = serviceAt(step.service)
  const price = (step.isTest ? 0 : step.price) as MicroAmount
  const decided =
    !step.isTest && isRemote(world, wanted, step.number)
      ? acceptOverShards(world, parts, step, wanted)
      : acceptInAccount(world, parts, step, undefined)
  const { decision } = decided
  if (decided.callId === null) world.refused = { service: wanted, number: step.number, price, decision }
  return decided
}

function acceptOverShards(world: World, parts: Parts, step: AcceptStep, wanted: ModelService): Decided {
  const { fault, number } = step
  const ownLeaseId = nextLeaseId(world)
  const known = keyOwner(world, wanted, step.key)
  if (known !== undefined) return { decision: 'exists', callId: known, retryMs: null }
  const startedMs = world.nowMs
  const reserved = reserve(world, parts, wanted, number, step.key, ownLeaseId)
  if (typeof reserved !== 'number') return reserved
  if (fault?.type === 'dies-after-reserve') return { decision: 'died', callId: null, retryMs: null }
  if (fault?.type === 'slow') {
    world.nowMs += fault.ms
    if (fault.rival !== undefined) accept(world, parts, rivalOf(step, fault.rival))
  }
  const decided = acceptInAccount(world, parts, step, reserved)
  const call = decided.decision === 'accepted' ? world.calls.at(-1) : undefined
  if (fault?.type === 'dies-after-accept') return { decision: 'died', callId: null, retryMs: null }
  const giveBack = () => {
    if (reserved === ownLeaseId) updateNumber(world, number, (history) => parts.numberGivenBack(history, reserved))
  }
  if (call === undefined) {
    giveBack()
    return decided
  }
  if (fault?.type === 'lost-response') {
    if (step.key === undefined) giveBack()
    return { decision: 'lost-response', callId: null, retryMs: null }
  }
  if (fault?.type === 'slow' && fault.pins) applyEvent(world, parts, call, { type: 'pin' })
  if (world.nowMs - startedMs <= reservationMs) {
    call.isDispatched = true
    return decided
  }
  applyEvent(world, parts, call, { type: 'undo', lostNumber: true })
  giveBack()
  return { decision: 'too-soon', callId: null, retryMs: 1_000 }
}

// The request that comes between, without a key and without faults.
export function rivalOf(step: AcceptStep, rival: number): AcceptStep {
  return { ...step, service: rival, key: undefined, fault: undefined }
}

// The lease that the request has, its own or one shared by the same key; or why there is none.
export function reserve(
  world: World,
  parts: Parts,
  wanted: ModelService,
  number: number,
  key: number | undefined,
  ownLeaseId: number,
): number | Decided {
  const history = numberAt(world, number)
  const untilMs = world.nowMs + callDeadlineMs + reservationMs
  const lease = sharedLease(history, keyName(wanted, key), world.nowMs)
  if (lease !== undefined) {
    updateNumber(world, number, (before) => shared(before, { ...lease, untilMs }, world.nowMs))
    return lease.id
  }
  if (number === optedOutNumber) return { decision: 'opted-out', callId: null, retryMs: null }
  const refusal = parts.evaluateNumberLimits(history, wanted, world.nowMs)
  if (refusal !== undefined) return { ...refusal, callId: null }
  const call = { leaseId: ownLeaseId, serviceId: wanted.serviceId, atMs: world.nowMs }
  updateNumber(world, number, (before) => parts.numberAccepted(before, call, { untilMs, key: keyName(wanted, key) }))
  return ownLeaseId
}

// In the account's own database. Without a lease from another one the number is evaluated here, too.
function acceptInAccount(world: World, parts: Parts, step: AcceptStep, remoteLeaseId: number | undefined): Decided {
  const wanted = serviceAt(step.service)
  const known = keyOwner(world, wanted, step.key)
  if (known !== undefined) return { decision: 'exists', callId: known, retryMs: null }
  const price = (step.isTest ? 0 : step.price) as MicroAmount
  const refusal = step.isTest ? undefined : evaluate(world, parts, wanted, step, remoteLeaseId === undefined)
  if (refusal !== undefined) return { ...refusal, callId: null }

  const { nowMs } = world
  const { serviceId, account } = wanted
  const id = firstCallId + world.calls.length
  const state = parts.accepted(step.mode, nowMs)
  if (!step.isTest) {
    if (remoteLeaseId === undefined) {
      const call = { leaseId: id, serviceId, atMs: nowMs }
      const lease = { untilMs: state.endUntilMs, key: undefined }
      updateNumber(world, step.number, (history) => parts.numberAccepted(history, call, lease))
    }
    if (wanted.prefixHourMax !== null) {
      const prefix = prefixName(wanted, step.number)
      world.prefixes.set(prefix, prefixUsedBy(world.prefixes.get(prefix), nowMs))
    }
  }
  const usage = usageOf(world, wanted)
  world.usages.set(serviceId, step.isTest ? usageAt(usage, nowMs) : parts.usedBy(usage, price, nowMs))
  const name = keyName(wanted, step.key)
  if (name !== undefined) world.keys.set(name, id)
  const balanceBefore = ledgerOf(world, account).balance
  enter(world, parts, account, id, 'hold', price)
  world.calls.push({
    id,
    service: wanted,
    number: step.number,
    price,
    balanceBefore,
    isTest: step.isTest,
    key: step.key,
    isRemote: isRemote(world, wanted, step.number),
    acceptedAtMs: nowMs,
    leaseId: remoteLeaseId ?? id,
    isDispatched: remoteLeaseId === undefined,
    state,
    reason: undefined,
  })
  return { decision: 'accepted', callId: id, retryMs: null }
}

function evaluate(
  world: World,
  parts: Parts,
  wanted: ModelService,
  step: AcceptStep,
  isLocal: boolean,
): Pick<Decided, 'decision' | 'retryMs'> | undefined {
  if (isLocal && step.number === optedOutNumber) return { decision: 'opted-out', retryMs: null }
  const price = step.price as MicroAmount
  const cap = parts.evaluateCaps(usageOf(world, wanted), wanted, price, world.nowMs)
  if (cap !== undefined) return cap
  const prefixUsage = world.prefixes.get(prefixName(wanted, step.number))
  const prefixCap = evaluatePrefixCap(prefixUsage, wanted.prefixHourMax, world.nowMs)
  if (prefixCap !== undefined) return prefixCap
  if (!parts.canPay(ledgerOf(world, wanted.account).balance, price)) return { decision: 'no-money', retryMs: null }
  return isLocal ? parts.evaluateNumberLimits(numberAt(world, step.number), wanted, world.nowMs) : undefined
}

function keyOwner(world: World, of: ModelService, key: number | undefined): number | undefined {
  const name = keyName(of, key)
  return name === undefined ? undefined : world.keys.get(name)
}

// Below zero, so that it is no verification's ID.
export function nextLeaseId(world: World): number {
  world.leaseCount += 1
  return -world.leaseCount
}
