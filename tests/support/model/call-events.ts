// What an event changes: the state of the call, and at its end money, caps, key and number.

import { prefixGivenBack } from './service-caps.ts'
import type { VerificationEvent, VerificationState } from './verification.ts'
import { enter, keyName, type ModelCall, type Parts, prefixName, updateNumber, usageOf, type World } from './world.ts'

// Whether the event changed the call.
export function applyEvent(world: World, parts: Parts, call: ModelCall, event: VerificationEvent): boolean {
  const before = call.state
  const next = parts.after(before, event)
  if (next === before) return false
  call.state = next
  if (event.type === 'claim') {
    const seen = { rangBefore: world.rung.has(call.id), endedBefore: world.finals.has(call.id) }
    world.dials.push({ call, attempt: event.attempt, atMs: world.nowMs, ...seen })
  }
  if (event.type === 'rang') world.rung.add(call.id)
  if (next.state !== 'succeeded' && next.state !== 'failed') return true
  if (!world.finals.has(call.id)) world.finals.set(call.id, next)
  end(world, parts, call, event, before)
  return true
}

function end(world: World, parts: Parts, call: ModelCall, event: VerificationEvent, before: VerificationState): void {
  const { id, service: of, price, acceptedAtMs, isTest } = call
  const succeeded = call.state.state === 'succeeded'
  call.reason = reasonOf(event, before)
  enter(world, parts, of.account, id, parts.closingMove(succeeded), price)
  if (!succeeded) {
    const usage = usageOf(world, of)
    const giveBack = event.type === 'undo' && !isTest ? parts.usageGivenBack : parts.spendGivenBack
    world.usages.set(of.serviceId, giveBack(usage, price, acceptedAtMs))
  }
  if (event.type === 'undo') undone(world, call)
  // Only who dispatches or dials the call knows its number, a sweep does not.
  if (call.isRemote || isTest) return
  if (event.type === 'outcome') updateNumber(world, call.number, (history) => parts.numberEnded(history, call.leaseId))
  if (event.type === 'undo') {
    updateNumber(world, call.number, (history) => parts.numberGivenBack(history, call.leaseId))
  }
}

function undone(world: World, { service: of, number, key, isTest, state, acceptedAtMs }: ModelCall): void {
  const name = keyName(of, key)
  if (name !== undefined && !state.pinned) world.keys.delete(name)
  const prefix = prefixName(of, number)
  const used = world.prefixes.get(prefix)
  if (used !== undefined && !isTest) world.prefixes.set(prefix, prefixGivenBack(used, acceptedAtMs))
}

function reasonOf(event: VerificationEvent, { state, rang }: VerificationState): string {
  if (event.type === 'undo') return 'not-dispatched'
  if (event.type === 'outcome') return 'refused'
  if (state === 'accepted') return 'not-started'
  return rang ? 'lost-ringing' : 'lost'
}
