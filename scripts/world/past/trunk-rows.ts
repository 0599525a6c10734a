// What the switch-over between trunks has written: its decisions, what it knows, and the entries of the audit log.

import { formatDecimal, type MicroAmount } from '../../../server/src/domain/money/money.ts'
import type { Carried, PaymentIn, RouteMinute, SwitchedOver } from '../events.ts'
import { country } from '../switching.ts'
import type { Numbered, RowDeps } from './call-rows.ts'
import { type Row, timeOf } from './insert.ts'

export function switchOverRow(row: SwitchedOver): Row {
  return {
    country,
    provider: row.provider,
    from_trunk: row.from,
    to_trunk: row.to,
    phase: row.phase,
    since: timeOf(row.sinceMs),
    moved_at: row.movedMs === null ? null : timeOf(row.movedMs),
    from_dialled: row.fromCount.dialled,
    from_rang: row.fromCount.rang,
    to_dialled: row.toCount.dialled,
    to_rang: row.toCount.rang,
    usual: row.usual,
    recovered_since: row.recoveredSinceMs === null ? null : timeOf(row.recoveredSinceMs),
    hold_ms: row.holdMs,
    is_pinned: false,
    is_paused: false,
    ended_at: row.endedMs === null ? null : timeOf(row.endedMs),
    end_reason: row.reason,
  }
}

export function routeMinuteRow({ minuteMs, provider, trunk, dialled, rang }: RouteMinute): Row {
  return { minute: timeOf(minuteMs), country, provider, trunk, dialled, rang }
}

export function usualRow({ provider, trunk, dialled, rang, countedToMs }: Carried['usuals'][number]): Row {
  return { country, provider, trunk, dialled, rang, counted_to: timeOf(countedToMs) }
}

type Entry = { readonly atMs: number; readonly row: Row }

// Oldest first: later entries have higher IDs.
export function auditRows(
  deps: RowDeps,
  payments: readonly Numbered<PaymentIn>[],
  switchOvers: readonly SwitchedOver[],
): readonly Row[] {
  const entries = [...payments.map((payment) => paymentEntry(deps, payment)), ...switchOvers.flatMap(switchEntries)]
  return entries.toSorted((a, b) => a.atMs - b.atMs).map(({ row }) => row)
}

function paymentEntry(deps: RowDeps, { id, event }: Numbered<PaymentIn>): Entry {
  const { accountId } = deps.customers[event.customer]
  const details = {
    amount: formatDecimal(event.amount as MicroAmount),
    entry: id,
    reference: event.reference,
    reason: 'bank transfer',
  }
  const by = { address: '127.0.0.1', user_agent: 'ringproof', operator: 'accounting' }
  return entry(event.atMs, { account_id: accountId, action: 'account credited', details, ...by })
}

function switchEntries(one: SwitchedOver): readonly Entry[] {
  const { provider, from, to, movedMs, movedCounts, endedMs, reason } = one
  if (movedMs === null || movedCounts === null) return []
  const by = { account_id: null, address: '', user_agent: '', operator: 'automatic' }
  const between = { country, provider, from, to }
  const counts = { fromCount: movedCounts.from, toCount: movedCounts.to }
  const moved = entry(movedMs, { action: 'traffic moved', details: { ...between, ...counts }, ...by })
  if (endedMs === null) return [moved]
  return [moved, entry(endedMs, { action: 'traffic moved back', details: { ...between, reason }, ...by })]
}

function entry(atMs: number, row: Row): Entry {
  return { atMs, row: { ...row, created_at: timeOf(atMs) } }
}

export function referenceRow(deps: RowDeps, { id, event }: Numbered<PaymentIn>): Row {
  const { accountId } = deps.customers[event.customer]
  const { reference, amount } = event
  return { account_id: accountId, reference, entry_id: id, from_account: 'external', amount }
}
