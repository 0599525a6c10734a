// Database roles belong to the whole server and only an administrator can create them, so missing ones are returned as SQL
// statements to paste.

import { databaseRoles, groupOf, loginForAll } from '../domain/database-role.ts'
import type { Session } from './database.ts'

const groups = databaseRoles.map(groupOf)

// What an administrator has to run: create before a migration, because it grants rights to these roles; grant afterwards,
// unless every process has a separate login.
export async function missingRoles(
  session: Session,
): Promise<{ readonly create: readonly string[]; readonly grant: readonly string[] }> {
  const { rows } = await session.query<{ name: string; exists: boolean; isGranted: boolean }>(
    `SELECT g.name, r.oid IS NOT NULL AS exists, coalesce(pg_has_role(a.oid, r.oid, 'MEMBER'), false) AS "isGranted"
     FROM unnest($1::text[]) WITH ORDINALITY AS g(name, o)
     LEFT JOIN pg_roles AS r ON r.rolname = g.name LEFT JOIN pg_roles AS a ON a.rolname = $2 ORDER BY o`,
    [[...groups, loginForAll], loginForAll],
  )
  const create = rows
    .filter(({ exists }) => !exists)
    .map(({ name }) =>
      name === loginForAll ? `CREATE ROLE ${name} LOGIN PASSWORD '…';` : `CREATE ROLE ${name} NOLOGIN;`,
    )
  const missing = rows.filter(({ name, isGranted }) => !isGranted && name !== loginForAll).map(({ name }) => name)
  return { create, grant: missing.length === 0 ? [] : [`GRANT ${missing.join(', ')} TO ${loginForAll};`] }
}
