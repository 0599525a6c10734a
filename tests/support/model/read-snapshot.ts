// The snapshot of a world from the rows of its databases.

import type { ServiceId } from '../../../server/src/domain/core/slot.ts'
import type { AccountTotals } from '../../../server/src/domain/money/ledger.ts'
import { emptyTotals } from '../../../server/src/domain/money/ledger.ts'
import type { DatabaseWorld } from './database-world.ts'
import type { Lease, NumberHistory } from './number-limits.ts'
import type { CallSnapshot, Snapshot } from './snapshot.ts'
import { firstCallId } from './world.ts'

// Each is null when there is no row.
type Row = {
  readonly calls: Omit<CallSnapshot, 'entries'>
  readonly accounts: { readonly id: number; readonly balance: number; readonly held: number }
  readonly entries: Entry
  readonly usages: readonly number[]
  readonly prefixes: readonly number[]
  readonly numbers: NumberRow
  readonly keys: { readonly digest: string; readonly id: number }
}
type Rows = { readonly [K in keyof Row]: readonly Row[K][] | null }
type Entry = {
  readonly id: number
  readonly account_id: number
  readonly from_account: keyof AccountTotals
  readonly to_account: keyof AccountTotals
  readonly amount: number
}
type NumberRow = {
  readonly hash: string
  readonly lease_id: number | null
  readonly lease_until: number
  readonly lease_digest: string | null
  readonly call_at: readonly number[]
  readonly call_service: readonly number[]
  readonly call_lease_id: readonly number[]
}

const milliseconds = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint`

const query = {
  name: 'model-snapshot',
  text: `SELECT
    (SELECT json_agg(json_build_object('id', id, 'state', state, 'attempt', attempt, 'rang', rang_at IS NOT NULL,
        'pinned', pinned, 'isTest', is_test, 'price', price, 'balanceBefore', balance_before,
        'acceptedAtMs', ${milliseconds('accepted_at')}, 'startUntilMs', ${milliseconds('start_until')},
        'endUntilMs', ${milliseconds('end_until')}, 'reason', reason) ORDER BY id)
     FROM verifications WHERE id >= $1 AND account_id = ANY ($2)) AS calls,
    (SELECT json_agg(json_build_object('id', id, 'balance', balance, 'held', held)) FROM accounts
     WHERE id = ANY ($2)) AS accounts,
    (SELECT json_agg(json_build_object('id', id, 'account_id', account_id, 'from_account', from_account,
        'to_account', to_account, 'amount', amount) ORDER BY id, sequence)
     FROM ledger WHERE id >= $1 AND account_id = ANY ($2)) AS entries,
    (SELECT json_agg(json_build_array(service_id, ${milliseconds('hour')}, hour_count, ${milliseconds('day')}, day_count,
        day_spent)) FROM service_usage WHERE service_id = ANY ($3)) AS usages,
    (SELECT json_agg(json_build_array(service_id, prefix, ${milliseconds('hour')}, hour_count)) FROM prefix_usage
     WHERE service_id = ANY ($3)) AS prefixes,
    (SELECT json_agg(json_build_object('hash', encode(hash, 'hex'), 'lease_id', lease_id,
        'lease_until', ${milliseconds('lease_until')},
        'lease_digest', encode(lease_digest, 'hex'),
        'call_at', ARRAY(SELECT ${milliseconds('c.at')} FROM unnest(call_at) WITH ORDINALITY AS c(at, o) ORDER BY o),
        'call_service', call_service, 'call_lease_id', call_lease_id))
     FROM subscriber_numbers WHERE hash = ANY ($4)) AS numbers,
    (SELECT json_agg(json_build_object('digest', encode(digest, 'hex'), 'id', id)) FROM idempotency_keys
     WHERE service_id = ANY ($3)) AS keys`,
}

export async function readSnapshot(world: DatabaseWorld, fromCall: number): Promise<Snapshot> {
  const { serviceIds } = world
  const wanted = world.orders.slice(fromCall)
  const firstId = fromCall === 0 ? world.firstId : Math.min(...wanted.map(({ id }) => id))
  const accountIds = world.accounts.map(({ id }) => id)
  const values = [firstId, accountIds, serviceIds, world.numbers.map(({ hash }) => hash)]
  const results = await Promise.all(world.slots.databases.map((database) => database.query<Rows>({ ...query, values })))
  const all = <K extends keyof Row>(key: K): readonly Row[K][] =>
    results.flatMap(({ rows }): readonly Row[K][] => rows[0]?.[key] ?? [])
  const entries = all('entries')
  const callIdOf = (id: number) => world.calls.get(id) ?? id
  return {
    calls: all('calls')
      .map((call) => ({
        ...call,
        id: callIdOf(call.id),
        entries: entries
          .filter(({ id }) => id === call.id)
          .map(({ from_account, to_account, amount }) => `${from_account} ${to_account} ${amount}`),
      }))
      // Two databases count IDs on their own.
      .filter(({ id }) => id >= firstCallId + fromCall)
      .toSorted((a, b) => a.id - b.id),
    accounts: accountIds.map((accountId) => {
      const row = all('accounts').find(({ id }) => id === accountId)
      const own = entries.filter(({ account_id }) => account_id === accountId)
      return { balance: row?.balance ?? 0, held: row?.held ?? 0, entries: fromCall === 0 ? totalsOf(own) : undefined }
    }),
    usages: Object.fromEntries(all('usages').map(([id = 0, ...used]) => [positionOf(serviceIds, id) + 1, used])),
    prefixes: Object.fromEntries(
      all('prefixes').map(([id = 0, prefix, ...used]) => [`${positionOf(serviceIds, id) + 1} ${prefix}`, used]),
    ),
    numbers: Object.fromEntries(all('numbers').map((row) => numberOf(row, world, callIdOf))),
    keys: Object.fromEntries(all('keys').map(({ digest, id }) => [world.keys.get(digest) ?? digest, callIdOf(id)])),
  }
}

function numberOf(row: NumberRow, world: DatabaseWorld, callIdOf: (id: number) => number): [number, NumberHistory] {
  const { lease_id: id, lease_until: untilMs, lease_digest: digest } = row
  const key = digest === null ? undefined : (world.keys.get(digest) ?? digest)
  const lease: Lease | undefined = id === null ? undefined : { untilMs, key, id: callIdOf(id) }
  const calls = row.call_at.map((atMs, at) => ({
    leaseId: callIdOf(row.call_lease_id[at] ?? 0),
    serviceId: (positionOf(world.serviceIds, row.call_service[at]) + 1) as ServiceId,
    atMs,
  }))
  return [world.numbers.findIndex(({ hash }) => hash.toString('hex') === row.hash), { calls, lease }]
}

function totalsOf(entries: readonly Entry[]): AccountTotals {
  const totals: Record<string, number> = { ...emptyTotals }
  for (const { from_account, to_account, amount } of entries) {
    totals[from_account] = (totals[from_account] ?? 0) - amount
    totals[to_account] = (totals[to_account] ?? 0) + amount
  }
  return totals as AccountTotals
}

function positionOf(ids: readonly number[], id: number | undefined): number {
  return ids.findIndex((one) => one === id)
}
