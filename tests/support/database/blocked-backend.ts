// A PostgreSQL backend that waits for a lock in accept_calls.

import { poll } from '../poll.ts'
import { asOwner } from './test-database.ts'

// Queried with the application's login, without a role: only that login sees what its sessions do.
export async function blockedBackend(url: string): Promise<number> {
  const sql = `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%accept_calls%'`
  return asOwner(
    (client) =>
      poll(
        'a backend that waits for a lock in accept_calls',
        async () => (await client.query<{ pid: number }>(sql)).rows[0]?.pid,
      ),
    url,
  )
}
