// Writes a history into a database, oldest first: everything that the product would have written, as far as it is still kept. Counts,
// hours and caps follow from the rows by the product's own SQL functions.

import type { Client } from 'pg'
import { firstIdOfSecond, idEpochSeconds, slotOfAccount } from '../../../server/src/domain/core/slot.ts'
import { secondsOf } from '../../../server/src/domain/values/period.ts'
import { retention } from '../../../server/src/domain/values/retention.ts'
import { daySeconds, hourMs } from '../../../server/src/domain/values/time.ts'
import { customerNames } from '../cast.ts'
import type { Carried, History } from '../events.ts'
import type { Draw } from '../random.ts'
import {
  attemptRows,
  callRow,
  holdRows,
  keyRow,
  type Numbered,
  paymentRow,
  type RowDeps,
  waitingRow,
  webhookRows,
} from './call-rows.ts'
import { createIds } from './ids.ts'
import { insertRows, timeOf } from './insert.ts'
import { hitRows, hitsOf, joinNumbers, numberRows, ruleHourRows } from './protection-rows.ts'
import { countRows, infoRequest, refusedRequest, requestRow, startRequest } from './request-rows.ts'
import { sipRows } from './sip-rows.ts'
import { auditRows, referenceRow, routeMinuteRow, switchOverRow, usualRow } from './trunk-rows.ts'

type PastDeps = RowDeps & { readonly client: Client; readonly draw: Draw }

type Stretch = { readonly fromMs: number; readonly untilMs: number; readonly nowMs: number }

// In one transaction: a past that was interrupted is made again.
export async function writePast(deps: PastDeps, history: History, stretch: Stretch): Promise<void> {
  const { client } = deps
  await client.query('BEGIN')
  await client.query('SET LOCAL synchronous_commit = off')
  const { calls, waitings, payments } = numbered(deps, history)
  await makePartitions(client, stretch)
  await writeVerifications(deps, calls, waitings)
  await insertRows(
    client,
    'ledger',
    payments.map((payment) => paymentRow(deps, payment)),
  )
  await insertRows(
    client,
    'payment_references',
    payments.map((payment) => referenceRow(deps, payment)),
  )
  await insertRows(client, 'action_log', auditRows(deps, payments, history.switchOvers))
  await writeRequests(deps, history, { calls, waitings }, stretch)
  await writeSip(deps, calls, stretch)
  await writeProtection(deps, history, calls, stretch)
  await writeTrunks(deps, history, stretch)
  await writeSums(deps, history.carried, stretch)
  await client.query('COMMIT')
}

type NumberedHistory = ReturnType<typeof numbered>

// IDs in the order in which the product would have given them out.
function numbered(deps: PastDeps, { calls, waitings, payments }: History) {
  const idFor = createIds()
  const events = [
    ...calls.map((event) => ({ kind: 'call' as const, event })),
    ...waitings.map((event) => ({ kind: 'waiting' as const, event })),
    ...payments.map((event) => ({ kind: 'payment' as const, event })),
  ].toSorted((a, b) => a.event.atMs - b.event.atMs)
  const ids = new Map<object, Numbered<never>['id']>()
  for (const { event } of events) {
    ids.set(event, idFor(event.atMs, slotOfAccount(deps.customers[event.customer].accountId)))
  }
  const withIds = <Event extends object>(all: readonly Event[]): readonly Numbered<Event>[] =>
    all.map((event) => ({ id: ids.get(event) as Numbered<Event>['id'], event }))
  return { calls: withIds(calls), waitings: withIds(waitings), payments: withIds(payments) }
}

async function makePartitions(client: Client, { fromMs, untilMs, nowMs }: Stretch): Promise<void> {
  const [firstDay, lastDay] = [fromMs, untilMs].map((ms) => Math.floor((ms / 1_000 - idEpochSeconds) / daySeconds))
  await client.query(
    `SELECT make_partition('verifications', 1, day, 'WITH (fillfactor = 60)'), make_partition('ledger', 1, day, ''),
       make_partition('ladders', 1, day, ''), make_partition('idempotency_keys', 8, day, '') FROM generate_series($1::integer, $2::integer) AS day`,
    [firstDay, lastDay],
  )
  const firstMs = Math.max(fromMs, nowMs - keptMs('apiRequests')) - hourMs
  for (let startMs = Math.floor(firstMs / hourMs) * hourMs; startMs <= untilMs; startMs += hourMs) {
    const name = `api_requests_${timeOf(startMs).replaceAll(/\D/g, '').slice(0, 10)}`
    const { rows } = await client.query<{ known: string | null }>('SELECT to_regclass($1) AS known', [name])
    if (rows[0]?.known) continue
    await client.query(`CREATE TABLE ${name} PARTITION OF api_requests
      FOR VALUES FROM ('${timeOf(startMs)}') TO ('${timeOf(startMs + hourMs)}')`)
  }
}

async function writeVerifications(
  deps: PastDeps,
  calls: NumberedHistory['calls'],
  waitings: NumberedHistory['waitings'],
): Promise<void> {
  const { client } = deps
  const verifications = [...calls.map((call) => callRow(deps, call)), ...waitings.map((one) => waitingRow(deps, one))]
  await insertRows(client, 'verifications', byId(verifications))
  await insertRows(client, 'ledger', byId([...calls, ...waitings].flatMap((one) => holdRows(deps, one))))
  await insertRows(
    client,
    'idempotency_keys',
    calls.flatMap((call) => keyRow(deps, call)),
  )
  await insertRows(
    client,
    'webhooks',
    waitings.flatMap((one) => webhookRows(deps, one)),
  )
  await insertRows(client, 'webhook_attempts', waitings.flatMap(attemptRows))
  const called = waitings.filter(({ event }) => event.isSucceeded)
  for (const [trunk, own] of Map.groupBy(called, ({ event }) => event.trunk)) {
    const counts = JSON.stringify([{ trunk, confirmed: own.length, unconfirmed: 0 }])
    await client.query('SELECT count_return_paths($1, 100)', [counts])
  }
}

function byId<Row extends Readonly<Record<string, unknown>>>(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((a, b) => Number(a['id']) - Number(b['id']))
}

async function writeRequests(
  deps: PastDeps,
  { refused }: History,
  { calls, waitings }: Pick<NumberedHistory, 'calls' | 'waitings'>,
  { nowMs }: Stretch,
): Promise<void> {
  const { client, draw } = deps
  const all = [
    ...[...calls, ...waitings].map((one) => startRequest(deps, draw, one)),
    ...calls.flatMap((call) => infoRequest(deps, draw, call)),
    ...refused.map((one) => refusedRequest(deps, draw, one)),
  ]
  const kept = all.filter(({ atMs }) => atMs >= nowMs - keptMs('apiRequests')).toSorted((a, b) => a.atMs - b.atMs)
  await insertRows(client, 'api_requests', kept.map(requestRow))
  await insertRows(
    client,
    'api_request_counts',
    countRows(kept),
    `ON CONFLICT (account_id, since, service_id, is_test, method, refusal, subject, ms_max)
     DO UPDATE SET requests = known.requests + excluded.requests, last_at = greatest(known.last_at, excluded.last_at)`,
  )
}

async function writeSip(deps: PastDeps, calls: NumberedHistory['calls'], { nowMs }: Stretch): Promise<void> {
  const kept = calls.filter(({ event }) => event.endedMs >= nowMs - keptMs('sipMessages'))
  await insertRows(deps.client, 'sip_messages', kept.flatMap(sipRows))
}

async function writeProtection(
  deps: PastDeps,
  { refused }: History,
  calls: NumberedHistory['calls'],
  { nowMs }: Stretch,
): Promise<void> {
  const { client } = deps
  const recent = calls.filter(({ event }) => event.atMs >= nowMs - keptMs('numbers'))
  await insertRows(client, 'subscriber_numbers', numberRows(deps, recent), joinNumbers)
  const hits = hitsOf(refused)
  const since = (name: 'fraudHits' | 'fraudRuleHours') => hits.filter((hit) => hit.refused.atMs >= nowMs - keptMs(name))
  await insertRows(client, 'fraud_hits', hitRows(deps, since('fraudHits')))
  await insertRows(
    client,
    'fraud_rule_hours',
    ruleHourRows(since('fraudRuleHours')),
    `ON CONFLICT (hour, rule) DO UPDATE SET hits = known.hits + excluded.hits,
       last_at = greatest(known.last_at, excluded.last_at)`,
  )
}

async function writeTrunks(deps: PastDeps, { switchOvers, routeMinutes, carried }: History, { nowMs }: Stretch) {
  const { client } = deps
  await insertRows(client, 'switch_overs', switchOvers.map(switchOverRow))
  const kept = routeMinutes.filter(({ minuteMs }) => minuteMs >= nowMs - keptMs('routeMinutes'))
  await insertRows(client, 'route_minutes', kept.map(routeMinuteRow), 'ON CONFLICT DO NOTHING')
  await client.query('DELETE FROM route_usuals')
  await insertRows(client, 'route_usuals', carried.usuals.map(usualRow))
}

// What is summed up from rows, and how far that is done.
async function writeSums(deps: PastDeps, { balances }: Carried, { fromMs, untilMs }: Stretch): Promise<void> {
  const { client } = deps
  const [fromId, endId] = [fromMs, untilMs].map((ms) => firstIdOfSecond(Math.floor(ms / 1_000)))
  for (const name of customerNames) {
    const { accountId, serviceId } = deps.customers[name]
    await client.query(
      `UPDATE accounts SET balance = $2, active_at = coalesce(
         (SELECT max(created_at) FROM action_log WHERE account_id = $1), active_at) WHERE id = $1`,
      [accountId, balances[name]],
    )
    await client.query(
      `UPDATE api_keys SET last_used_at = used.at FROM (SELECT max(at) AS at FROM api_requests WHERE service_id = $1) AS used
       WHERE service_id = $1 AND used.at IS NOT NULL`,
      [serviceId],
    )
  }
  await client.query('INSERT INTO call_minutes SELECT * FROM count_range($1, $2, NULL)', [fromId, endId])
  await client.query('UPDATE call_count_marks SET counted_to = $1', [endId])
  await client.query('SELECT fold_hours($1)', [timeOf(untilMs)])
  await client.query('UPDATE sweep_marks SET from_id = $1', [endId])
  await client.query('UPDATE switch_over_control SET usual_to = $1', [timeOf(untilMs - 300_000)])
  await client.query('UPDATE clock_mark SET second = floor(extract(epoch FROM clock_timestamp()))::bigint - id_epoch()')
  await writeUsage(client, timeOf(untilMs - 1))
  await client.query('ANALYZE')
}

// The caps of services and ranges count the clock hour and the UTC day in which the past ends.
async function writeUsage(client: Client, last: string): Promise<void> {
  await client.query(
    `INSERT INTO service_usage (service_id, hour, hour_count, day, day_count, day_spent, last_request_at)
     SELECT service_id, date_trunc('hour', max(accepted_at)), count(*) FILTER (WHERE accepted_at >= newest.hour),
       date_trunc('day', max(accepted_at), 'UTC'), count(*) FILTER (WHERE accepted_at >= newest.day),
       coalesce(sum(price) FILTER (WHERE accepted_at >= newest.day AND state = 'succeeded'), 0), max(accepted_at)
     FROM verifications JOIN (
       SELECT service_id, date_trunc('hour', max(accepted_at)) AS hour, date_trunc('day', max(accepted_at), 'UTC') AS day
       FROM verifications GROUP BY service_id) AS newest USING (service_id)
     WHERE NOT is_test GROUP BY service_id
     ON CONFLICT (service_id) DO UPDATE SET (hour, hour_count, day, day_count, day_spent, last_request_at) =
       (excluded.hour, excluded.hour_count, excluded.day, excluded.day_count, excluded.day_spent, excluded.last_request_at)`,
  )
  await client.query('DELETE FROM prefix_usage')
  await client.query(
    `INSERT INTO prefix_usage (service_id, prefix, hour, hour_count)
     SELECT service_id, prefix, date_trunc('hour', $1::timestamptz), count(*) FROM verifications
     WHERE prefix IS NOT NULL AND accepted_at >= date_trunc('hour', $1::timestamptz) GROUP BY service_id, prefix`,
    [last],
  )
}

function keptMs(name: 'apiRequests' | 'sipMessages' | 'numbers' | 'fraudHits' | 'fraudRuleHours' | 'routeMinutes') {
  return secondsOf(retention[name].kept) * 1_000
}
