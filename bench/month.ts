// A database that keeps a month of verifications, without their rows, and figures of some rounds.

import { sql } from './environment.ts'
import { median } from './load.ts'

export const daysKept = 30

export async function addDays(ownerUrl: string): Promise<void> {
  await sql(
    ownerUrl,
    `SELECT make_partition('verifications', 1, today - n, 'WITH (fillfactor = 60)'), make_partition('ledger', 1, today - n, ''),
       make_partition('idempotency_keys', 8, today - n, '')
     FROM generate_series(2, $1::integer + 1) AS n, (SELECT (last_value >> 17)::integer / 86400 AS today FROM id_ticks) AS newest`,
    [daysKept],
  )
}

// Within each round, so that load from elsewhere hits both sides.
export function ratio(own: readonly number[], other: readonly number[]): string {
  return spread(own.map((figure, round) => figure / (other[round] ?? Number.NaN)))
}

// The median, with the least and the most.
export function spread(figures: readonly number[]): string {
  return `${short(median(figures))} (${short(Math.min(...figures))}–${short(Math.max(...figures))})`
}

export function short(figure: number): number {
  return Number(figure.toPrecision(3))
}
