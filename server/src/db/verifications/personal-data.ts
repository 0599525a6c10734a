// What the databases have about a person beside the verifications, and its erasure (functions/erase-person.sql).

import type { ServiceId, VerificationId } from '../../domain/core/slot.ts'
import type { Session } from '../core/database.ts'

// Of an inbound verification. The request is deleted minutes after it is over; the webhook lives as long as the verification.
type Callback = {
  readonly id: VerificationId
  readonly sealed: Buffer
  // Where the vault may have the number of the caller; null without a call.
  readonly vaultName: string | null
}

export async function readCallbacks(
  session: Session,
  ids: readonly VerificationId[],
): Promise<ReadonlyMap<VerificationId, Callback>> {
  const { rows } = await session.query<Callback>(
    `SELECT id, callback_sealed AS sealed, NULL AS "vaultName" FROM inbound_requests
     WHERE id = ANY ($1) AND callback_sealed IS NOT NULL
     UNION ALL
     SELECT id, callback_sealed, vault_name FROM webhooks WHERE id = ANY ($1)`,
    [ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export type NumberCall = { readonly at: Date; readonly serviceId: ServiceId }

// The calls that the limits of a number are counted by, in the database of the number.
export async function readNumberCalls(
  session: Session,
  hashes: readonly Buffer[],
): Promise<readonly NumberCall[] | undefined> {
  const { rows } = await session.query<{ at: Date | null; serviceId: ServiceId | null }>(
    `SELECT call.at, call.service AS "serviceId" FROM subscriber_numbers AS number
     LEFT JOIN LATERAL unnest(number.call_at, number.call_service) AS call(at, service) ON true
     WHERE number.hash = ANY ($1) ORDER BY call.at`,
    [hashes],
  )
  if (rows.length === 0) return undefined
  return rows.filter((row): row is NumberCall => row.at !== null)
}

export type Erasure = {
  readonly id: VerificationId
  // What replaces the hash and the sealed texts.
  readonly hash: Uint8Array
  readonly person: Buffer
  readonly callback: Buffer
}

// Returns those that were erased: a verification in progress is not.
export async function erasePersons(session: Session, erasures: readonly Erasure[]): Promise<readonly VerificationId[]> {
  const { rows } = await session.query<{ id: VerificationId }>('SELECT erase_persons($1, $2, $3, $4) AS id', [
    erasures.map(({ id }) => id),
    erasures.map(({ hash }) => Buffer.from(hash)),
    erasures.map(({ person }) => person),
    erasures.map(({ callback }) => callback),
  ])
  return rows.map(({ id }) => id)
}

// False if there was nothing, or a call to the number is in progress.
export async function eraseNumber(session: Session, hashes: readonly Buffer[]): Promise<boolean> {
  const { rows } = await session.query<{ erased: boolean }>('SELECT erase_number($1) AS erased', [hashes])
  return rows[0]?.erased === true
}
