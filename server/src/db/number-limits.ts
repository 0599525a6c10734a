// The limits of a destination number that belongs to another database than the account.

import type { ServiceId } from '../domain/slot.ts'
import { byteaText, type Session } from './database.ts'
import type { AcceptDecision } from './verification.ts'

export type Reservation = {
  // Hashes and digests under every ring key still in use, the active one first.
  readonly hashes: readonly Buffer[]
  readonly token: number
  readonly serviceId: ServiceId
  readonly keyDigests: readonly Buffer[] | undefined
  readonly calls10Minutes: number
  readonly callsDay: number
  readonly optOutDigest: Buffer
}

export type Reserved = {
  readonly decision: 'reserved' | AcceptDecision
  readonly retryMs: number | null
  // Differs from the requested one if a retry of the same request has already reserved it.
  readonly token: number
}

export async function reserveNumbers(
  session: Session,
  reservations: readonly Reservation[],
  timeScale: number,
): Promise<readonly Reserved[]> {
  const { rows } = await session.query<Reserved>(
    `SELECT decision, retry_ms AS "retryMs", token FROM reserve_numbers($1, $2) ORDER BY ord`,
    [JSON.stringify(reservations.map(reservationFields)), timeScale],
  )
  return rows
}

export async function confirmNumber(
  session: Session,
  hashes: readonly Buffer[],
  token: number,
  timeScale: number,
): Promise<boolean> {
  const { rows } = await session.query<{ confirmed: boolean }>('SELECT confirm_number($1, $2, $3) AS confirmed', [
    hashes,
    token,
    timeScale,
  ])
  return rows[0]?.confirmed === true
}

export async function closeNumber(
  session: Session,
  hashes: readonly Buffer[],
  token: number,
  givesBack: boolean,
): Promise<void> {
  await session.query('SELECT close_number($1, $2, $3)', [hashes, token, givesBack])
}

export function reservationFields(reservation: Reservation): Record<string, unknown> {
  return {
    hashes: reservation.hashes.map(byteaText),
    token: reservation.token,
    service_id: reservation.serviceId,
    key_digests: reservation.keyDigests?.map(byteaText),
    calls_10_minutes: reservation.calls10Minutes,
    calls_day: reservation.callsDay,
    opt_out_digest: byteaText(reservation.optOutDigest),
  }
}
