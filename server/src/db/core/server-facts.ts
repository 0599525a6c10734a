// What PostgreSQL runs with, for `ringproof doctor`. It only reads.

import { databaseRoles, groupOf } from '../../domain/core/database-role.ts'
import type { DatabaseFacts } from '../../domain/installation/database-check.ts'
import type { Clock } from '../../process/clock.ts'
import type { Session } from './database.ts'
import { measureClock } from './database-clock.ts'
import { missingMigrations } from './migrate.ts'
import { riskySettings } from './server-settings.ts'

export async function readServerFacts(session: Session, clock: Clock): Promise<DatabaseFacts> {
  const [server, risky, isMissing] = await Promise.all([
    readServer(session),
    riskySettings(session),
    missingMigrations(session),
  ])
  return {
    ...server,
    riskySettings: risky,
    isMigrated: !isMissing,
    // It needs functions of the schema.
    clock: isMissing ? undefined : await measureClock(session, clock),
  }
}

type Server = Omit<DatabaseFacts, 'riskySettings' | 'isMigrated' | 'clock'>

// An ordinary login sees that a standby is connected, but not how far behind it is.
async function readServer(session: Session): Promise<Server> {
  const { rows } = await session.query<Server>(
    `SELECT current_setting('server_version_num')::int AS "versionNumber",
       split_part(current_setting('server_version'), ' ', 1) AS version, pg_is_in_recovery() AS "isStandby",
       current_setting('synchronous_standby_names') AS "syncStandbyNames",
       (SELECT count(*)::int FROM pg_stat_replication) AS standbys, session_user::text AS login,
       (SELECT rolsuper FROM pg_roles WHERE rolname = session_user) AS "isSuperuser", current_database()::text AS database,
       ARRAY(SELECT rolname::text FROM pg_roles WHERE rolname = ANY ($1) AND pg_has_role(session_user, oid, 'MEMBER'))
         AS groups`,
    [databaseRoles.map(groupOf)],
  )
  const [server] = rows
  if (!server) throw new Error('SELECT without FROM returned no row')
  return server
}
