import { type ServiceSettingName, type SettingValue, serviceSettings } from '../../domain/accounts/service.ts'
import { type AccountId, numberedId, type ServiceId, type Slot } from '../../domain/core/slot.ts'
import type { MicroAmount } from '../../domain/money/money.ts'
import { UsageError } from '../../process/errors.ts'
import type { Session } from '../core/database.ts'

export type Service = {
  readonly id: ServiceId
  readonly accountId: AccountId
  // Calls only test numbers and the virtual phones of its account, and is free.
  readonly isTest: boolean
  readonly settings: Readonly<Record<ServiceSettingName, SettingValue>>
  readonly lastRequestAt: Date | null
  readonly createdAt: Date
}

const settingNames = Object.keys(serviceSettings) as ServiceSettingName[]

const settingColumns = settingNames.map((name) => `${serviceSettings[name].column} AS "${name}"`).join(', ')

const columns = `id, account_id AS "accountId", is_test AS "isTest", (SELECT u.last_request_at FROM service_usage AS u WHERE u.service_id = services.id) AS "lastRequestAt", created_at AS "createdAt", ${settingColumns}`

export async function nextServiceId(session: Session, slot: Slot): Promise<ServiceId> {
  const { rows } = await session.query<{ services: number }>(
    'UPDATE slot_counters SET services = services + 1 WHERE slot = $1 RETURNING services',
    [slot],
  )
  return numberedId(rows[0]?.services ?? 0, slot) as ServiceId
}

export async function insertService(
  session: Session,
  service: { id: ServiceId; accountId: AccountId; name: string; isTest: boolean; webhookSecretSealed: Buffer },
): Promise<void> {
  await session.query(
    'INSERT INTO services (id, account_id, name, is_test, webhook_secret_sealed) VALUES ($1, $2, $3, $4, $5)',
    [service.id, service.accountId, service.name, service.isTest, service.webhookSecretSealed],
  )
}

// Locks the service until the end of the transaction, so that what was read stays true.
export async function lockService(session: Session, id: ServiceId): Promise<Service> {
  const { rows } = await session.query(`SELECT ${columns} FROM services WHERE id = $1 FOR UPDATE`, [id])
  const [row] = rows
  if (!row) throw new UsageError(`Service ${id} does not exist. \`ringproof services list\` shows all services.`)
  return toService(row)
}

export async function readService(session: Session, id: ServiceId): Promise<Service | undefined> {
  const { rows } = await session.query(`SELECT ${columns} FROM services WHERE id = $1`, [id])
  return rows[0] && toService(rows[0])
}

// The services of one account, or all.
export async function listServices(session: Session, accountId?: AccountId): Promise<readonly Service[]> {
  const { rows } = await session.query(
    `SELECT ${columns} FROM services WHERE $1::integer IS NULL OR account_id = $1 ORDER BY created_at, id`,
    [accountId ?? null],
  )
  return rows.map(toService)
}

export async function listServiceIds(session: Session): Promise<readonly ServiceId[]> {
  const { rows } = await session.query<{ id: ServiceId }>('SELECT id FROM services ORDER BY id')
  return rows.map(({ id }) => id)
}

// The last start or lookup of any service of the account; null before the first.
export async function readLastRequest(session: Session, accountId: AccountId): Promise<Date | null> {
  const { rows } = await session.query<{ at: Date | null }>(
    `SELECT max(last_request_at) AS at FROM service_usage
     WHERE service_id IN (SELECT id FROM services WHERE account_id = $1)`,
    [accountId],
  )
  return rows[0]?.at ?? null
}

export async function setService(
  session: Session,
  id: ServiceId,
  changes: ReadonlyMap<ServiceSettingName, SettingValue>,
): Promise<void> {
  // Column names come from our settings table, never from input.
  const assignments = [...changes.keys()].map((name, index) => `${serviceSettings[name].column} = $${index + 2}`)
  await session.query(`UPDATE services SET ${assignments.join(', ')} WHERE id = $1`, [id, ...changes.values()])
}

// Returns how many were not archived before.
export async function archiveServices(session: Session, accountId: AccountId): Promise<number> {
  const { rowCount } = await session.query(
    `UPDATE services SET state = 'archived' WHERE account_id = $1 AND state <> 'archived'`,
    [accountId],
  )
  return rowCount ?? 0
}

// The previous secret also signs until the overlap ends. The calling code holds the service's lock.
export async function replaceWebhookSecret(
  session: Session,
  id: ServiceId,
  sealed: Buffer,
  overlapSeconds: number,
): Promise<void> {
  await session.query(
    `UPDATE services SET webhook_secret_sealed = $2,
       webhook_secret_before_sealed = CASE WHEN $3 > 0 THEN webhook_secret_sealed END,
       webhook_secret_before_until = CASE WHEN $3 > 0 THEN clock_timestamp() + make_interval(secs => $3) END
     WHERE id = $1`,
    [id, sealed, overlapSeconds],
  )
}

function toService(row: Record<string, unknown>): Service {
  const { id, accountId, isTest, lastRequestAt, createdAt } = row as Omit<Service, 'settings'>
  const settings = Object.fromEntries(settingNames.map((name) => [name, row[name]])) as Service['settings']
  return { id, accountId, isTest, lastRequestAt, createdAt, settings }
}

// What the service has started and spent in this UTC day, and started in this hour, by the counters that its caps use; tests do not count.
export async function readUsageToday(
  session: Session,
  id: ServiceId,
): Promise<{ readonly count: number; readonly hourCount: number; readonly spent: MicroAmount }> {
  const { rows } = await session.query<{ count: number; hourCount: number; spent: MicroAmount }>(
    `SELECT day_count AS count, day_spent AS spent,
       CASE WHEN hour = date_trunc('hour', clock_timestamp()) THEN hour_count ELSE 0 END AS "hourCount"
     FROM service_usage
     WHERE service_id = $1 AND day = date_trunc('day', clock_timestamp(), 'UTC')`,
    [id],
  )
  return rows[0] ?? { count: 0, hourCount: 0, spent: 0 as MicroAmount }
}
