// The limits of a destination number that belongs to another database than the account.

import type { ServiceId, Slot } from '../../domain/core/slot.ts'
import { byteaText, type Session } from '../core/database.ts'
import type { AcceptDecision } from './verification.ts'

export type Reservation = {
  readonly slot: Slot
  // Hashes and digests under every ring key still in use, the active one first.
  readonly hashes: readonly Buffer[]
  readonly token: number
  readonly serviceId: ServiceId
  readonly keyDigests: readonly Buffer[] | undefined
  readonly calls10Minutes: number
  readonly callsDay: number
  readonly optOutDigest: Buffer
  // Its cooldown is waived.
  readonly continuesLease?: number | undefined
}

// The call is over; or, given back, it never took place.
export type NumberClose = {
  readonly slot: Slot
  readonly hashes: readonly Buffer[]
  readonly leaseId: number
  readonly givesBack: boolean
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
  const { rows } = await session.query<Reserved>({
    name: 'reserve-numbers',
    text: 'SELECT decision, retry_ms AS "retryMs", token FROM reserve_numbers($1, $2) ORDER BY ord',
    values: [JSON.stringify(reservations.map(reservationFields)), timeScale],
  })
  return rows
}

export async function closeNumbers(session: Session, closes: readonly NumberClose[]): Promise<void> {
  const listed = closes.map(({ hashes, leaseId, givesBack }) => ({
    hashes: hashes.map(byteaText),
    lease_id: leaseId,
    gives_back: givesBack,
  }))
  await session.query({ name: 'close-numbers', text: 'SELECT close_numbers($1)', values: [JSON.stringify(listed)] })
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
    continues_lease: reservation.continuesLease,
  }
}
