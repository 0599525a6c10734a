import { type AccountId, numberedId, type Slot } from '../../domain/core/slot.ts'
import type { MicroAmount } from '../../domain/money/money.ts'
import { UsageError } from '../../process/errors.ts'
import type { Session } from '../core/database.ts'

export type Account = {
  readonly id: AccountId
  readonly email: string
  readonly name: string
  readonly timeZone: string
  readonly tariff: string
  readonly balance: MicroAmount
  readonly held: MicroAmount
  readonly blockedAt: Date | null
  readonly closedAt: Date | null
  readonly mustVerifyPhone: boolean
  readonly telegramId: number | null
  readonly twoAuth: boolean
  readonly createdAt: Date
  readonly activeAt: Date
}

const columns = `id, email, name, time_zone AS "timeZone", tariff, balance, held, blocked_at AS "blockedAt", closed_at AS "closedAt", must_verify_phone AS "mustVerifyPhone", telegram_id AS "telegramId",
  two_auth AS "twoAuth", created_at AS "createdAt", active_at AS "activeAt"`

export async function nextAccountId(session: Session, slot: Slot): Promise<AccountId> {
  const { rows } = await session.query<{ accounts: number }>(
    'UPDATE slot_counters SET accounts = accounts + 1 WHERE slot = $1 RETURNING accounts',
    [slot],
  )
  return numberedId(rows[0]?.accounts ?? 0, slot) as AccountId
}

// Returns the account that holds this e-mail: the given one if the e-mail was free.
export async function reserveEmail(globalDatabase: Session, email: string, id: AccountId): Promise<AccountId> {
  await globalDatabase.query('INSERT INTO account_emails (email, account_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    email,
    id,
  ])
  return (await findAccountByEmail(globalDatabase, email)) ?? id
}

// False if it already exists.
export async function insertAccount(session: Session, id: AccountId, email: string, tariff: string): Promise<boolean> {
  const { rowCount } = await session.query(
    'INSERT INTO accounts (id, email, tariff) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [id, email, tariff],
  )
  return rowCount === 1
}

// Locks the account until the end of the transaction, so that what was read stays true.
export async function lockAccount(session: Session, id: AccountId): Promise<Account> {
  const { rows } = await session.query<Account>(`SELECT ${columns} FROM accounts WHERE id = $1 FOR UPDATE`, [id])
  const [account] = rows
  if (!account) throw new UsageError(`Account ${id} does not exist. \`ringproof accounts list\` shows all accounts.`)
  return account
}

export async function readAccount(session: Session, id: AccountId): Promise<Account | undefined> {
  const { rows } = await session.query<Account>(`SELECT ${columns} FROM accounts WHERE id = $1`, [id])
  return rows[0]
}

// All databases, oldest first.
export async function hasAccounts(session: Session): Promise<boolean> {
  const { rowCount } = await session.query('SELECT FROM accounts LIMIT 1')
  return (rowCount ?? 0) > 0
}

export async function hasBalances(session: Session): Promise<boolean> {
  const { rowCount } = await session.query('SELECT FROM accounts WHERE balance <> 0 OR held <> 0 LIMIT 1')
  return (rowCount ?? 0) > 0
}

export async function listAccounts(databases: readonly Session[]): Promise<readonly Account[]> {
  const found = await Promise.all(databases.map((one) => one.query<Account>(`SELECT ${columns} FROM accounts`)))
  return found
    .flatMap(({ rows }) => rows)
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id)
}

export async function listAccountIds(session: Session): Promise<readonly AccountId[]> {
  const { rows } = await session.query<{ id: AccountId }>('SELECT id FROM accounts ORDER BY id')
  return rows.map(({ id }) => id)
}

// The name, or the e-mail of an account without one.
export async function readAccountNames(
  databases: readonly Session[],
  ids: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, string>> {
  const found = await Promise.all(
    databases.map((database) =>
      database.query<{ id: AccountId; name: string }>(
        `SELECT id, coalesce(nullif(name, ''), email) AS name FROM accounts WHERE id = ANY ($1)`,
        [ids],
      ),
    ),
  )
  return new Map(found.flatMap(({ rows }) => rows.map(({ id, name }) => [id, name])))
}

// Keeps the time at which it was first blocked.
export async function blockAccount(session: Session, id: AccountId): Promise<void> {
  await session.query('UPDATE accounts SET blocked_at = coalesce(blocked_at, clock_timestamp()) WHERE id = $1', [id])
}

export async function unblockAccount(session: Session, id: AccountId): Promise<void> {
  await session.query('UPDATE accounts SET blocked_at = NULL WHERE id = $1', [id])
}

export async function setAccountClosed(session: Session, id: AccountId, isClosed: boolean): Promise<void> {
  await session.query('UPDATE accounts SET closed_at = CASE WHEN $2 THEN clock_timestamp() END WHERE id = $1', [
    id,
    isClosed,
  ])
}

export async function setAccountTariff(session: Session, id: AccountId, tariff: string): Promise<void> {
  await session.query('UPDATE accounts SET tariff = $2 WHERE id = $1', [id, tariff])
}

export async function setMustVerifyPhone(session: Session, id: AccountId, mustVerify: boolean): Promise<void> {
  await session.query('UPDATE accounts SET must_verify_phone = $2 WHERE id = $1', [id, mustVerify])
}

export async function findAccountByEmail(globalDatabase: Session, email: string): Promise<AccountId | undefined> {
  const { rows } = await globalDatabase.query<{ id: AccountId }>(
    'SELECT account_id AS id FROM account_emails WHERE email = $1',
    [email],
  )
  return rows[0]?.id
}

// What is undefined stays.
export async function setAccountProfile(
  session: Session,
  id: AccountId,
  { name, timeZone }: { readonly name?: string | undefined; readonly timeZone?: string | undefined },
): Promise<void> {
  await session.query(
    'UPDATE accounts SET name = coalesce($2, name), time_zone = coalesce($3, time_zone) WHERE id = $1',
    [id, name ?? null, timeZone ?? null],
  )
}

export async function setTwoAuth(
  session: Session,
  id: AccountId,
  { twoAuth, telegramId }: Pick<Account, 'twoAuth' | 'telegramId'>,
): Promise<void> {
  await session.query('UPDATE accounts SET two_auth = $2, telegram_id = $3 WHERE id = $1', [id, twoAuth, telegramId])
}
