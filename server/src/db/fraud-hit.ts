// Records refusals by fraud rules. A refusal only increments a counter in memory; every 5 seconds the counters are written,
// one statement per database. Memory and rows per minute are bounded: prefixes above the bound are counted together.
// Counts that cannot be written are dropped with a warning; the metric has counted them.

import type { Clock } from '../clock.ts'
import type { FraudRule } from '../domain/fraud/fraud-rule.ts'
import type { NumberPrefix } from '../domain/numbers/number-prefix.ts'
import { type ServiceId, slotOfService } from '../domain/slot.ts'
import type { Logger } from '../log.ts'
import type { Database, Session } from './database.ts'
import type { SlotMap } from './slot-map.ts'

export type FraudHit = { readonly rule: FraudRule; readonly serviceId: ServiceId; readonly prefix: NumberPrefix }

export type FraudHits = {
  // Calls sealPrefix only for a new row.
  readonly note: (hit: FraudHit, sealPrefix: () => Buffer) => void
  // Writes the counts so far.
  readonly close: () => Promise<void>
}

type Counted = FraudHit & { readonly sealed: Buffer | undefined; hits: number }

const writeMs = 5_000
const minuteMs = 60_000
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

// Deletes up to limit rows older than a week; returns how many.
export async function forgetFraudHits(session: Session, limit: number): Promise<number> {
  const { rows } = await session.query<{ forgotten: number }>('SELECT forget_fraud_hits($1) AS forgotten', [limit])
  return rows[0]?.forgotten ?? 0
}
