// Records when API keys were last used. A request only adds its key to a set; once a minute the set is written, one statement
// per database. A write that fails is dropped: the next use records it again. Several processes together write a key at
// most once a minute, so the stored time is accurate to two minutes.

import type { KnownKey } from '../../domain/accounts/api-client.ts'
import { slotOfService } from '../../domain/core/slot.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { Database } from '../core/database.ts'
import type { SlotMap } from '../core/slot-map.ts'

export type ApiKeyUsage = {
  readonly note: (key: KnownKey) => void
  // Writes what was recorded so far.
  readonly close: () => Promise<void>
}

const writeMs = 60_000
// Without a listener every request reads its keys again as new objects, and the set would grow with each.
const keysMax = 10_000

export function createApiKeyUsage(slots: SlotMap, clock: Clock, log: Logger): ApiKeyUsage {
  let used = new Set<KnownKey>()
  const writeAll = async () => {
    const keys = used
    used = new Set()
    const byDatabase = Map.groupBy(keys, ({ serviceId }) => slots.databaseOf(slotOfService(serviceId)))
    const writes = [...byDatabase].map(([database, itsKeys]) =>
      write(database, itsKeys, clock.scaledMs(writeMs) / 1000),
    )
    for (const result of await Promise.allSettled(writes)) {
      if (result.status === 'rejected') log.warn({ err: result.reason }, 'API key usage write failed')
    }
  }
  const timer = clock.every(writeMs, () => void writeAll())
  return {
    note: (key) => {
      if (used.size < keysMax) used.add(key)
    },
    close: async () => {
      timer.stop()
      await writeAll()
    },
  }
}

// Skips a key that is locked: this never waits.
async function write(database: Database, keys: readonly KnownKey[], intervalSeconds: number): Promise<void> {
  await database.query(
    `UPDATE api_keys AS k SET last_used_at = clock_timestamp()
     FROM (
       SELECT k.service_id, k.digest FROM api_keys AS k
       JOIN (SELECT DISTINCT * FROM unnest($1::integer[], $2::bytea[]) AS u (service_id, digest)) AS u
         USING (service_id, digest)
       WHERE coalesce(k.last_used_at <= clock_timestamp() - make_interval(secs => $3), true)
       ORDER BY service_id, digest FOR UPDATE OF k SKIP LOCKED
     ) AS due
     WHERE k.service_id = due.service_id AND k.digest = due.digest`,
    [keys.map(({ serviceId }) => serviceId), keys.map(({ digest }) => digest), intervalSeconds],
  )
}
