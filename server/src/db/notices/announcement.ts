// Announcements to all customers, in the global database.

import { announcementStates } from '@ringproof/contract/lists/installation.ts'
import type { Severity } from '../../domain/installation/status.ts'
import type { Session } from '../core/database.ts'

export type NewAnnouncement = {
  readonly severity: Severity
  readonly en: string
  readonly ru: string
  // Undefined: from now on.
  readonly from: Date | undefined
  // Undefined: until an operator ends it.
  readonly until: Date | undefined
}

export type Announcement = {
  readonly id: number
  readonly severity: Severity
  readonly en: string
  readonly ru: string
  readonly from: Date
  readonly until: Date | null
  readonly endedAt: Date | null
  readonly stopsCalls: boolean
  readonly state: (typeof announcementStates)[number]
}

// Maintenance that takes longer than planned is shown as long as its stop lasts.
const state = `CASE
  WHEN ended_at IS NOT NULL THEN 'past'
  WHEN starts_at > clock_timestamp() THEN 'planned'
  WHEN ends_at <= clock_timestamp() AND NOT EXISTS (SELECT FROM trunk_stops WHERE stopped_at = stop_began_at) THEN 'past'
  ELSE 'current' END`
const columns = `id, severity, text_en AS en, text_ru AS ru, starts_at AS "from", ends_at AS until, ended_at AS "endedAt",
  stop_began_at IS NOT NULL AS "stopsCalls", ${state} AS state`

// Current ones first, then planned ones; past ones by their end.
export async function readAnnouncements(globalDatabase: Session, countMax: number): Promise<readonly Announcement[]> {
  const { rows } = await globalDatabase.query<Announcement>(
    `SELECT ${columns} FROM announcements
     ORDER BY array_position($2::text[], ${state}), CASE ${state} WHEN 'past' THEN coalesce(ended_at, ends_at) ELSE starts_at END DESC, id DESC LIMIT $1`,
    [countMax, announcementStates],
  )
  return rows
}

export async function readCurrentAnnouncements(globalDatabase: Session): Promise<readonly Announcement[]> {
  const { rows } = await globalDatabase.query<Announcement>(
    `SELECT ${columns} FROM announcements WHERE ended_at IS NULL AND ${state} = 'current' ORDER BY starts_at DESC, id DESC`,
  )
  return rows
}

// Undefined if it would be over already.
export async function insertAnnouncement(
  globalDatabase: Session,
  { severity, en, ru, from, until }: NewAnnouncement,
): Promise<Announcement | undefined> {
  const { rows } = await globalDatabase.query<Announcement>(
    `INSERT INTO announcements (severity, text_en, text_ru, starts_at, ends_at)
     SELECT $1, $2, $3, starts_at, $5::timestamptz FROM (SELECT coalesce($4, clock_timestamp()) AS starts_at) AS start
     WHERE $5::timestamptz IS NULL OR $5::timestamptz > greatest(starts_at, clock_timestamp())
     RETURNING ${columns}`,
    [severity, en, ru, from ?? null, until ?? null],
  )
  return rows[0]
}

// The stop of all calls that lasts now belongs to the announcement.
export async function tieToStop(globalDatabase: Session, id: number): Promise<void> {
  await globalDatabase.query(
    'UPDATE announcements SET stop_began_at = (SELECT stopped_at FROM trunk_stops) WHERE id = $1',
    [id],
  )
}

// Undefined if it is over, or there is none.
export async function endNow(globalDatabase: Session, id: number): Promise<Announcement | undefined> {
  const { rows } = await globalDatabase.query<Announcement>(
    `UPDATE announcements SET ended_at = clock_timestamp() WHERE id = $1 AND ${state} <> 'past' RETURNING ${columns}`,
    [id],
  )
  return rows[0]
}

// The reason of the stop that was lifted; undefined if it was lifted before, also if calls were stopped again since.
export async function liftStopOf(globalDatabase: Session, id: number): Promise<string | undefined> {
  const { rows } = await globalDatabase.query<{ reason: string }>(
    `DELETE FROM trunk_stops USING announcements WHERE announcements.id = $1 AND stopped_at = stop_began_at
     RETURNING trunk_stops.reason`,
    [id],
  )
  return rows[0]?.reason
}
