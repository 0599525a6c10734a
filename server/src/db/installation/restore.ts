// Restores from a backup (functions/finish-restore.sql).

import type { VerificationId } from '../../domain/core/slot.ts'
import { secondOfVerification } from '../../domain/core/slot.ts'
import type { Session } from '../core/database.ts'

export type Restore = {
  readonly finishedAt: Date
  // The newest moment that this database knows of.
  readonly restoredTo: Date
}

export type FinishedRestore = Restore & {
  // Active calls that end without being dialled again, and sessions of people who must sign in again.
  readonly calls: number
  readonly sessions: number
}

export async function readNewestMoment(session: Session): Promise<Date> {
  const { rows } = await session.query<{ moment: Date }>('SELECT newest_moment() AS moment')
  const [row] = rows
  if (!row) throw new Error('SELECT without FROM returned no row')
  return row.moment
}

export async function finishDatabaseRestore(session: Session): Promise<FinishedRestore> {
  const { rows } = await session.query<FinishedRestore>(
    'SELECT finished_at AS "finishedAt", restored_to AS "restoredTo", calls, sessions FROM finish_restore()',
  )
  const [restore] = rows
  if (!restore) throw new Error('finish_restore returned no row')
  return restore
}

// The restore that lost everything of the second in which this ID was given out.
export async function findRestoreOver(session: Session, id: VerificationId): Promise<Restore | undefined> {
  const { rows } = await session.query<Restore>(
    `SELECT finished_at AS "finishedAt", restored_to AS "restoredTo" FROM restores
     WHERE to_timestamp($1) BETWEEN restored_to - interval '1 second' AND finished_at ORDER BY finished_at LIMIT 1`,
    [secondOfVerification(id)],
  )
  return rows[0]
}
