// What limits and fraud rules have noted: the calls of each number in the last days, and refusals by rule.

import { nonceBytes, seal } from '../../../server/src/domain/crypto/sealing.ts'
import { numberPrefix, prefixText } from '../../../server/src/domain/numbers/number-prefix.ts'
import { numberRefOf, ofActiveKey } from '../../../server/src/domain/numbers/phone-number.ts'
import { fraudRuleOf } from '../../../server/src/domain/protection/fraud-limits.ts'
import { dayMs, hourMs, minuteMs } from '../../../server/src/domain/values/time.ts'
import type { Call, Refused } from '../events.ts'
import type { Numbered, RowDeps } from './call-rows.ts'
import { type Row, timeOf } from './insert.ts'

// Calls that are a day older than the last one are forgotten with it.
export function numberRows(deps: RowDeps, calls: readonly Numbered<Call>[]): readonly Row[] {
  const keys = { phoneSubscriber: deps.keys.subscriber, phoneSlot: deps.keys.slot }
  return [...Map.groupBy(calls, ({ event }) => event.phone)].map(([phone, all]) => {
    const newestMs = all.at(-1)?.event.atMs ?? 0
    const own = all.filter(({ event }) => newestMs - event.atMs < dayMs)
    const { hashes, slot } = numberRefOf(keys, phone)
    return {
      hash: ofActiveKey(hashes),
      slot,
      call_at: own.map(({ event }) => timeOf(event.atMs)),
      call_service: own.map(({ event }) => deps.customers[event.customer].serviceId),
      call_lease_id: own.map(({ id }) => id),
      touched_at: timeOf(newestMs),
    }
  })
}

// A number that was called before this part of the past: its calls are joined.
export const joinNumbers = `ON CONFLICT (hash) DO UPDATE SET
  (call_at, call_service, call_lease_id) = (
    SELECT array_agg(call.at ORDER BY call.at), array_agg(call.service ORDER BY call.at), array_agg(call.lease ORDER BY call.at)
    FROM unnest(known.call_at || excluded.call_at, known.call_service || excluded.call_service,
      known.call_lease_id || excluded.call_lease_id) AS call(at, service, lease)
    WHERE call.at > excluded.touched_at - interval '1 day'),
  touched_at = excluded.touched_at`

type Hit = { readonly rule: string; readonly refused: Refused }

export function hitsOf(refused: readonly Refused[]): readonly Hit[] {
  return refused.flatMap((one) => {
    const rule = fraudRuleOf(one.name)
    return rule === undefined ? [] : [{ rule, refused: one }]
  })
}

export function hitRows(deps: RowDeps, hits: readonly Hit[]): readonly Row[] {
  const groups = Map.groupBy(hits, ({ rule, refused: { atMs, customer, phone } }) =>
    [Math.floor(atMs / minuteMs), rule, customer, prefixText(phone)].join(' '),
  )
  return [...groups.values()].flatMap((own) => {
    const [first] = own
    if (!first) return []
    const { phone, atMs, customer } = first.refused
    const { serviceId } = deps.customers[customer]
    const { records, slot } = deps.keys
    return [
      {
        minute: timeOf(Math.floor(atMs / minuteMs) * minuteMs),
        rule: first.rule,
        service_id: serviceId,
        prefix: numberPrefix(slot, phone),
        prefix_sealed: seal(records, 'fraud-prefix', serviceId, prefixText(phone), deps.randomBytes(nonceBytes)),
        hits: own.length,
      },
    ]
  })
}

export function ruleHourRows(hits: readonly Hit[]): readonly Row[] {
  const groups = Map.groupBy(hits, ({ rule, refused }) => `${Math.floor(refused.atMs / hourMs)} ${rule}`)
  return [...groups.values()].map((own) => ({
    hour: timeOf(Math.floor((own[0]?.refused.atMs ?? 0) / hourMs) * hourMs),
    rule: own[0]?.rule,
    hits: own.length,
    last_at: timeOf(own.at(-1)?.refused.atMs ?? 0),
  }))
}
