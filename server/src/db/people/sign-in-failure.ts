import type { Failures } from '../../domain/people/sign-in-throttle.ts'
import type { Session } from '../core/database.ts'

// Without a lock and without a row: refuses an attempt before it waits for its turn.
export async function readFailures(session: Session, digest: Buffer): Promise<Failures> {
  const { rows } = await session.query<Failures>(`${selectFailures} WHERE digest = $1`, [digest])
  return rows[0] ?? none
}

// Locks the count until the end of the transaction: of attempts at the same time each sees the ones before it.
export async function lockFailures(session: Session, digest: Buffer): Promise<Failures> {
  await session.query('INSERT INTO sign_in_failures (digest) VALUES ($1) ON CONFLICT DO NOTHING', [digest])
  const { rows } = await session.query<Failures>(`${selectFailures} WHERE digest = $1 FOR UPDATE`, [digest])
  return rows[0] ?? none
}

const none: Failures = { total: 0, recent: 0, secondsAgo: 0 }
const selectFailures = `SELECT total, recent, extract(epoch FROM clock_timestamp() - failed_at)::float8 AS "secondsAgo"
  FROM sign_in_failures`

// Failures of a day ago are no longer recent.
export async function countFailure(session: Session, digest: Buffer): Promise<void> {
  await session.query(
    `UPDATE sign_in_failures SET total = total + 1, failed_at = clock_timestamp(),
       recent = CASE WHEN failed_at < clock_timestamp() - interval '1 day' THEN 1 ELSE recent + 1 END
     WHERE digest = $1`,
    [digest],
  )
}

// The attempt that is counted here is the nth within the window; a window begins with the first attempt after the last one. An
// attempt may count as several.
export async function countTry(session: Session, digest: Buffer, windowSeconds: number, count = 1): Promise<number> {
  const { rows } = await session.query<{ recent: number }>(
    `INSERT INTO sign_in_failures AS f (digest, total, recent) VALUES ($1, $3, $3)
     ON CONFLICT (digest) DO UPDATE SET total = f.total + $3, failed_at = clock_timestamp(),
       recent = CASE WHEN f.recent_since < clock_timestamp() - make_interval(secs => $2) THEN $3 ELSE f.recent + $3 END,
       recent_since = CASE WHEN f.recent_since < clock_timestamp() - make_interval(secs => $2) THEN clock_timestamp()
                      ELSE f.recent_since END
     RETURNING recent`,
    [digest, windowSeconds, count],
  )
  return rows[0]?.recent ?? count
}

export async function clearFailures(session: Session, digest: Buffer): Promise<void> {
  await session.query('DELETE FROM sign_in_failures WHERE digest = $1', [digest])
}
