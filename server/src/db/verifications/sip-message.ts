// The SIP messages of calls, one row per attempt. Writing is not part of the call: a few hundred calls may wait in memory, and
// those above that are dropped.

import { slotOfVerification, type VerificationId } from '../../domain/core/slot.ts'
import type { SipMessage } from '../../domain/verifications/sip-message.ts'
import type { Database, Session } from '../core/database.ts'
import { type MicroBatch, microBatch } from '../core/micro-batch.ts'
import type { SlotMap } from '../core/slot-map.ts'

export type AttemptMessages = {
  readonly id: VerificationId
  readonly attempt: number
  readonly trunk: string
  readonly messages: readonly SipMessage[]
}

export function createSipMessageBatch(slots: SlotMap): MicroBatch<AttemptMessages, void> {
  const batchOf = (database: Database) =>
    microBatch<AttemptMessages, void>(async (attempts) => {
      await writeSipMessages(database, attempts)
      return attempts.map(() => undefined)
    })
  const byDatabase = new Map(slots.databases.map((database) => [database, batchOf(database)]))
  return async (attempt) => byDatabase.get(slots.databaseOf(slotOfVerification(attempt.id)))?.(attempt)
}

async function writeSipMessages(database: Database, attempts: readonly AttemptMessages[]): Promise<void> {
  await database.query(
    `INSERT INTO sip_messages (id, attempt, trunk, messages)
     SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::text[], $4::jsonb[]) ON CONFLICT DO NOTHING`,
    [
      attempts.map(({ id }) => id),
      attempts.map(({ attempt }) => attempt),
      attempts.map(({ trunk }) => trunk),
      attempts.map(({ messages }) => JSON.stringify(messages)),
    ],
  )
}

// In order of attempts.
export async function readSipMessages(session: Session, id: VerificationId): Promise<readonly AttemptMessages[]> {
  const { rows } = await session.query<AttemptMessages>(
    'SELECT id, attempt, trunk, messages FROM sip_messages WHERE id = $1 ORDER BY attempt',
    [id],
  )
  return rows
}

// Deletes up to limit rows that are kept no longer; returns how many.
export async function forgetSipMessages(session: Session, limit: number): Promise<number> {
  const { rows } = await session.query<{ forgotten: number }>('SELECT forget_sip_messages($1) AS forgotten', [limit])
  return rows[0]?.forgotten ?? 0
}
