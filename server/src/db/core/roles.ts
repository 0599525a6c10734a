// Database roles belong to the whole server and only an administrator can create them, so missing ones are returned as SQL
// statements to paste.

import { databaseRoles, groupOf, loginForAll, loginOfCli, processRoles } from '../../domain/core/database-role.ts'
import type { Session } from './database.ts'

// Of one process with all roles, and of the CLI. Where separate processes have others, ringproof_app is not needed.
const logins = [
  { login: loginForAll, groups: processRoles.map(groupOf) },
  { login: loginOfCli, groups: [groupOf('operator')] },
]

type Member = { readonly group: string; readonly exists: boolean; readonly logins: readonly string[] }

// What an administrator has to run: create before a migration, because it grants rights to these roles; grant afterwards.
export async function missingRoles(
  session: Session,
): Promise<{ readonly create: readonly string[]; readonly grant: readonly string[] }> {
  const { rows } = await session.query<Member>(
    `SELECT g.name AS group, r.oid IS NOT NULL AS exists,
       ARRAY(SELECT rolname::text FROM pg_roles AS l
             WHERE rolcanlogin AND NOT rolsuper AND r.oid IS NOT NULL AND pg_has_role(l.oid, r.oid, 'MEMBER')) AS logins
     FROM unnest($1::text[]) WITH ORDINALITY AS g(name, o) LEFT JOIN pg_roles AS r ON r.rolname = g.name ORDER BY o`,
    [databaseRoles.map(groupOf)],
  )
  const known = new Set(
    (await session.query<{ name: string }>('SELECT rolname AS name FROM pg_roles')).rows.map(nameIn),
  )
  const create = rows.filter(({ exists }) => !exists).map(({ group }) => `CREATE ROLE ${group} NOLOGIN;`)
  const grant: string[] = []
  for (const { login, groups } of logins) {
    const members = rows.filter(({ group }) => groups.includes(group))
    const lacking = members.filter((one) => !one.logins.includes(login)).map(({ group }) => group)
    if (!known.has(login)) {
      if (members.some((one) => one.logins.length > 0)) continue
      create.push(`CREATE ROLE ${login} LOGIN PASSWORD '…';`)
    }
    if (lacking.length > 0) grant.push(`GRANT ${lacking.join(', ')} TO ${login};`)
  }
  return { create, grant }
}

function nameIn({ name }: { readonly name: string }): string {
  return name
}
