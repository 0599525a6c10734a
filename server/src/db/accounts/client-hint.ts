// Remembers which service is used by a known client without the settings that this client needs.

import { adviceFor, type ClientHint } from '../../domain/accounts/known-client.ts'
import { type ServiceId, slotOfService } from '../../domain/core/slot.ts'
import { hourMs } from '../../domain/values/time.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { Session } from '../core/database.ts'
import type { SlotMap } from '../core/slot-map.ts'

// A service is logged and written once an hour per process.
const repeatMs = hourMs

export function createClientHints(slots: SlotMap, clock: Clock, log: Logger) {
  const notedAtMs = new Map<ServiceId, number>()
  return {
    note: (serviceId: ServiceId, hint: ClientHint): void => {
      const nowMs = clock.monotonicMs()
      if (nowMs - (notedAtMs.get(serviceId) ?? Number.NEGATIVE_INFINITY) < repeatMs) return
      notedAtMs.set(serviceId, nowMs)
      log.warn({ service_id: serviceId, client: hint.client, fix: adviceFor(hint) }, 'client needs other settings')
      // A write that fails is not repeated: the log line is there, and the next hour writes again.
      writeHint(slots.databaseOf(slotOfService(serviceId)), serviceId, hint).catch(() => undefined)
    },
  }
}

async function writeHint(session: Session, serviceId: ServiceId, { client }: ClientHint): Promise<void> {
  await session.query(
    `INSERT INTO client_hints (service_id, client) VALUES ($1, $2)
     ON CONFLICT (service_id) DO UPDATE SET client = excluded.client, seen_at = clock_timestamp()`,
    [serviceId, client],
  )
}

// The known client that was seen last.
export async function readClientHint(
  session: Session,
  serviceId: ServiceId,
): Promise<{ readonly client: string; readonly seenAt: Date } | undefined> {
  const { rows } = await session.query<{ client: string; seenAt: Date }>(
    'SELECT client, seen_at AS "seenAt" FROM client_hints WHERE service_id = $1',
    [serviceId],
  )
  return rows[0]
}
