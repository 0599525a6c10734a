import type { Session } from './database.ts'

// Empty if no program has written it yet.
export async function readSchemaVersion(session: Session): Promise<string> {
  const { rows: found } = await session.query<{ exists: boolean }>(
    `SELECT to_regclass('public.schema_version') IS NOT NULL AS exists`,
  )
  if (!found[0]?.exists) return ''
  const { rows } = await session.query<{ version: string }>('SELECT version FROM schema_version')
  return rows[0]?.version ?? ''
}

export async function writeSchemaVersion(session: Session, version: string): Promise<void> {
  await session.query('UPDATE schema_version SET version = $1 WHERE version <> $1', [version])
}
