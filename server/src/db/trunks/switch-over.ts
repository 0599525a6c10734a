// How first attempts ring by destination and trunk, and the switch-overs decided from it. In the global database.

import type {
  ActiveSwitchOver,
  PastSwitchOver,
  RingCount,
  RouteCount,
  SwitchOver,
  SwitchOverEnd,
} from '../../domain/trunks/switch-over.ts'
import { secondsOf } from '../../domain/values/period.ts'
import { retention } from '../../domain/values/retention.ts'
import type { Session } from '../core/database.ts'

type Destined = { readonly country: string; readonly provider: string }

export type AddedRouteCount = Destined & RingCount & { readonly trunk: string }

// To the current minute, which is as short as the time scale makes it.
export async function addRouteCounts(
  globalDatabase: Session,
  counts: readonly AddedRouteCount[],
  timeScale: number,
): Promise<void> {
  await globalDatabase.query(
    `INSERT INTO route_minutes AS known (minute, country, provider, trunk, dialled, rang)
     SELECT date_bin(interval '1 minute' * $2::float8, clock_timestamp(), '2026-01-01T00:00Z'), country, provider, trunk,
       dialled, rang
     FROM jsonb_to_recordset($1) AS added(country text, provider text, trunk text, dialled integer, rang integer)
     ORDER BY country, provider, trunk
     ON CONFLICT (minute, country, provider, trunk)
     DO UPDATE SET (dialled, rang) = ROW (known.dialled + excluded.dialled, known.rang + excluded.rang)`,
    [JSON.stringify(counts), timeScale],
  )
}

// The time to evaluate at; undefined if another process has just evaluated or is doing so. Others wait until the transaction ends.
export async function beginEvaluation(
  session: Session,
  everyMs: number,
): Promise<{ readonly nowMs: number; readonly isOn: boolean } | undefined> {
  const { rows } = await session.query<{ nowMs: number; isOn: boolean }>(
    `UPDATE switch_over_control SET evaluated_at = clock_timestamp()
     WHERE evaluated_at <= clock_timestamp() - $1::float8 * interval '1 millisecond'
     RETURNING (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "nowMs", is_on AS "isOn"`,
    [everyMs],
  )
  return rows[0]
}

// Adds minutes to what is usual once they are older than the given age, so that a fall is seen before it becomes usual. While traffic
// is switched over nothing is added: the calls that are left do not show what is usual.
export async function foldRouteCounts(session: Session, ageMs: number, timeScale: number): Promise<void> {
  await session.query(
    `WITH control AS (
       UPDATE switch_over_control AS control
       SET usual_to = clock_timestamp() - $1::float8 * interval '1 millisecond'
       FROM (SELECT usual_to AS before FROM switch_over_control) AS known
       RETURNING known.before, control.usual_to AS until
     )
     INSERT INTO route_usuals AS usual (country, provider, trunk, dialled, rang, counted_to)
     SELECT country, provider, trunk, sum(dialled), sum(rang), until FROM route_minutes, control
     WHERE minute >= before AND minute < until
       AND NOT EXISTS (SELECT FROM switch_overs AS active WHERE active.ended_at IS NULL
         AND active.country = route_minutes.country AND active.provider = route_minutes.provider)
     GROUP BY country, provider, trunk, until
     ON CONFLICT (country, provider, trunk) DO UPDATE SET (dialled, rang, counted_to) = (
       SELECT usual.dialled * halved + excluded.dialled, usual.rang * halved + excluded.rang, excluded.counted_to
       FROM (SELECT 0.5 ^ (extract(epoch FROM excluded.counted_to - usual.counted_to)::float8 / 86400 / $2::float8) AS halved) AS decay)`,
    [ageMs, timeScale],
  )
  const forget = (table: string, column: string, seconds: number) =>
    session.query(`DELETE FROM ${table} WHERE ${column} < clock_timestamp() - make_interval(secs => $1)`, [seconds])
  await forget('route_minutes', 'minute', secondsOf(retention.routeMinutes.kept) * timeScale)
  await forget('route_usuals', 'counted_to', secondsOf(retention.routeUsuals.kept) * timeScale)
  await forget('switch_overs', 'ended_at', secondsOf(retention.switchOvers.kept))
}

type DestinationCount = Destined & RouteCount

export async function readRouteCounts(session: Session, sinceMs: number): Promise<readonly DestinationCount[]> {
  const { rows } = await session.query<DestinationCount>(
    `SELECT country, provider, trunk, dialled, rang, (extract(epoch FROM minute) * 1000)::float8 AS "minuteMs"
     FROM route_minutes WHERE minute >= to_timestamp($1::float8 / 1000)`,
    [sinceMs],
  )
  return rows
}

export async function readRouteUsuals(
  session: Session,
): Promise<readonly (Destined & RingCount & { readonly trunk: string })[]> {
  const { rows } = await session.query<Destined & RingCount & { readonly trunk: string }>(
    'SELECT country, provider, trunk, dialled, rang FROM route_usuals',
  )
  return rows
}

export type StoredSwitchOver = Destined &
  SwitchOver & { readonly id: number; readonly movedMs: number | null; readonly endedMs: number | null } & {
    readonly reason: SwitchOverEnd | null
  }

const columns = `id::float8 AS id, country, provider, from_trunk AS "from", to_trunk AS "to", phase,
  (extract(epoch FROM since) * 1000)::float8 AS "sinceMs", (extract(epoch FROM moved_at) * 1000)::float8 AS "movedMs",
  jsonb_build_object('dialled', from_dialled, 'rang', from_rang) AS "fromCount",
  jsonb_build_object('dialled', to_dialled, 'rang', to_rang) AS "toCount", usual,
  (extract(epoch FROM recovered_since) * 1000)::float8 AS "recoveredSinceMs", hold_ms AS "holdMs",
  is_pinned AS "isPinned", is_paused AS "isPaused",
  (extract(epoch FROM ended_at) * 1000)::float8 AS "endedMs", end_reason AS reason`

// Until the transaction ends no one else changes them.
export async function lockActiveSwitchOvers(session: Session): Promise<readonly StoredSwitchOver[]> {
  const { rows } = await session.query<StoredSwitchOver>(
    `SELECT ${columns} FROM switch_overs WHERE ended_at IS NULL ORDER BY id FOR UPDATE`,
  )
  return rows
}

export async function lockSwitchOver(session: Session, id: number): Promise<StoredSwitchOver | undefined> {
  const { rows } = await session.query<StoredSwitchOver>(
    `SELECT ${columns} FROM switch_overs WHERE id = $1 AND ended_at IS NULL FOR UPDATE`,
    [id],
  )
  return rows[0]
}

export async function readActiveSwitchOvers(globalDatabase: Session): Promise<readonly ActiveSwitchOver[]> {
  const { rows } = await globalDatabase.query<ActiveSwitchOver>(
    `SELECT country, provider, from_trunk AS "from", to_trunk AS "to", phase, is_paused AS "isPaused"
     FROM switch_overs WHERE ended_at IS NULL`,
  )
  return rows
}

// The active ones, then the latest of the others.
export async function readSwitchOvers(
  globalDatabase: Session,
  pastMax: number,
): Promise<{ readonly isOn: boolean; readonly switchOvers: readonly StoredSwitchOver[] }> {
  const [control, active, past] = await Promise.all([
    globalDatabase.query<{ isOn: boolean }>('SELECT is_on AS "isOn" FROM switch_over_control'),
    globalDatabase.query<StoredSwitchOver>(
      `SELECT ${columns} FROM switch_overs WHERE ended_at IS NULL ORDER BY id DESC`,
    ),
    globalDatabase.query<StoredSwitchOver>(
      `SELECT ${columns} FROM switch_overs WHERE ended_at IS NOT NULL ORDER BY ended_at DESC LIMIT $1`,
      [pastMax],
    ),
  ])
  return { isOn: control.rows[0]?.isOn ?? true, switchOvers: [...active.rows, ...past.rows] }
}

export async function readPastSwitchOvers(
  session: Session,
  sinceMs: number,
): Promise<readonly (Destined & PastSwitchOver)[]> {
  const { rows } = await session.query<Destined & PastSwitchOver>(
    `SELECT country, provider, to_trunk AS "to", moved_at IS NOT NULL AS "wasMoved", end_reason AS reason,
       (extract(epoch FROM ended_at) * 1000)::float8 AS "endedMs", hold_ms AS "holdMs"
     FROM switch_overs WHERE ended_at >= to_timestamp($1::float8 / 1000)`,
    [sinceMs],
  )
  return rows
}

export async function insertSwitchOver(session: Session, started: Destined & SwitchOver): Promise<number> {
  const { rows } = await session.query<{ id: number }>(
    `INSERT INTO switch_overs (country, provider, from_trunk, to_trunk, phase, since, from_dialled, from_rang, usual, hold_ms)
     VALUES ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000), $7, $8, $9, $10) RETURNING id::float8 AS id`,
    [
      started.country,
      started.provider,
      started.from,
      started.to,
      started.phase,
      started.sinceMs,
      started.fromCount.dialled,
      started.fromCount.rang,
      started.usual,
      started.holdMs,
    ],
  )
  return rows[0]?.id ?? 0
}

export async function updateSwitchOver(session: Session, id: number, next: SwitchOver): Promise<void> {
  await session.query(
    `UPDATE switch_overs SET phase = $2, since = to_timestamp($3::float8 / 1000),
       moved_at = CASE WHEN $2 = 'moved' THEN coalesce(moved_at, to_timestamp($3::float8 / 1000)) END,
       from_dialled = $4, from_rang = $5, to_dialled = $6, to_rang = $7,
       recovered_since = to_timestamp($8::float8 / 1000), is_pinned = $9, is_paused = $10
     WHERE id = $1`,
    [
      id,
      next.phase,
      next.sinceMs,
      next.fromCount.dialled,
      next.fromCount.rang,
      next.toCount.dialled,
      next.toCount.rang,
      next.recoveredSinceMs,
      next.isPinned,
      next.isPaused,
    ],
  )
}

// Pinned, a trial is moved at once: the operator has decided.
export async function writeSwitchOverPin(session: Session, id: number, isPinned: boolean): Promise<void> {
  await session.query(
    `UPDATE switch_overs SET is_pinned = $2, is_paused = false,
       phase = CASE WHEN $2 THEN 'moved' ELSE phase END,
       since = CASE WHEN $2 AND phase = 'trial' THEN clock_timestamp() ELSE since END,
       moved_at = CASE WHEN $2 THEN coalesce(moved_at, clock_timestamp()) ELSE moved_at END
     WHERE id = $1`,
    [id, isPinned],
  )
}

export async function endSwitchOver(
  session: Session,
  id: number,
  reason: SwitchOverEnd,
  holdMs?: number,
): Promise<void> {
  await session.query(
    `UPDATE switch_overs SET ended_at = clock_timestamp(), end_reason = $2, hold_ms = coalesce($3, hold_ms) WHERE id = $1`,
    [id, reason, holdMs ?? null],
  )
}

// False if it was so already.
export async function writeSwitchOverControl(session: Session, isOn: boolean): Promise<boolean> {
  const { rowCount } = await session.query('UPDATE switch_over_control SET is_on = $1 WHERE is_on <> $1', [isOn])
  return rowCount === 1
}
