// What each database knows of the keys that it is written with (domain/crypto/key-check.ts).

import type { KeyCheck } from '../../domain/crypto/key-check.ts'
import type { Session } from './database.ts'

// Undefined if the database has no tables yet, false if they are of an older version.
export async function canKnowKeys(session: Session): Promise<boolean | undefined> {
  const { rows } = await session.query<{ hasTables: boolean; canKnow: boolean }>(
    `SELECT to_regclass('public.migrations') IS NOT NULL AS "hasTables", to_regclass('public.key_checks') IS NOT NULL AS "canKnow"`,
  )
  return rows[0]?.hasTables ? rows[0].canKnow : undefined
}

export async function readKeyChecks(session: Session): Promise<readonly KeyCheck[]> {
  const { rows } = await session.query<KeyCheck>(
    `SELECT ring, number, digest, activated_at IS NOT NULL AS "isActivated" FROM key_checks ORDER BY ring, number`,
  )
  return rows
}

// Of rings that the database does not know yet; the keys of all others stay as they are.
export async function recordNewRings(session: Session, checks: readonly KeyCheck[]): Promise<void> {
  await session.query(
    'SELECT record_key_rings($1::text[], $2::smallint[], $3::bytea[], $4::boolean[])',
    columnsOf(checks),
  )
}

// A key that was added, or one that is now active.
export async function writeKeyChecks(session: Session, checks: readonly KeyCheck[]): Promise<void> {
  await session.query(
    `INSERT INTO key_checks AS k (ring, number, digest, activated_at)
     SELECT ring, number, digest, CASE WHEN is_activated THEN now() END
     FROM unnest($1::text[], $2::smallint[], $3::bytea[], $4::boolean[]) AS c(ring, number, digest, is_activated)
     ON CONFLICT (ring, number) DO UPDATE SET activated_at = coalesce(k.activated_at, excluded.activated_at)`,
    columnsOf(checks),
  )
}

export async function deleteKeyChecks(
  session: Session,
  keys: readonly Pick<KeyCheck, 'ring' | 'number'>[],
): Promise<void> {
  await session.query(
    `DELETE FROM key_checks AS k USING unnest($1::text[], $2::smallint[]) AS c(ring, number)
     WHERE k.ring = c.ring AND k.number = c.number`,
    [keys.map(({ ring }) => ring), keys.map(({ number }) => number)],
  )
}

function columnsOf(checks: readonly KeyCheck[]): unknown[] {
  return [
    checks.map(({ ring }) => ring),
    checks.map(({ number }) => number),
    checks.map(({ digest }) => digest),
    checks.map(({ isActivated }) => isActivated),
  ]
}

// Data of a database that does not know its keys, because an older version wrote it.
type UnknownKeys = {
  // The first and the last value of each sealed column.
  readonly samples: readonly SealedSample[]
  readonly hasVerifications: boolean
}

export type SealedSample = {
  readonly table: string
  readonly column: string
  readonly owner: string
  readonly sealed: Buffer
}

export async function readUnknownKeys(session: Session): Promise<UnknownKeys> {
  const { rows } = await session.query<SealedSample>(
    `SELECT table_name AS "table", column_name AS "column", owner, sealed FROM sealed_samples()`,
  )
  const { rows: found } = await session.query<{ hasVerifications: boolean }>(
    'SELECT has_verifications() AS "hasVerifications"',
  )
  return { samples: rows, hasVerifications: found[0]?.hasVerifications ?? false }
}
