// Faults in SQL functions that the comparison with the model must find.

import type { SlotMap } from '../../../server/src/db/core/slot-map.ts'
import { type Layout, oneDatabase, twoDatabases } from './world.ts'

export type SqlMutation = {
  readonly name: string
  readonly layout: Layout
  readonly function: string
  readonly from: RegExp
  readonly to: string
}

export const sqlMutations: readonly SqlMutation[] = [
  {
    name: 'the cooldown lasts one instant longer',
    layout: oneDatabase,
    function: 'evaluate_number_limits',
    from: /next_at > at\b/,
    to: 'next_at >= at',
  },
  {
    name: 'calls of other services count against the limit of a service',
    layout: oneDatabase,
    function: 'evaluate_number_limits',
    from: /CONTINUE WHEN number\.call_service\[i\] <> service;/,
    to: '',
  },
  {
    name: 'a cap on spending ignores the price of the call itself',
    layout: oneDatabase,
    function: 'evaluate_call_batch',
    from: /(day_spents\[\w+\]) \+ \w+\.price > /,
    to: '$1 > ',
  },
  {
    name: 'a call that rang may be claimed again',
    layout: oneDatabase,
    function: 'claim_calls',
    from: / AND call\.rang_at IS NULL/,
    to: '',
  },
  {
    name: 'a call may be claimed at its start deadline',
    layout: oneDatabase,
    function: 'claim_calls',
    from: /clock_timestamp\(\) < call\.start_until/,
    to: 'clock_timestamp() <= call.start_until',
  },
  {
    name: 'a captured hold is also released',
    layout: oneDatabase,
    function: 'end_calls',
    from: /balance = account\.balance \+ total\.released/,
    to: 'balance = account.balance + total.closed',
  },
  {
    name: 'what was spent yesterday is given back today',
    layout: oneDatabase,
    function: 'end_calls',
    from: />= service_usage\.day\b/,
    to: "> '-infinity'",
  },
  {
    name: 'a pinned verification is undone',
    layout: oneDatabase,
    function: 'undo_calls',
    from: /NOT \(call\.pinned AND listed\.call_end ->> 'number_lease_id' IS NOT NULL\)/,
    to: 'true',
  },
  {
    name: 'an undone call stays in the cap of the day',
    layout: oneDatabase,
    function: 'undo_calls',
    from: /day_count = greatest\(0, usage\.day_count - total\.of_day\)/,
    to: 'day_count = usage.day_count',
  },
  {
    name: 'a voice call that rang and was lost is charged',
    layout: oneDatabase,
    function: 'end_overdue',
    from: / AND locked\.mode <> 'voice'/,
    to: '',
  },
  {
    name: 'a late end releases the lease of the next call',
    layout: twoDatabases,
    function: 'close_numbers',
    from: / AND number\.lease_id = listed\.lease_id/,
    to: '',
  },
  {
    name: 'a reservation that is given back still counts',
    layout: twoDatabases,
    function: 'close_numbers',
    from: /CONTINUE WHEN NOT close\.gives_back/,
    to: 'CONTINUE',
  },
  {
    name: 'a reservation lapses before the call that it is for',
    layout: twoDatabases,
    function: 'reserve_numbers',
    from: / \+ reservation_time\(\)/,
    to: '',
  },
  {
    name: 'a shared reservation ends with its first request',
    layout: twoDatabases,
    function: 'reserve_numbers',
    from: /lease_until = until, call_at/,
    to: 'call_at',
  },
]

export async function applyMutation(slots: SlotMap, mutation: SqlMutation): Promise<void> {
  for (const database of slots.databases) {
    const { rows } = await database.query<{ definition: string }>(
      `SELECT pg_get_functiondef(oid) AS definition FROM pg_proc
       WHERE pronamespace = 'public'::regnamespace AND proname = $1`,
      [mutation.function],
    )
    await database.query(mutated(rows[0]?.definition ?? '', mutation))
  }
}

// The definition of the function with the fault. It must have one place for it.
export function mutated(definition: string, { function: name, from, to }: SqlMutation): string {
  const places = definition.match(new RegExp(from, 'g'))?.length ?? 0
  if (places !== 1) throw new Error(`${name} has ${places} places to mutate, not one: ${from}`)
  return definition.replace(from, to)
}
