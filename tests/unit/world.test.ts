// The model of the demo's world: it repeats itself, and nothing in it contradicts itself.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginningBefore, saleDay } from '../../scripts/world/demand.ts'
import type { History } from '../../scripts/world/events.ts'
import { makeHistory, nothingCarried } from '../../scripts/world/history.ts'
import { areaCode } from '../../scripts/world/subscribers.ts'
import { dayMs, hourMs } from '../../server/src/domain/values/time.ts'

const beginMs = beginningBefore(Date.UTC(2026, 5, 15, 9), 14)

function historyOf(seed: number, begin = beginMs): History {
  const fromMs = begin + saleDay * dayMs + 12 * hourMs
  return makeHistory({ seed, beginMs: begin, fromMs, untilMs: fromMs + 9 * hourMs, carried: nothingCarried })
}

const history = historyOf(1)

test('the same seed makes the same history, also a week later; another seed does not', () => {
  assert.deepEqual(historyOf(1), history)
  const later = historyOf(1, beginMs + 7 * dayMs)
  const facts = ({ calls, refused, waitings }: History, begin: number) => [
    calls.map(({ phone, code, atMs, endedMs, balanceBefore }) => [
      phone,
      code,
      atMs - begin,
      endedMs - begin,
      balanceBefore,
    ]),
    refused.map(({ name, phone, atMs }) => [name, phone, atMs - begin]),
    waitings.map(({ phone, atMs, deliveries }) => [phone, atMs - begin, deliveries.length]),
  ]
  assert.deepEqual(facts(later, beginMs + 7 * dayMs), facts(history, beginMs))
  assert.notDeepEqual(facts(historyOf(2), beginMs), facts(history, beginMs))
})

test('a call over before it began, a status without a refusal and a foreign number are not in it', () => {
  assert(history.calls.length > 2_000)
  for (const { phone, atMs, endedMs, attempts, isSucceeded } of history.calls) {
    assert.equal(phone.slice(0, 4), areaCode)
    const last = attempts.at(-1) ?? attempts[0]
    const { reason, succeeded } = last.outcome
    const { rangAtMs, status, endedAtMs } = last.progress
    assert.equal(succeeded, isSucceeded)
    assert(atMs < last.dialledMs && last.dialledMs + endedAtMs < endedMs)
    if (reason === 'rang' || reason === 'spoken' || reason === 'not-answered') assert(rangAtMs !== undefined, reason)
    if (reason === 'refused') assert(rangAtMs === undefined && status !== undefined)
    for (const tried of attempts.slice(0, -1)) assert.equal(tried.outcome.mayTryNextTrunk, true)
  }
})

test('a provider falls in the evening of the sale: its traffic is moved, and returns', () => {
  const [switched, ...more] = history.switchOvers
  assert.deepEqual(more, [])
  assert.equal(switched?.provider, 'Volga')
  assert.equal(switched?.from, 'north')
  assert.equal(switched?.reason, 'recovered')
  assert((switched?.sinceMs ?? 0) <= (switched?.movedMs ?? 0))
  assert(history.calls.some(({ attempts }) => attempts.length > 1))
})

test('what a customer has is what it paid less what its successful calls cost', () => {
  for (const [name, balance] of Object.entries(history.carried.balances)) {
    const own = <Event extends { readonly customer: string }>(events: readonly Event[]) =>
      events.filter(({ customer }) => customer === name)
    const paid = own(history.payments).reduce((sum, { amount }) => sum + amount, 0)
    const spent = own([...history.calls, ...history.waitings])
      .filter(({ isSucceeded }) => isSucceeded)
      .reduce((sum, { price }) => sum + price, 0)
    assert.equal(balance, paid - spent, name)
    assert(balance >= 0, name)
  }
})

test('the broken receiver gets every webhook nine times', () => {
  const ofGym = history.waitings.filter(({ customer, deliveries }) => customer === 'gym' && deliveries.length > 0)
  assert(ofGym.length > 0)
  for (const { deliveries } of ofGym) assert.deepEqual(new Set(deliveries.map(({ status }) => status)), new Set([503]))
  for (const { deliveries } of ofGym) assert.equal(deliveries.length, 9)
})
