// All columns sealed with the seal-records key ring, so that they can be resealed with another key.

import type { SealPurpose } from '../../domain/crypto/sealing.ts'
import type { Session } from './database.ts'

export type SealedColumn = {
  readonly table: string
  readonly column: string
  // The key of a row, and the purpose and owner its text is sealed for.
  readonly key: 'id' | 'name' | 'account_id' | 'ctid'
  readonly purpose: SealPurpose
  readonly owner: string
  // Only in the global database: trunks, allowed prefixes, people, notices, invoices, and how customers pay.
  readonly isGlobal: boolean
}

const ofNotices = { table: 'notice_webhooks', key: 'account_id', owner: 'account_id', isGlobal: true } as const
const ofService = { key: 'id', owner: 'service_id', isGlobal: false } as const

export const sealedColumns: readonly SealedColumn[] = [
  { ...ofService, table: 'services', column: 'webhook_secret_sealed', purpose: 'webhook-secret', owner: 'id' },
  { ...ofService, table: 'services', column: 'webhook_secret_before_sealed', purpose: 'webhook-secret', owner: 'id' },
  { ...ofService, table: 'verifications', column: 'person_sealed', purpose: 'person' },
  { ...ofService, table: 'inbound_requests', column: 'callback_sealed', purpose: 'callback' },
  { ...ofService, table: 'webhooks', column: 'callback_sealed', purpose: 'callback' },
  { table: 'trunks', column: 'password_sealed', key: 'name', purpose: 'trunk-password', owner: 'name', isGlobal: true },
  { ...ofService, table: 'fraud_hits', column: 'prefix_sealed', key: 'ctid', purpose: 'fraud-prefix' },
  {
    table: 'allowed_prefixes',
    column: 'prefix_sealed',
    key: 'ctid',
    purpose: 'allowed-prefix',
    // Only prefixes, which are digits, are sealed.
    owner: 'scope::float8',
    isGlobal: true,
  },
  { table: 'users', column: 'totp_sealed', key: 'id', purpose: 'totp', owner: 'id', isGlobal: true },
  { ...ofNotices, column: 'url_sealed', purpose: 'notice-url' },
  { ...ofNotices, column: 'secret_sealed', purpose: 'notice-secret' },
  {
    table: 'payment_settings',
    column: 'secret_sealed',
    key: 'id',
    purpose: 'payment-secret',
    owner: 'id',
    isGlobal: true,
  },
  {
    table: 'legal_details',
    column: 'details_sealed',
    key: 'id',
    purpose: 'legal-details',
    owner: 'id',
    isGlobal: false,
  },
  {
    table: 'invoices',
    column: 'buyer_sealed',
    key: 'id',
    purpose: 'invoice-buyer',
    owner: 'account_id',
    isGlobal: true,
  },
]

export type SealedRow = { readonly key: number | string; readonly owner: number | string; readonly sealed: Buffer }

// Rows after the given key that are sealed with another ring key. Bytes 2 and 3 hold the ring key number.
export async function readSealedOtherwise(
  session: Session,
  { table, column, key, owner }: SealedColumn,
  ringKey: number,
  after: number | string | undefined,
  limit: number,
): Promise<readonly SealedRow[]> {
  const { rows } = await session.query<SealedRow>(
    `SELECT ${key} AS key, ${owner} AS owner, ${column} AS sealed FROM ${table}
     WHERE substring(${column} FROM 2 FOR 2) <> $1 AND ($2::text IS NULL OR ${key} > $2::text::${typeOf(key)})
     ORDER BY ${key} LIMIT $3`,
    [ringKeyBytes(ringKey), after ?? null, limit],
  )
  return rows
}

// Skips a row that has changed meanwhile.
export async function replaceSealed(
  session: Session,
  { table, column, key }: SealedColumn,
  rows: readonly (SealedRow & { readonly next: Buffer })[],
): Promise<void> {
  await session.query(
    `UPDATE ${table} AS t SET ${column} = r.next
     FROM unnest($1::text[], $2::bytea[], $3::bytea[]) AS r(key, sealed, next)
     WHERE t.${key} = r.key::${typeOf(key)} AND t.${column} = r.sealed`,
    [rows.map((row) => String(row.key)), rows.map(({ sealed }) => sealed), rows.map(({ next }) => next)],
  )
}

export async function countSealedWith(
  session: Session,
  { table, column }: SealedColumn,
  ringKeys: readonly number[],
): Promise<number> {
  const { rows } = await session.query<{ count: number }>(
    `SELECT count(*) AS count FROM ${table} WHERE substring(${column} FROM 2 FOR 2) = ANY ($1)`,
    [ringKeys.map(ringKeyBytes)],
  )
  return rows[0]?.count ?? 0
}

function typeOf(key: SealedColumn['key']): string {
  return key === 'name' ? 'text' : key === 'ctid' ? 'tid' : 'bigint'
}

function ringKeyBytes(ringKey: number): Buffer {
  return Buffer.from([ringKey >> 8, ringKey & 0xff])
}
