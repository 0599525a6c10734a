import type { startSteps } from '@ringproof/contract/lists/accounts.ts'
import type { AccountId, ServiceId, VerificationId } from '../../domain/core/slot.ts'
import type { Session } from '../core/database.ts'

export type StartStep = (typeof startSteps)[number]

export async function readStartSteps(session: Session, accountId: AccountId): Promise<ReadonlyMap<StartStep, Date>> {
  const { rows } = await session.query<{ step: StartStep; doneAt: Date }>(
    'SELECT step, done_at AS "doneAt" FROM start_steps WHERE account_id = $1',
    [accountId],
  )
  return new Map(rows.map(({ step, doneAt }) => [step, doneAt]))
}

export async function insertStartStep(session: Session, accountId: AccountId, step: StartStep): Promise<void> {
  await session.query('INSERT INTO start_steps (account_id, step) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    accountId,
    step,
  ])
}

// What the account has done since the given ID: looked up only while a step is open, and only in the last minutes.
export async function readDoneSince(
  session: Session,
  accountId: AccountId,
  serviceIds: readonly ServiceId[],
  firstId: VerificationId,
): Promise<{ readonly testCall: boolean; readonly realCall: boolean; readonly webhook: boolean }> {
  const { rows } = await session.query<{ testCall: boolean; realCall: boolean; webhook: boolean }>(
    `SELECT
       EXISTS (SELECT FROM verifications WHERE id >= $2 AND account_id = $1 AND state = 'succeeded' AND is_test) AS "testCall",
       EXISTS (SELECT FROM verifications WHERE id >= $2 AND account_id = $1 AND state = 'succeeded' AND NOT is_test) AS "realCall",
       EXISTS (SELECT FROM webhooks WHERE id >= $2 AND service_id = ANY ($3) AND state = 'delivered') AS webhook`,
    [accountId, firstId, serviceIds],
  )
  return rows[0] ?? { testCall: false, realCall: false, webhook: false }
}
