import type { Language } from '@ringproof/contract/lists/people.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import {
  isForWebhook,
  type Notice,
  type NoticeChannel,
  type NoticeCondition,
  type NoticeKind,
  readersOf,
} from '../../domain/notices/notice.ts'
import type { Session } from '../core/database.ts'
import type { UserId } from '../people/user.ts'

// Those of one database.
export async function readConditions(session: Session): Promise<readonly NoticeCondition[]> {
  const { rows } = await session.query<NoticeCondition>(
    'SELECT account_id AS "accountId", kind, subject, details FROM find_notice_conditions()',
  )
  return rows
}

// True for one keeper at a time, until the end of the transaction: conditions are announced in the order they were read.
export async function leadNotices(session: Session): Promise<boolean> {
  const { rows } = await session.query<{ isOurs: boolean }>(
    'SELECT pg_try_advisory_xact_lock(1380533059, 5) AS "isOurs"',
  )
  return rows[0]?.isOurs === true
}

// Returns those that are new, and forgets those that have not held for a while.
export async function noteConditions(
  session: Session,
  conditions: readonly NoticeCondition[],
  forgetSeconds: number,
): Promise<readonly NoticeCondition[]> {
  const keys = conditions.map(({ accountId, kind, subject }) => ({ account_id: accountId, kind, subject }))
  const listed = 'jsonb_to_recordset($1) AS listed(account_id integer, kind notice_kind, subject text)'
  await session.query(
    `UPDATE notice_conditions AS known SET held_at = clock_timestamp() FROM ${listed}
     WHERE (known.account_id, known.kind, known.subject) = (listed.account_id, listed.kind, listed.subject)`,
    [JSON.stringify(keys)],
  )
  await session.query('DELETE FROM notice_conditions WHERE held_at < clock_timestamp() - make_interval(secs => $1)', [
    forgetSeconds,
  ])
  const { rows } = await session.query<{ accountId: AccountId; kind: NoticeKind; subject: string }>(
    `INSERT INTO notice_conditions (account_id, kind, subject) SELECT account_id, kind, subject FROM ${listed}
     ON CONFLICT DO NOTHING RETURNING account_id AS "accountId", kind, subject`,
    [JSON.stringify(keys)],
  )
  const added = new Set(rows.map(keyOf))
  return conditions.filter((condition) => added.has(keyOf(condition)))
}

function keyOf({ accountId, kind, subject }: Pick<NoticeCondition, 'accountId' | 'kind' | 'subject'>): string {
  return `${accountId} ${kind} ${subject}`
}

// A message for each reader and each channel that is not switched off; for one reader only, if given.
export async function insertMessages(session: Session, notices: readonly Notice[], onlyUser?: UserId): Promise<void> {
  const records = notices.map(({ accountId, kind, details }) => ({
    account_id: accountId,
    kind,
    details,
    roles: readersOf[kind],
  }))
  await session.query(
    `INSERT INTO notice_messages (account_id, user_id, channel, kind, details)
     SELECT notice.account_id, reader.id, way.channel, notice.kind,
       notice.details || jsonb_build_object('at', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI'))
     FROM jsonb_to_recordset($1) AS notice(account_id integer, kind notice_kind, details jsonb, roles text[])
     JOIN memberships AS member ON member.account_id = notice.account_id AND member.role = ANY (notice.roles)
     JOIN users AS reader ON reader.id = member.user_id AND ($2::integer IS NULL OR reader.id = $2)
     CROSS JOIN unnest('{email,telegram}'::notice_channel[]) AS way(channel)
     WHERE (way.channel <> 'telegram' OR reader.telegram_since IS NOT NULL) AND NOT EXISTS (
       SELECT FROM notice_mutes AS mute
       WHERE mute.user_id = reader.id AND mute.account_id = notice.account_id AND mute.kind = notice.kind
         AND mute.channel = way.channel)`,
    [JSON.stringify(records), onlyUser ?? null],
  )
  await session.query(
    `INSERT INTO notice_messages (account_id, channel, kind, details)
     SELECT notice.account_id, 'webhook', notice.kind, notice.details
     FROM jsonb_to_recordset($1) AS notice(account_id integer, kind notice_kind, details jsonb)
     JOIN notice_webhooks AS receiver ON receiver.account_id = notice.account_id AND notice.kind <> ALL (receiver.muted)`,
    [JSON.stringify(records.filter(({ kind }) => isForWebhook(kind)))],
  )
}

export type NoticeMessage = Notice & {
  readonly id: number
  readonly channel: NoticeChannel
  // This one included.
  readonly attempts: number
  // Of the person; empty for a webhook.
  readonly email: string
  readonly language: Language
  // Null if the person has unlinked it meanwhile.
  readonly telegramId: number | null
  // Null if the account has removed its receiver meanwhile.
  readonly urlSealed: Buffer | null
  readonly secretSealed: Buffer | null
  // By the database's clock.
  readonly now: Date
}

// Due messages, which no other process claims before the lease ends.
export async function claimMessages(
  session: Session,
  countMax: number,
  leaseSeconds: number,
): Promise<readonly NoticeMessage[]> {
  const { rows } = await session.query<NoticeMessage>(
    `WITH due AS (
       SELECT id FROM notice_messages WHERE due_at <= clock_timestamp() ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
     ), claimed AS (
       UPDATE notice_messages AS message SET attempts = attempts + 1, due_at = clock_timestamp() + make_interval(secs => $2)
       FROM due WHERE message.id = due.id RETURNING message.*
     )
     SELECT claimed.id, claimed.account_id AS "accountId", kind, details, channel, attempts, coalesce(email, '') AS email,
       coalesce(language, 'en') AS language, CASE WHEN telegram_since IS NOT NULL THEN telegram_id END AS "telegramId",
       url_sealed AS "urlSealed", secret_sealed AS "secretSealed", clock_timestamp() AS now
     FROM claimed LEFT JOIN users AS reader ON reader.id = user_id
       LEFT JOIN notice_webhooks AS receiver ON channel = 'webhook' AND receiver.account_id = claimed.account_id`,
    [countMax, leaseSeconds],
  )
  return rows
}

export async function deleteMessage(session: Session, id: number): Promise<void> {
  await session.query('DELETE FROM notice_messages WHERE id = $1', [id])
}

export async function postponeMessage(session: Session, id: number, seconds: number): Promise<void> {
  await session.query(
    'UPDATE notice_messages SET due_at = clock_timestamp() + make_interval(secs => $2) WHERE id = $1',
    [id, seconds],
  )
}

type NoticeMute = { readonly kind: NoticeKind; readonly channel: NoticeChannel }

export async function readMutes(
  session: Session,
  userId: UserId,
  accountId: AccountId,
): Promise<readonly NoticeMute[]> {
  const { rows } = await session.query<NoticeMute>(
    'SELECT kind, channel FROM notice_mutes WHERE user_id = $1 AND account_id = $2',
    [userId, accountId],
  )
  return rows
}

export async function insertMute(
  session: Session,
  userId: UserId,
  accountId: AccountId,
  { kind, channel }: NoticeMute,
): Promise<void> {
  await session.query(
    'INSERT INTO notice_mutes (user_id, account_id, kind, channel) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [userId, accountId, kind, channel],
  )
}

export async function deleteMute(
  session: Session,
  userId: UserId,
  accountId: AccountId,
  { kind, channel }: NoticeMute,
): Promise<void> {
  await session.query(
    'DELETE FROM notice_mutes WHERE user_id = $1 AND account_id = $2 AND kind = $3 AND channel = $4',
    [userId, accountId, kind, channel],
  )
}

type NoticeReceiver = {
  readonly urlSealed: Buffer
  readonly secretSealed: Buffer
  readonly muted: readonly NoticeKind[]
}

export async function readReceiver(session: Session, accountId: AccountId): Promise<NoticeReceiver | undefined> {
  const { rows } = await session.query<NoticeReceiver>(
    `SELECT url_sealed AS "urlSealed", secret_sealed AS "secretSealed", muted::text[] AS muted
     FROM notice_webhooks WHERE account_id = $1`,
    [accountId],
  )
  return rows[0]
}

export async function putReceiver(
  session: Session,
  accountId: AccountId,
  { urlSealed, secretSealed }: Omit<NoticeReceiver, 'muted'>,
): Promise<void> {
  await session.query(
    `INSERT INTO notice_webhooks (account_id, url_sealed, secret_sealed) VALUES ($1, $2, $3)
     ON CONFLICT (account_id) DO UPDATE SET url_sealed = excluded.url_sealed, secret_sealed = excluded.secret_sealed`,
    [accountId, urlSealed, secretSealed],
  )
}

export async function deleteReceiver(session: Session, accountId: AccountId): Promise<void> {
  await session.query('DELETE FROM notice_webhooks WHERE account_id = $1', [accountId])
}

// Nothing without a receiver.
export async function muteReceiver(
  session: Session,
  accountId: AccountId,
  kind: NoticeKind,
  isMuted: boolean,
): Promise<void> {
  await session.query(
    `UPDATE notice_webhooks SET muted = array_remove(muted, $2) || CASE WHEN $3 THEN ARRAY[$2]::notice_kind[] ELSE '{}' END
     WHERE account_id = $1`,
    [accountId, kind, isMuted],
  )
}
