// Virtual phones and their faults, in the global database.

import type { ApiClient } from '../../domain/accounts/api-client.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import type { PhoneNumber } from '../../domain/numbers/phone-number.ts'
import { isScenarioNumber, scenarioNumbers } from '../../domain/numbers/test-number.ts'
import type { PhoneFault, PhoneState } from '../../domain/phones/virtual-phone.ts'
import { type Database, inTransaction, type Session } from '../core/database.ts'

type StoredPhone = { readonly number: PhoneNumber; readonly accountId: AccountId; readonly state: PhoneState }

const columns = 'number::text, account_id AS "accountId", state'

export async function readPhone(globalDatabase: Session, number: PhoneNumber): Promise<StoredPhone | undefined> {
  const { rows } = await globalDatabase.query<StoredPhone>(
    `SELECT ${columns} FROM virtual_phones WHERE number = $1::bigint`,
    [number],
  )
  return rows[0]
}

// Only test services ask: no other start waits for this.
export async function isOwnPhone(
  globalDatabase: Session,
  { accountId, isTest }: Pick<ApiClient, 'accountId' | 'isTest'>,
  number: PhoneNumber,
): Promise<boolean> {
  if (!isTest || !isScenarioNumber(number)) return false
  return (await readPhone(globalDatabase, number))?.accountId === accountId
}

export async function listPhones(globalDatabase: Session, accountId: AccountId): Promise<readonly StoredPhone[]> {
  const { rows } = await globalDatabase.query<StoredPhone>(
    `SELECT ${columns} FROM virtual_phones WHERE account_id = $1 ORDER BY created_at, number`,
    [accountId],
  )
  return rows
}

// Adds phones to an account that has fewer than the maximum. Undefined if it has not, or if every number is taken.
export async function addPhones(
  globalDatabase: Database,
  accountId: AccountId,
  { count, max }: { readonly count: number; readonly max: number },
): Promise<PhoneNumber | undefined> {
  return inTransaction(globalDatabase, async (session) => {
    // One at a time over all accounts: the free number that is picked stays free, and no account gets more than its share.
    await session.query('SELECT pg_advisory_xact_lock(1380533059, 5)')
    const known = (await listPhones(session, accountId)).length
    const { rows } = await session.query<{ number: PhoneNumber }>(
      `INSERT INTO virtual_phones (number, account_id)
       SELECT free, $1 FROM generate_series($2::bigint, $3::bigint) AS free
       WHERE NOT EXISTS (SELECT FROM virtual_phones AS taken WHERE taken.number = free)
       ORDER BY random() LIMIT $4 RETURNING number::text`,
      [accountId, scenarioNumbers.first, scenarioNumbers.last, Math.max(0, Math.min(count, max - known))],
    )
    return rows[0]?.number
  })
}

// False if the account has no such phone.
export async function setPhoneState(
  globalDatabase: Session,
  accountId: AccountId,
  number: PhoneNumber,
  state: PhoneState,
): Promise<boolean> {
  const { rowCount } = await globalDatabase.query(
    'UPDATE virtual_phones SET state = $3 WHERE number = $1::bigint AND account_id = $2',
    [number, accountId, state],
  )
  return rowCount === 1
}

export async function readFaults(globalDatabase: Session, accountId: AccountId): Promise<ReadonlySet<PhoneFault>> {
  const { rows } = await globalDatabase.query<{ fault: PhoneFault }>(
    'SELECT fault FROM virtual_phone_faults WHERE account_id = $1 ORDER BY fault',
    [accountId],
  )
  return new Set(rows.map(({ fault }) => fault))
}

export async function setFault(
  globalDatabase: Session,
  accountId: AccountId,
  fault: PhoneFault,
  isOn: boolean,
): Promise<void> {
  await globalDatabase.query(
    isOn
      ? 'INSERT INTO virtual_phone_faults (account_id, fault) VALUES ($1, $2) ON CONFLICT DO NOTHING'
      : 'DELETE FROM virtual_phone_faults WHERE account_id = $1 AND fault = $2',
    [accountId, fault],
  )
}
