// A backend that waits for a lock in the batch of accepts.

import { asOwner } from './test-database.ts'

const timeoutMs = 20_000

// Asked by the application's own login, without a role: only that one sees what its sessions do.
export async function waitingBackend(url: string): Promise<number> {
  return asOwner(async (client) => {
    const untilMs = performance.now() + timeoutMs
    while (performance.now() < untilMs) {
      const { rows } = await client.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%accept_calls%'`,
      )
      if (rows[0]) return rows[0].pid
    }
    throw new Error('no backend waits for a lock in accept_calls')
  }, url)
}
