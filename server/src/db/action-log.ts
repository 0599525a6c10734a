import type { AccountId } from '../domain/slot.ts'
import type { Session } from './database.ts'

// Who acts. The customer sees address, user agent and the person in the action log; the operating-system user behind the
// operator's CLI is for the operator only.
export type Actor = {
  readonly address: string
  readonly userAgent: string
  readonly operator?: string
  // The e-mail of a person who acts in the browser.
  readonly user?: string
}

type LoggedAction = {
  readonly accountId: AccountId | null
  readonly action: string
  readonly details: Readonly<Record<string, unknown>>
}

// Written in the same transaction as the change, so that neither exists without the other.
export async function logAction(session: Session, actor: Actor, logged: LoggedAction): Promise<void> {
  await session.query(
    `INSERT INTO action_log (account_id, action, details, address, user_agent, operator)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [
      logged.accountId,
      logged.action,
      JSON.stringify(actor.user === undefined ? logged.details : { ...logged.details, user: actor.user }),
      actor.address,
      actor.userAgent,
      actor.operator ?? '',
    ],
  )
  if (logged.accountId === null) return
  await session.query('UPDATE accounts SET active_at = clock_timestamp() WHERE id = $1', [logged.accountId])
}

type LogEntry = {
  readonly action: string
  readonly userAgent: string
  readonly address: string
  readonly createdAt: Date
  // The e-mail of the person who acted in the browser; empty for programs and for the operator's CLI.
  readonly who: string
}

// Newest first.
export async function readActions(
  session: Session,
  accountId: AccountId,
  countMax: number,
): Promise<readonly LogEntry[]> {
  const { rows } = await session.query<LogEntry>(
    `SELECT action, user_agent AS "userAgent", address, created_at AS "createdAt",
            coalesce(details ->> 'user', '') AS who
     FROM action_log WHERE account_id = $1 ORDER BY id DESC LIMIT $2`,
    [accountId, countMax],
  )
  return rows
}

// Whether the person has done something from this address with this browser before, as far as the last thousand entries say.
export async function hasActedFrom(
  session: Session,
  accountId: AccountId,
  who: string,
  actor: Actor,
): Promise<boolean> {
  const { rows } = await session.query<{ isKnown: boolean }>(
    `SELECT EXISTS (
       SELECT FROM (SELECT address, user_agent, details FROM action_log WHERE account_id = $1 ORDER BY id DESC LIMIT 1000) AS latest
       WHERE address = $2 AND user_agent = $3 AND details ->> 'user' = $4) AS "isKnown"`,
    [accountId, actor.address, actor.userAgent, who],
  )
  return rows[0]?.isKnown === true
}

export async function readLastAction(
  session: Session,
  accountId: AccountId,
  action: string,
): Promise<Date | undefined> {
  const { rows } = await session.query<{ createdAt: Date }>(
    'SELECT created_at AS "createdAt" FROM action_log WHERE account_id = $1 AND action = $2 ORDER BY id DESC LIMIT 1',
    [accountId, action],
  )
  return rows[0]?.createdAt
}
