// One step of a history in the model.

import type { MicroAmount } from '../../../server/src/domain/money/money.ts'
import { callDeadlineMs } from '../../../server/src/domain/verifications/verification.ts'
import { accept, nextLeaseId, reserve } from './accept.ts'
import { applyEvent } from './call-events.ts'
import type { CallStep, Step } from './steps.ts'
import { type Decided, enter, type ModelCall, type Parts, updateNumber, type World } from './world.ts'

// The result of a step; the database must return the same.
export type StepResult = Decided | number | boolean | undefined

export function takeStep(world: World, step: Step, parts: Parts): StepResult {
  world.refused = undefined
  switch (step.type) {
    case 'wait':
      world.nowMs += step.ms
      return undefined
    case 'credit':
      enter(world, parts, step.account, undefined, 'credit', step.amount as MicroAmount)
      return undefined
    case 'accept':
      return accept(world, parts, step)
    case 'sweep':
      return sweep(world, parts, step.account)
    case 'claim':
    case 'rang':
    case 'outcome':
    case 'undo':
    case 'retry': {
      const call = world.calls.at(-1 - step.back)
      return call && takeCallStep(world, parts, call, step)
    }
  }
}

// A minute passes without an event; then the keeper sweeps.
export function settle(world: World, parts: Parts): void {
  world.refused = undefined
  world.nowMs += callDeadlineMs
  sweep(world, parts, undefined)
}

function takeCallStep(world: World, parts: Parts, call: ModelCall, step: CallStep): StepResult {
  const attempt = call.state.attempt + step.attemptOff
  if ((step.type === 'claim' || step.type === 'outcome') && !call.isDispatched) return undefined
  switch (step.type) {
    case 'claim': {
      const isClaimed = applyEvent(world, parts, call, { type: 'claim', attempt: attempt + 1, atMs: world.nowMs })
      return isClaimed ? call.state.endUntilMs - world.nowMs : undefined
    }
    case 'rang':
      applyEvent(world, parts, call, { type: 'rang', attempt })
      return undefined
    // A worker reports the outcome of an attempt that it has claimed.
    case 'outcome': {
      const isEnded = applyEvent(world, parts, call, {
        type: 'outcome',
        attempt: Math.max(1, attempt),
        succeeded: step.succeeded,
      })
      if (call.isRemote && !call.isTest) {
        updateNumber(world, call.number, (history) => parts.numberEnded(history, call.leaseId))
      }
      return isEnded
    }
    case 'undo': {
      applyEvent(world, parts, call, { type: 'undo', lostNumber: false })
      const neverDialled = call.state.state === 'failed' && call.state.attempt === 0
      if (call.isRemote && !call.isTest && neverDialled) {
        updateNumber(world, call.number, (history) => parts.numberGivenBack(history, call.leaseId))
      }
      return undefined
    }
    case 'retry':
      return retry(world, parts, call)
  }
}

// A retry is answered with the call, and dispatches it again while no worker has claimed it.
function retry(world: World, parts: Parts, call: ModelCall): boolean {
  if (call.key === undefined) return false
  applyEvent(world, parts, call, { type: 'pin' })
  if (call.state.state !== 'accepted') return false
  if (call.isRemote && !call.isTest) {
    const leaseId = reserve(world, parts, call.service, call.number, call.key, nextLeaseId(world))
    if (typeof leaseId !== 'number') return false
    call.leaseId = leaseId
  }
  call.isDispatched = true
  return true
}

// How many calls it ended.
function sweep(world: World, parts: Parts, account: number | undefined): number {
  const swept = world.calls.filter((call) => account === undefined || call.service.account === account)
  return swept.filter((call) => applyEvent(world, parts, call, { type: 'overdue', atMs: world.nowMs })).length
}
