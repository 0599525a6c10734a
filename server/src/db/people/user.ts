import type { Language } from '@ringproof/contract/lists/people.ts'
import type { OperatorRole } from '@ringproof/contract/web/access.ts'
import type { Actor } from '../core/action-log.ts'
import type { Session } from '../core/database.ts'

export type UserId = number & { readonly unit: 'user' }

export type User = {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly language: Language
  readonly passwordHash: string
  readonly operatorRole: OperatorRole | null
  readonly totpSealed: Buffer | null
  readonly totpSince: Date | null
  readonly totpStep: number
  readonly telegramId: number | null
  readonly telegramName: string
  readonly telegramSince: Date | null
  readonly passkeyCount: number
  // Browsers that signed in under an earlier one are strangers.
  readonly browserGeneration: number
  readonly signedUpAt: Date
  readonly createdAt: Date
}

const columns = `u.id, u.email, u.name, u.language, u.password_hash AS "passwordHash", u.operator_role AS "operatorRole",
  u.totp_sealed AS "totpSealed", u.totp_since AS "totpSince", u.totp_step AS "totpStep", u.telegram_id AS "telegramId",
  u.telegram_name AS "telegramName", u.telegram_since AS "telegramSince",
  (SELECT count(*)::integer FROM passkeys AS p WHERE p.user_id = u.id) AS "passkeyCount",
  u.browser_generation AS "browserGeneration", u.signed_up_at AS "signedUpAt", u.created_at AS "createdAt"`

type NewUser = {
  readonly email: string
  readonly name: string
  readonly language: string
  readonly passwordHash: string
  // Accepted now, unless empty.
  readonly termsVersion: string
  readonly signedUpAt: Date | undefined
}

// Undefined if the e-mail has a user already.
export async function insertUser(session: Session, user: NewUser): Promise<UserId | undefined> {
  const { rows } = await session.query<{ id: UserId }>(
    `INSERT INTO users (email, name, language, password_hash, terms_version, terms_accepted_at, signed_up_at)
     VALUES ($1, $2, $3, $4, $5, CASE WHEN $5 <> '' THEN clock_timestamp() END, coalesce($6, clock_timestamp()))
     ON CONFLICT (email) DO NOTHING RETURNING id`,
    [user.email, user.name, user.language, user.passwordHash, user.termsVersion, user.signedUpAt ?? null],
  )
  return rows[0]?.id
}

export async function readUser(session: Session, id: UserId): Promise<User | undefined> {
  const { rows } = await session.query<User>(`SELECT ${columns} FROM users AS u WHERE u.id = $1`, [id])
  return rows[0]
}

export async function forgetBrowsers(session: Session, id: UserId): Promise<void> {
  await session.query('UPDATE users SET browser_generation = browser_generation + 1 WHERE id = $1', [id])
}

export async function findUser(session: Session, email: string): Promise<User | undefined> {
  const { rows } = await session.query<User>(`SELECT ${columns} FROM users AS u WHERE u.email = $1`, [email])
  return rows[0]
}

// Locks the user until the end of the transaction: a time step of the authenticator app is used only once.
export async function lockUser(session: Session, id: UserId): Promise<User> {
  const { rows } = await session.query<User>(`SELECT ${columns} FROM users AS u WHERE u.id = $1 FOR UPDATE OF u`, [id])
  const [user] = rows
  if (!user) throw new Error(`user ${id} of an open session does not exist`)
  return user
}

type Operator = User & { readonly operatorRole: OperatorRole; readonly seenAt: Date | null }

export async function listOperators(session: Session): Promise<readonly Operator[]> {
  const { rows } = await session.query<Operator>(
    `SELECT ${columns}, (SELECT max(s.seen_at) FROM web_sessions AS s WHERE s.user_id = u.id) AS "seenAt"
     FROM users AS u WHERE u.operator_role IS NOT NULL ORDER BY u.id`,
  )
  return rows
}

type UserChange = Partial<{
  readonly name: string
  readonly language: string
  readonly passwordHash: string
  readonly totpSealed: Buffer | null
  readonly totpSince: Date | null
  readonly totpStep: number
  readonly telegramId: number | null
  readonly telegramName: string
  readonly telegramSince: Date | null
}>

const columnOf: Readonly<Record<keyof UserChange, string>> = {
  name: 'name',
  language: 'language',
  passwordHash: 'password_hash',
  totpSealed: 'totp_sealed',
  totpSince: 'totp_since',
  totpStep: 'totp_step',
  telegramId: 'telegram_id',
  telegramName: 'telegram_name',
  telegramSince: 'telegram_since',
}

export async function changeUser(session: Session, id: UserId, changes: UserChange): Promise<void> {
  const names = Object.keys(changes) as (keyof UserChange)[]
  const assignments = names.map((name, index) => `${columnOf[name]} = $${index + 2}`)
  await session.query(`UPDATE users SET ${assignments.join(', ')} WHERE id = $1`, [
    id,
    ...names.map((name) => changes[name]),
  ])
}

// With the entry in the action log, by the function that alone may do it. The person with this e-mail gives the role.
export async function setOperatorRole(
  session: Session,
  actor: Actor,
  by: string,
  { userId, role }: { readonly userId: UserId; readonly role: OperatorRole | null },
): Promise<void> {
  const values = [userId, role, by, actor.address, actor.userAgent]
  await session.query('SELECT set_operator_role($1, $2, $3, $4, $5)', values)
}
