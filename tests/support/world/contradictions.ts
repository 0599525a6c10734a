// What cannot be in a database that the product has written, each as a sentence with the SQL that finds it. The demo's past must have none
// of it: it was written in bulk, not by the product.

import type { Client } from 'pg'
import { auditLedger } from '../../../server/src/actions/money/ledger.ts'
import type { SlotMap } from '../../../server/src/db/core/slot-map.ts'
import { readNetworkCounts } from '../../../server/src/db/trunks/network-counts.ts'
import { readCounts } from '../../../server/src/db/verifications/call-counts.ts'
import type { AccountId } from '../../../server/src/domain/core/slot.ts'
import { dayMs, hourMs } from '../../../server/src/domain/values/time.ts'

const rules: Readonly<Record<string, string>> = {
  'the state does not fit the reason': `
    SELECT id FROM verifications WHERE (state = 'succeeded') <> (reason IN ('rang', 'rejected', 'spoken', 'called', 'lost-ringing'))`,
  'a call that was refused, or never rang, rang': `
    SELECT id FROM verifications WHERE reason IN ('refused', 'no-ringing', 'announcement', 'answered-unseen', 'silence')
      AND (rang_at IS NOT NULL OR ring_ms IS NOT NULL OR post_dial_ms IS NOT NULL) AND reason <> 'answered-unseen'`,
  'a phone rang for an unknown time': `
    SELECT id FROM verifications WHERE (rang_at IS NULL) <> (post_dial_ms IS NULL) OR (post_dial_ms IS NULL) <> (ring_ms IS NULL)`,
  'a call that rang for a second failed as one that did not': `
    SELECT id FROM verifications WHERE mode <> 'voice' AND ring_ms >= 1000 AND state = 'failed'`,
  'a refusal has no SIP status, or a status no refusal': `
    SELECT id FROM verifications WHERE reason = 'refused' AND sip_status IS NULL
      OR sip_status IS NOT NULL AND ended_by = 'us' OR sip_status BETWEEN 100 AND 299`,
  'times are out of order': `
    SELECT id FROM verifications WHERE NOT (accepted_at <= coalesce(dialled_at, accepted_at)
      AND coalesce(dialled_at, accepted_at) <= coalesce(rang_at, ended_at) AND coalesce(rang_at, accepted_at) <= ended_at)
      OR ended_at > end_until + interval '2 seconds'`,
  'the times of ringing do not add up': `
    SELECT id FROM verifications WHERE rang_at IS NOT NULL AND (
      abs(extract(epoch FROM rang_at - dialled_at) * 1000 - post_dial_ms) > 1000
      OR extract(epoch FROM ended_at - rang_at) * 1000 < ring_ms - 1000)`,
  'the ID is of another second than the accept': `
    SELECT id FROM verifications WHERE abs((id >> 23) + id_epoch() - extract(epoch FROM accepted_at)) > 10`,
  'a code that is not in the caller number': `
    SELECT id FROM verifications WHERE mode IN ('flash', 'mix') AND NOT is_test AND caller_number % 10000 <> code::integer`,
  'a caller number that its trunk does not have': `
    SELECT id FROM verifications AS call WHERE mode <> 'inbound' AND NOT is_test AND NOT EXISTS (
      SELECT FROM caller_ranges AS range WHERE range.trunk = call.trunk
        AND call.caller_number BETWEEN range.first_number AND range.last_number)`,
  'a price that is not in the tariff': `
    SELECT call.id FROM verifications AS call JOIN accounts AS account ON account.id = call.account_id
    WHERE NOT is_test AND first_id IS NULL AND NOT EXISTS (
      SELECT FROM tariff_prices AS sold WHERE sold.tariff = account.tariff AND sold.price = call.price
        AND sold.mode = CASE WHEN call.mode = 'inbound' THEN '' ELSE call.mode::text END AND sold.valid_from < accepted_at)`,
  'a hold that is missing, or of another amount': `
    SELECT call.id FROM verifications AS call LEFT JOIN ledger AS held ON held.id = call.id AND held.sequence = 1
    WHERE call.price > 0 AND (held.amount IS DISTINCT FROM call.price OR held.account_id <> call.account_id)`,
  'a hold that was closed otherwise than the call ended': `
    SELECT call.id FROM verifications AS call LEFT JOIN ledger AS closed ON closed.id = call.id AND closed.sequence = 2
    WHERE call.price > 0 AND call.ended_at IS NOT NULL AND (closed.amount IS DISTINCT FROM call.price
      OR (closed.to_account = 'revenue') <> (call.state = 'succeeded' OR call.charges_failed AND call.reason = ANY (charged_failures()))
      OR abs(extract(epoch FROM closed.created_at - call.ended_at)) > 5)`,
  'a balance before the call that its ledger does not give': `
    SELECT id FROM (
      SELECT moved.id, moved.sequence, moved.amount, sum(CASE WHEN moved.to_account = 'available' THEN moved.amount
          WHEN moved.from_account = 'available' THEN -moved.amount ELSE 0 END)
        OVER (PARTITION BY moved.account_id ORDER BY moved.created_at, moved.sequence DESC, moved.id) + moved.amount AS before
      FROM ledger AS moved WHERE moved.to_account <> 'revenue') AS run
    JOIN verifications AS call USING (id) WHERE run.sequence = 1 AND run.before <> call.balance_before
      AND call.accepted_at < $1`,
  'a payment without its reference or its log entry': `
    SELECT paid.id FROM ledger AS paid LEFT JOIN payment_references AS known ON known.entry_id = paid.id
    WHERE paid.from_account = 'external' AND (known.amount IS DISTINCT FROM paid.amount OR NOT EXISTS (
      SELECT FROM action_log AS entry WHERE entry.account_id = paid.account_id AND entry.action = 'account credited'
        AND (entry.details ->> 'entry')::bigint = paid.id AND abs(extract(epoch FROM entry.created_at - paid.created_at)) < 5))`,
  'the audit log is not in the order of time': `
    SELECT id FROM (SELECT id, created_at, lag(created_at) OVER (ORDER BY id) AS before FROM action_log) AS entry
    WHERE created_at < before - interval '10 minutes'`,
  'hours do not count the verifications': `
    SELECT coalesce(counted.hour, hours.hour) FROM (
      SELECT to_timestamp(((id >> 23) / 3600) * 3600 + id_epoch()) AS hour, account_id, mode, coalesce(phone_info ->> 'mnp', '') AS provider,
        coalesce(trunk, '') AS trunk, state, coalesce(reason, '') AS reason, count(*) AS calls, count(post_dial_ms) AS rang
      FROM verifications, call_count_marks
      WHERE NOT is_test AND to_timestamp((id >> 23) + id_epoch()) < folded_to GROUP BY 1, 2, 3, 4, 5, 6, 7) AS counted
    FULL JOIN (
      SELECT hour, account_id, mode, provider, trunk, state, reason, sum(calls) AS calls, sum(rang) AS rang
      FROM call_hours WHERE NOT is_test GROUP BY 1, 2, 3, 4, 5, 6, 7) AS hours
      USING (hour, account_id, mode, provider, trunk, state, reason)
    WHERE counted.calls IS DISTINCT FROM hours.calls OR counted.rang IS DISTINCT FROM hours.rang`,
  'the hours of the networks are not those of the accounts': `
    SELECT hour FROM (SELECT hour, mode, provider, trunk, sum(calls) AS calls, sum(rang) AS rang FROM call_hours
      WHERE NOT is_test GROUP BY 1, 2, 3, 4) AS own
    FULL JOIN (SELECT hour, mode, provider, trunk, sum(calls) AS calls, sum(rang) AS rang FROM network_hours
      GROUP BY 1, 2, 3, 4) AS all_over USING (hour, mode, provider, trunk)
    WHERE (own.calls, own.rang) IS DISTINCT FROM (all_over.calls, all_over.rang)`,
  'the cap of a service does not count its day': `
    SELECT usage.service_id FROM service_usage AS usage JOIN LATERAL (
      SELECT count(*) FILTER (WHERE accepted_at >= usage.day) AS calls,
        coalesce(sum(price) FILTER (WHERE accepted_at >= usage.day AND state = 'succeeded'), 0) AS spent
      FROM verifications WHERE service_id = usage.service_id AND NOT is_test) AS made ON true
    WHERE (usage.day_count, usage.day_spent) IS DISTINCT FROM (made.calls, made.spent)`,
  'the calls of a number are not those of the last day': `
    SELECT kept.hash FROM subscriber_numbers AS kept, unnest(kept.call_lease_id, kept.call_service, kept.call_at) AS call(id, service, at)
    LEFT JOIN verifications AS made ON made.id = call.id
    WHERE made.service_id IS DISTINCT FROM call.service OR made.accepted_at <> call.at
    UNION ALL
    SELECT NULL FROM verifications WHERE mode <> 'inbound' AND NOT is_test AND accepted_at > $1::timestamptz - interval '1 day'
    HAVING count(*) <> (SELECT count(*) FROM subscriber_numbers AS kept, unnest(kept.call_at) AS at
      WHERE at > $1::timestamptz - interval '1 day')`,
  'a number was called again too soon': `
    SELECT id FROM (SELECT id, accepted_at, lag(accepted_at) OVER same AS before FROM verifications
      WHERE mode <> 'inbound' AND NOT is_test WINDOW same AS (PARTITION BY account_id, phone_hash ORDER BY accepted_at)) AS call
    WHERE accepted_at - before < number_cooldown(1)`,
  'a webhook does not fit its verification': `
    SELECT id FROM webhooks FULL JOIN (SELECT id, service_id, ended_at AS called FROM verifications
      WHERE mode = 'inbound' AND state = 'succeeded' AND NOT is_test) AS call USING (id)
    WHERE webhooks.service_id IS DISTINCT FROM call.service_id OR abs(extract(epoch FROM called_at - called)) > 5`,
  'the attempts of a webhook do not fit its state': `
    SELECT hook.id FROM webhooks AS hook LEFT JOIN LATERAL (
      SELECT count(*) AS attempts, max(attempt) AS last, max(ended_at) AS ended, bool_or(status BETWEEN 200 AND 299) AS arrived
      FROM webhook_attempts AS attempt WHERE attempt.id = hook.id) AS made ON true
    WHERE NOT hook.is_test AND (made.attempts <> hook.attempts OR made.last IS DISTINCT FROM nullif(hook.attempts, 0)
      OR coalesce(made.arrived, false) <> (hook.state = 'delivered') OR made.ended > hook.ended_at + interval '5 seconds')`,
  'a failed call of the last days has no SIP messages': `
    SELECT id FROM verifications AS call WHERE state = 'failed' AND mode <> 'inbound' AND NOT is_test
      AND ended_at > $1::timestamptz - interval '70 hours' AND NOT EXISTS (
        SELECT FROM sip_messages AS said WHERE said.id = call.id AND said.attempt = call.attempt AND said.trunk = call.trunk)`,
  'SIP messages say something else than the call': `
    SELECT said.id FROM sip_messages AS said JOIN verifications AS call ON call.id = said.id AND call.attempt = said.attempt
    WHERE call.rang_at IS NOT NULL AND said.messages::text NOT LIKE '%SIP/2.0 180%'
      OR call.rang_at IS NULL AND call.reason = 'refused' AND said.messages::text LIKE '%SIP/2.0 180%'
      OR call.sip_status IS NOT NULL AND said.messages::text NOT LIKE '%SIP/2.0 ' || call.sip_status || ' %'`,
  'a number or a code is in clear in SIP messages or in the API log': `
    SELECT id::text FROM sip_messages WHERE messages::text ~ '\\m7907[0-9]{7}\\M'
    UNION ALL SELECT id::text FROM api_requests WHERE request::text ~ '\\m7907[0-9]{7}\\M' OR response::text ~ '\\m7907[0-9]{7}\\M'`,
  'a verification of the last week was not asked for in the API log': `
    SELECT call.id FROM verifications AS call WHERE NOT is_test AND accepted_at > $1::timestamptz - interval '6 days' AND NOT EXISTS (
      SELECT FROM api_requests AS asked WHERE asked.verification_id = call.id AND asked.code IS NULL
        AND asked.service_id = call.service_id AND asked.method IN ('initCall', 'inboundCallWaiting', 'initRepeat')
        AND asked.at BETWEEN call.accepted_at - interval '2 seconds' AND call.accepted_at + interval '2 seconds')`,
  'the API log shows a verification that there is not': `
    SELECT asked.id FROM api_requests AS asked LEFT JOIN verifications AS call ON call.id = asked.verification_id
    WHERE asked.verification_id IS NOT NULL AND call.service_id IS DISTINCT FROM asked.service_id`,
  'the API log is not counted right': `
    SELECT account_id FROM (SELECT account_id, method, coalesce(refusal, '') AS refusal, count(*) AS requests FROM api_requests GROUP BY 1, 2, 3) AS rows
    FULL JOIN (SELECT account_id, method, refusal, sum(requests) AS requests FROM api_request_counts GROUP BY 1, 2, 3) AS counts
      USING (account_id, method, refusal)
    WHERE rows.requests IS DISTINCT FROM counts.requests`,
  'fraud rules refused more or less than the API log says': `
    SELECT 1 FROM (SELECT sum(hits) AS hits FROM fraud_hits WHERE minute > $1::timestamptz - interval '6 days' AND rule = 'prefix-cap') AS hits,
      (SELECT count(*) AS refused FROM api_requests WHERE refusal = 'prefixCapReached'
         AND date_trunc('minute', at) > $1::timestamptz - interval '6 days') AS asked
    WHERE coalesce(hits.hits, 0) <> asked.refused`,
  'the hours of a fraud rule do not sum up its minutes': `
    SELECT hour FROM (SELECT date_trunc('hour', minute) AS hour, rule, sum(hits) AS hits FROM fraud_hits GROUP BY 1, 2) AS minutes
    JOIN fraud_rule_hours AS hours USING (hour, rule) WHERE hours.hits < minutes.hits
      OR hours.hits <> minutes.hits AND hour > $1::timestamptz - interval '6 days'`,
  'a switch-over that was not decided in order, or is not in the audit log': `
    SELECT id FROM switch_overs AS switched WHERE NOT (since <= coalesce(ended_at, since) AND from_rang <= from_dialled
      AND to_rang <= to_dialled) OR (phase = 'moved') <> (moved_at IS NOT NULL)
      OR moved_at IS NOT NULL AND NOT EXISTS (SELECT FROM action_log AS entry WHERE entry.action = 'traffic moved'
        AND entry.details ->> 'provider' = switched.provider AND abs(extract(epoch FROM entry.created_at - moved_at)) < 20)`,
  'something is later than now': `
    SELECT id::text FROM verifications WHERE greatest(accepted_at, ended_at) > clock_timestamp()
    UNION ALL SELECT id::text FROM ledger WHERE created_at > clock_timestamp()
    UNION ALL SELECT id::text FROM api_requests WHERE at > clock_timestamp()`,
}

export const ruleCount = Object.keys(rules).length

// One sentence for each rule that something breaks. What the rules of the last moments do not hold for, they leave out: untilMs is when
// the past ended.
export async function findContradictions(client: Client, untilMs: number): Promise<readonly string[]> {
  const until = new Date(untilMs).toISOString()
  const found: string[] = []
  for (const [sentence, sql] of Object.entries(rules)) {
    const { rows } = await client.query<Record<string, unknown>>(sql, sql.includes('$1') ? [until] : [])
    const [first] = rows
    if (first) found.push(`${sentence}: ${rows.length} rows, such as ${JSON.stringify(Object.values(first)[0])}`)
  }
  return found
}

// What the product's own reads say, beside plain sums.
export async function findReadFaults(slots: SlotMap, client: Client, untilMs: number): Promise<readonly string[]> {
  const [until, from] = [untilMs, untilMs - 13 * dayMs].map((ms) => new Date(Math.floor(ms / hourMs) * hourMs))
  if (!until || !from) return []
  const { sum, faults } = await auditLedger({ slots })
  const ledger = sum === 0 ? faults : [...faults, `the sum of the ledger is ${sum}`]
  const { rows } = await client.query<{ account: AccountId; calls: number; charged: number }>(
    `SELECT account_id AS account, count(*)::float8 AS calls, coalesce(sum(price) FILTER (WHERE state = 'succeeded'), 0)::float8 AS charged
     FROM verifications WHERE NOT is_test AND id >= (extract(epoch FROM $1::timestamptz)::bigint - id_epoch()) << 23
       AND id < (extract(epoch FROM $2::timestamptz)::bigint - id_epoch()) << 23 GROUP BY 1`,
    [from, until],
  )
  const counted: string[] = []
  for (const { account, calls, charged } of rows) {
    const filter = { accountId: account, from, until, isTest: false }
    const counts = await readCounts(slots.globalDatabase, filter, ['provider', 'state'], 'Europe/Moscow')
    const said = counts.reduce(
      (total, one) => ({ calls: total.calls + one.calls, charged: total.charged + one.charged }),
      {
        calls: 0,
        charged: 0,
      },
    )
    if (said.calls !== calls || said.charged !== charged)
      counted.push(`statistics of account ${account} are not its rows`)
  }
  const network = await readNetworkCounts(slots.globalDatabase, from, until)
  const all = rows.reduce((total, one) => total + one.calls, 0)
  const seen = network.reduce((total, one) => total + one.calls, 0)
  return [...ledger, ...counted, ...(all === seen ? [] : [`the networks have ${seen} calls, the accounts ${all}`])]
}
