// What was refused against fraud. A refusal only adds to a count in memory; every few seconds the counts are written in one
// statement for each database. The memory is bounded, and so are the rows of a minute: prefixes beyond the bound are counted
// together. What cannot be written is dropped with a warning: the metric has counted it.

import type { Clock } from '../clock.ts'
import type { FraudRule } from '../domain/fraud/fraud-rule.ts'
import type { NumberPrefix } from '../domain/numbers/number-prefix.ts'
import { type ServiceId, slotOfService } from '../domain/slot.ts'
import type { Logger } from '../log.ts'
import type { Database, Session } from './database.ts'
import type { SlotMap } from './slot-map.ts'

export type FraudHit = { readonly rule: FraudRule; readonly serviceId: ServiceId; readonly prefix: NumberPrefix }

export type FraudHits = {
  // Seals the prefix only where it makes a new row.
  readonly note: (hit: FraudHit, sealPrefix: () => Buffer) => void
  // Writes what was noted so far.
  readonly close: () => Promise<void>
}

type Counted = FraudHit & { readonly sealed: Buffer | undefined; hits: number }

const writeMs = 5_000
const minuteMs = 60_000
// New rows of a minute, of this process.
const prefixesMax = 100
const rowsMax = 1_000
const otherPrefixes = 0 as NumberPrefix

export function createFraudHits(slots: SlotMap, clock: Clock, log: Logger): FraudHits {
  let counted = new Map<string, Counted>()
  // What has a row of its own in this minute.
  const admitted = new Set<string>()
  const writeAll = async () => {
    const rows = [...counted.values()]
    counted = new Map()
    const byDatabase = Map.groupBy(rows, ({ serviceId }) => slots.databaseOf(slotOfService(serviceId)))
    const writes = [...byDatabase].map(([database, some]) => write(database, some))
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
    `INSERT INTO fraud_hits AS h (minute, rule, service_id, prefix, prefix_sealed, hits)
     SELECT date_trunc('minute', clock_timestamp()), w.*
     FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::bytea[], $5::bigint[]) AS w
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

// Those older than a week, so many at most; how many are gone.
export async function forgetFraudHits(session: Session, limit: number): Promise<number> {
  const { rows } = await session.query<{ forgotten: number }>('SELECT forget_fraud_hits($1) AS forgotten', [limit])
  return rows[0]?.forgotten ?? 0
}
