// Records refusals by fraud rules. A refusal only increments a counter in memory; every 5 seconds the counters are written,
// one statement per database. Memory and rows per minute are bounded: prefixes above the bound are counted together.
// Counts that cannot be written are dropped with a warning; the metric has counted them.

import { type ServiceId, slotOfService } from '../../domain/core/slot.ts'
import type { NumberPrefix } from '../../domain/numbers/number-prefix.ts'
import type { FraudRule } from '../../domain/protection/fraud-limits.ts'
import { minuteMs } from '../../domain/values/time.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { Database, Session } from '../core/database.ts'
import type { SlotMap } from '../core/slot-map.ts'

type FraudHit = { readonly rule: FraudRule; readonly serviceId: ServiceId; readonly prefix: NumberPrefix }

type FraudHits = {
  // Calls sealPrefix only for a new row.
  readonly note: (hit: FraudHit, sealPrefix: () => Buffer) => void
  // Writes the counts so far.
  readonly close: () => Promise<void>
}

type Counted = FraudHit & { readonly sealed: Buffer | undefined; hits: number }

const writeMs = 5_000
// New rows per minute and process.
const prefixesMax = 100
const rowsMax = 1_000
const otherPrefixes = 0 as NumberPrefix

export function createFraudHits(slots: SlotMap, clock: Clock, log: Logger): FraudHits {
  let counted = new Map<string, Counted>()
  // Hits with a separate row in this minute.
  const admitted = new Set<string>()
  const writeAll = async () => {
    const rows = [...counted.values()]
    counted = new Map()
    const byDatabase = Map.groupBy(rows, ({ serviceId }) => slots.databaseOf(slotOfService(serviceId)))
    const writes = [...byDatabase].map(([database, itsRows]) => write(database, itsRows))
    for (const result of await Promise.allSettled(writes)) {
      if (result.status === 'rejected') log.warn({ err: result.reason }, 'fraud hit write failed')
    }
  }
  const timers = [clock.every(writeMs, () => void writeAll()), clock.every(minuteMs, () => admitted.clear())]
  return {
    note: (hit, sealPrefix) => {
      const isOther = admitted.size >= prefixesMax && !admitted.has(keyOf(hit))
      if (!isOther) admitted.add(keyOf(hit))
      const row = isOther ? { ...hit, prefix: otherPrefixes } : hit
      const known = counted.get(keyOf(row))
      if (known) known.hits += 1
      else if (counted.size < rowsMax) {
        counted.set(keyOf(row), { ...row, sealed: isOther ? undefined : sealPrefix(), hits: 1 })
      }
    },
    close: async () => {
      for (const timer of timers) timer.stop()
      await writeAll()
    },
  }
}

function keyOf({ rule, serviceId, prefix }: FraudHit): string {
  return `${rule} ${serviceId} ${prefix}`
}

async function write(database: Database, rows: readonly Counted[]): Promise<void> {
  await database.query(
    `WITH written AS (SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::bytea[], $5::bigint[])
       AS w(rule, service_id, prefix, prefix_sealed, hits)
     ), counted AS (
       INSERT INTO fraud_rule_hours AS h (hour, rule, hits, last_at)
       SELECT date_trunc('hour', statement_timestamp()), rule, sum(hits), statement_timestamp() FROM written
       GROUP BY rule ORDER BY rule
       ON CONFLICT (hour, rule) DO UPDATE SET hits = h.hits + excluded.hits, last_at = excluded.last_at
     )
     INSERT INTO fraud_hits AS h (minute, rule, service_id, prefix, prefix_sealed, hits)
     SELECT date_trunc('minute', statement_timestamp()), written.* FROM written
     ORDER BY 2, 3, 4
     ON CONFLICT (minute, rule, service_id, prefix) DO UPDATE SET hits = h.hits + excluded.hits`,
    [
      rows.map(({ rule }) => rule),
      rows.map(({ serviceId }) => serviceId),
      rows.map(({ prefix }) => prefix),
      rows.map(({ sealed }) => sealed ?? null),
      rows.map(({ hits }) => hits),
    ],
  )
}

export type RuleHits = {
  readonly rule: FraudRule
  readonly hitsDay: number
  readonly hitsWeek: number
  readonly lastAt: Date
}

// Of the last week, by rule. The first hour of a period counts as a whole.
export async function readRuleHits(session: Session): Promise<readonly RuleHits[]> {
  const { rows } = await session.query<RuleHits>(
    `SELECT rule, coalesce(sum(hits) FILTER (WHERE hour > clock_timestamp() - interval '1 day'), 0)::float8 AS "hitsDay",
       sum(hits)::float8 AS "hitsWeek", max(last_at) AS "lastAt"
     FROM fraud_rule_hours WHERE hour > clock_timestamp() - interval '7 days' GROUP BY rule`,
  )
  return rows
}

// Newest hits that are searched for one of a prefix.
const searchedMax = 10_000

type HitPrefix = { readonly prefix: NumberPrefix; readonly serviceId: ServiceId; readonly sealed: Buffer }

export async function readHitPrefixes(session: Session, prefixes: readonly number[]): Promise<readonly HitPrefix[]> {
  const { rows } = await session.query<HitPrefix>(
    `SELECT DISTINCT ON (prefix) prefix::float8 AS prefix, service_id AS "serviceId", prefix_sealed AS sealed
     FROM (SELECT * FROM fraud_hits ORDER BY minute DESC LIMIT ${searchedMax}) AS newest
     WHERE prefix = ANY ($1) AND prefix_sealed IS NOT NULL ORDER BY prefix, minute DESC`,
    [prefixes],
  )
  return rows
}

type CappedPrefix = {
  readonly serviceId: ServiceId
  readonly prefix: NumberPrefix
  readonly since: Date
  readonly until: Date
  // The cap of the service itself.
  readonly ownMax: number | null
}

// Ranges that a service may not call until the clock hour is over, because a call was refused in it; newest first.
export async function readCappedPrefixes(session: Session, limit: number): Promise<readonly CappedPrefix[]> {
  const { rows } = await session.query<CappedPrefix>(
    `SELECT hit.service_id AS "serviceId", hit.prefix::float8 AS prefix, min(hit.minute) AS since,
       date_trunc('hour', clock_timestamp()) + interval '1 hour' AS until, service.prefix_hour_max AS "ownMax"
     FROM (SELECT * FROM fraud_hits WHERE minute >= date_trunc('hour', clock_timestamp())
           ORDER BY minute DESC LIMIT ${searchedMax}) AS hit
     JOIN services AS service ON service.id = hit.service_id
     WHERE hit.rule = 'prefix-cap' AND hit.prefix <> 0
     GROUP BY hit.service_id, hit.prefix, service.prefix_hour_max ORDER BY since DESC LIMIT $1`,
    [limit],
  )
  return rows
}

export type FraudHitFilter = {
  readonly sinceSeconds: number
  readonly rule: FraudRule | undefined
  readonly serviceId: ServiceId | undefined
}

export type StoredFraudHit = {
  readonly minute: Date
  readonly rule: FraudRule
  readonly serviceId: ServiceId
  readonly prefixSealed: Buffer | null
  readonly hits: number
}

// Newest first.
export async function readFraudHits(
  session: Session,
  { sinceSeconds, rule, serviceId }: FraudHitFilter,
  rowsRead: number,
): Promise<readonly StoredFraudHit[]> {
  const { rows } = await session.query<StoredFraudHit>(
    `SELECT minute, rule, service_id AS "serviceId", prefix_sealed AS "prefixSealed", hits FROM fraud_hits
     WHERE minute >= date_trunc('minute', clock_timestamp() - make_interval(secs => $1))
       AND ($2::text IS NULL OR rule = $2) AND ($3::integer IS NULL OR service_id = $3)
     ORDER BY minute DESC, hits DESC LIMIT $4`,
    [sinceSeconds, rule ?? null, serviceId ?? null, rowsRead],
  )
  return rows
}

// Deletes up to limit rows that are kept no longer; returns how many.
export async function forgetFraudHits(session: Session, limit: number): Promise<number> {
  const { rows } = await session.query<{ forgotten: number }>('SELECT forget_fraud_hits($1) AS forgotten', [limit])
  return rows[0]?.forgotten ?? 0
}
