// Ends overdue calls and inbound requests (functions/sweep.sql). With an account, only that account's, and its locked row is
// waited for.

import type { AccountId } from '../../domain/core/slot.ts'
import type { Session } from './database.ts'

export type Swept = {
  readonly ended: number
  // Accounts with overdue verifications whose row was locked.
  readonly skipped: readonly AccountId[]
}

export async function sweepCalls(session: Session, limit: number, account?: AccountId): Promise<Swept> {
  const { rows } = await session.query<Swept>('SELECT ended, skipped FROM sweep_calls($1, $2)', [
    limit,
    account ?? null,
  ])
  return rows[0] ?? nothingSwept
}

export async function sweepInboundRequests(
  session: Session,
  limit: number,
  timeScale: number,
  account?: AccountId,
): Promise<Swept> {
  const { rows } = await session.query<Swept>('SELECT ended, skipped FROM sweep_inbound_requests($1, $2, $3)', [
    limit,
    account ?? null,
    timeScale,
  ])
  return rows[0] ?? nothingSwept
}

const nothingSwept: Swept = { ended: 0, skipped: [] }
