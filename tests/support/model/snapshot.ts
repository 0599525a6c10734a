// Everything the model and the database must agree on, in one form for both, and where two of them differ.

import { isDeepStrictEqual } from 'node:util'
import type { AccountTotals } from '../../../server/src/domain/money/ledger.ts'
import type { NumberHistory } from './number-limits.ts'
import { services, type World } from './world.ts'

export type CallSnapshot = {
  readonly id: number
  readonly state: string
  readonly attempt: number
  readonly rang: boolean
  readonly pinned: boolean
  readonly isTest: boolean
  readonly price: number
  readonly balanceBefore: number
  readonly acceptedAtMs: number
  readonly startUntilMs: number
  readonly endUntilMs: number
  readonly reason: string | null
  // Such as "available held 400000".
  readonly entries: readonly string[]
}

export type Snapshot = {
  readonly calls: readonly CallSnapshot[]
  readonly accounts: readonly {
    readonly balance: number
    readonly held: number
    // When the snapshot has all calls.
    readonly entries: AccountTotals | undefined
  }[]
  // By service, by service and prefix, by number, by service and key.
  readonly usages: Readonly<Record<string, readonly number[]>>
  readonly prefixes: Readonly<Record<string, readonly number[]>>
  readonly numbers: Readonly<Record<string, NumberHistory>>
  readonly keys: Readonly<Record<string, number>>
}

const sides = { hold: 'available held', capture: 'held revenue', release: 'held available' } as Record<string, string>

// Of the calls from this index on.
export function snapshotOf(world: World, fromCall: number): Snapshot {
  return {
    calls: world.calls.slice(fromCall).map(({ id, state, isTest, price, balanceBefore, acceptedAtMs, reason }) => ({
      id,
      state: state.state,
      attempt: state.attempt,
      rang: state.rang,
      pinned: state.pinned,
      isTest,
      price,
      balanceBefore,
      acceptedAtMs,
      startUntilMs: state.startUntilMs,
      endUntilMs: state.endUntilMs,
      reason: reason ?? null,
      entries: (world.lines.get(id) ?? [])
        .filter(({ amount }) => amount > 0)
        .map(({ move, amount }) => `${sides[move]} ${amount}`),
    })),
    accounts: world.ledgers.map(({ balance, held, entries }) => ({
      balance,
      held,
      entries: fromCall === 0 ? withoutMinusZero(entries) : undefined,
    })),
    usages: Object.fromEntries(
      services.flatMap(({ serviceId }) => {
        const used = world.usages.get(serviceId)
        if (used === undefined) return []
        const { hourStartMs, hourCount, dayStartMs, dayCount, daySpent } = used
        return [[serviceId, [hourStartMs, hourCount, dayStartMs, dayCount, daySpent]]]
      }),
    ),
    prefixes: Object.fromEntries(
      [...world.prefixes].map(([name, { hourStartMs, hourCount }]) => [name, [hourStartMs, hourCount]]),
    ),
    numbers: Object.fromEntries(
      world.numbers.entries().flatMap(([number, history]) => (history.calls.length === 0 ? [] : [[number, history]])),
    ),
    keys: Object.fromEntries(world.keys),
  }
}

// Paths with both values; empty when nothing differs.
export function differences(model: unknown, database: unknown, path = ''): readonly string[] {
  if (isDeepStrictEqual(model, database)) return []
  if (!isObject(model) || !isObject(database)) {
    return [`${path}: the model has ${JSON.stringify(model)}, the database ${JSON.stringify(database)}`]
  }
  return [...new Set([...Object.keys(model), ...Object.keys(database)])].flatMap((key) =>
    differences(model[key], database[key], path === '' ? key : `${path}.${key}`),
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

// An entry of nothing makes a zero of either sign.
function withoutMinusZero(totals: AccountTotals): AccountTotals {
  return Object.fromEntries(Object.entries(totals).map(([account, amount]) => [account, amount + 0])) as AccountTotals
}
