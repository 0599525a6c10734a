// Asks the database whether it would accept a call, without a trace: the functions decide as for a real one and roll back.

import { slotOfAccount } from '../../domain/core/slot.ts'
import type { NumberRef } from '../../domain/numbers/phone-number.ts'
import type { CallRequest } from '../../domain/verifications/call-request.ts'
import type { Session } from '../core/database.ts'
import type { SlotMap } from '../core/slot-map.ts'
import { reservationFields } from './number-limits.ts'
import { type Accepted, toRequestRecord } from './verification.ts'

type Decided = Pick<Accepted, 'decision' | 'retryMs'>
type Deps = { readonly slots: SlotMap; readonly timeScale: number }

// In the order of a real start: a number that another database keeps is asked about first.
export async function tryCall({ slots, timeScale }: Deps, request: CallRequest, number: NumberRef): Promise<Decided> {
  if (!request.isTest && !request.numberHashes) {
    const reservation = {
      ...number,
      // It is rolled back, so any that is not the ID of a verification will do.
      token: -1,
      serviceId: request.serviceId,
      keyDigests: undefined,
      calls10Minutes: request.calls10Minutes,
      callsDay: request.callsDay,
    }
    const reserved = await decide(slots.databaseOf(number.slot), 'try_reservation($1, $2)', [
      JSON.stringify(reservationFields(reservation)),
      timeScale,
    ])
    if (reserved.decision !== 'reserved') return reserved as Decided
  }
  const accepted = await decide(slots.databaseOf(slotOfAccount(request.accountId)), 'try_call($1, $2)', [
    JSON.stringify(toRequestRecord(request)),
    timeScale,
  ])
  return accepted as Decided
}

async function decide(
  session: Session,
  call: string,
  values: unknown[],
): Promise<{ readonly decision: string; readonly retryMs: number | null }> {
  const { rows } = await session.query<{ decision: string; retryMs: number | null }>(
    `SELECT decision, retry_ms AS "retryMs" FROM ${call}`,
    values,
  )
  const [row] = rows
  if (!row) throw new Error('the database decided nothing')
  return row
}
