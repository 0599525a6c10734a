// Roles belong to the whole server, and only an administrator makes them; so what is missing is said in statements that can
// be pasted.

import { databaseRoles, groupOf, loginForAll } from '../domain/database-role.ts'
import type { Session } from './database.ts'

const groups = databaseRoles.map(groupOf)

// What an administrator has to run: before a migration, because rights are granted to these roles, and afterwards, unless
// every process has a login of its own.
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
  const outside = rows.filter(({ isGranted }) => !isGranted).map(({ name }) => name)
  const wanted = outside.filter((name) => name !== loginForAll)
  return { create, grant: wanted.length === 0 ? [] : [`GRANT ${wanted.join(', ')} TO ${loginForAll};`] }
}
