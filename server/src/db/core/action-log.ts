import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import type { AuditFilter } from '../../domain/installation/audit-filter.ts'
import type { Database, Session } from './database.ts'
import type { SlotMap } from './slot-map.ts'

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

// Newest first, as the customer sees them: not from where an operator acted.
export async function readActions(
  slots: SlotMap,
  accountId: AccountId,
  countMax: number,
): Promise<readonly LogEntry[]> {
  const found = await Promise.all(
    logsOf(slots, accountId).map(async (database) => {
      const { rows } = await database.query<LogEntry>(
        `SELECT action, user_agent AS "userAgent", CASE operator WHEN '' THEN address ELSE '127.0.0.1' END AS address,
                created_at AS "createdAt", coalesce(details ->> 'user', '') AS who
         FROM action_log WHERE account_id = $1 ORDER BY id DESC LIMIT $2`,
        [accountId, countMax],
      )
      return rows
    }),
  )
  if (found.length === 1) return found.flat()
  return found
    .flat()
    .toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
    .slice(0, countMax)
}

// An entry is in the database of what it is about: people and their rights are in the global one, the rest is with the account.
export function logsOf({ databaseOf, globalDatabase }: SlotMap, accountId: AccountId): readonly Database[] {
  return [...new Set([databaseOf(slotOfAccount(accountId)), globalDatabase])]
}

type OperatorAction = {
  readonly id: number
  readonly action: string
  // The changed thing is `name`, or `trunk` for what belongs to a trunk; a change has the fields that differ in `before` and `after`.
  readonly details: Readonly<Record<string, unknown>>
  readonly address: string
  readonly createdAt: Date
  // The e-mail of the person, or the operating-system user behind the CLI.
  readonly who: string
}

// What operators did to things of no account, newest first; of one thing by its name. In the global database.
export async function readOperatorActions(
  globalDatabase: Session,
  { name, beforeId, countMax }: { readonly name?: string; readonly beforeId?: number; readonly countMax: number },
): Promise<readonly OperatorAction[]> {
  const { rows } = await globalDatabase.query<OperatorAction>(
    `SELECT id::float8 AS id, action, details - 'user' AS details, address, created_at AS "createdAt",
            coalesce(details ->> 'user', nullif(operator, ''), '') AS who
     FROM action_log
     WHERE account_id IS NULL AND ($1::text IS NULL OR coalesce(details ->> 'name', details ->> 'trunk') = $1) AND ($2::bigint IS NULL OR id < $2)
     ORDER BY id DESC LIMIT $3`,
    [name ?? null, beforeId ?? null, countMax],
  )
  return rows
}

export type AuditEntry = {
  readonly id: number
  // Microseconds since 1970.
  readonly atMicros: string
  readonly accountId: AccountId | null
  readonly action: string
  readonly details: Readonly<Record<string, unknown>>
  readonly address: string
  // The e-mail of a person, or the user of the machine behind the command line.
  readonly who: string
}

// Newest first.
export async function searchActions(
  session: Session,
  { accountId, action, who, beforeMicros }: AuditFilter,
  limit: number,
): Promise<readonly AuditEntry[]> {
  const person = `coalesce(details ->> 'user', nullif(operator, ''), '')`
  const { rows } = await session.query<AuditEntry>(
    `SELECT id::float8 AS id, (extract(epoch FROM created_at) * 1000000)::bigint::text AS "atMicros",
       account_id AS "accountId", action, details - 'user' AS details, address, ${person} AS who
     FROM action_log
     WHERE ($1::integer IS NULL OR account_id = $1) AND ($2::text IS NULL OR strpos(lower(action), lower($2)) > 0)
       AND ($3::text IS NULL OR ${person} = $3)
       AND ($4::bigint IS NULL OR created_at < to_timestamp(0) + $4 * interval '1 microsecond')
     ORDER BY created_at DESC, id DESC LIMIT $5`,
    [accountId ?? null, action ?? null, who ?? null, beforeMicros ?? null, limit],
  )
  return rows
}

// Whether the person has done something from this address with this browser before, as far as the last thousand entries say.
export async function hasActedFrom(slots: SlotMap, accountId: AccountId, who: string, actor: Actor): Promise<boolean> {
  const found = await Promise.all(
    logsOf(slots, accountId).map((database) =>
      database.query<{ isKnown: boolean }>(
        `SELECT EXISTS (
           SELECT FROM (SELECT address, user_agent, details FROM action_log WHERE account_id = $1 ORDER BY id DESC LIMIT 1000) AS latest
           WHERE address = $2 AND user_agent = $3 AND details ->> 'user' = $4) AS "isKnown"`,
        [accountId, actor.address, actor.userAgent, who],
      ),
    ),
  )
  return found.some(({ rows }) => rows[0]?.isKnown === true)
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
