// Charges number lookups, in batches.

import type { MicroRoubles } from '../domain/money/money.ts'
import type { AccountId, ServiceId } from '../domain/slot.ts'
import { slotOfAccount } from '../domain/slot.ts'
import { lanesOf } from './account-lanes.ts'
import { type Session, withLockTimeout } from './database.ts'
import type { MicroBatch } from './micro-batch.ts'
import type { SlotMap } from './slot-map.ts'

export type Lookup = { readonly accountId: AccountId; readonly serviceId: ServiceId; readonly price: MicroRoubles }

// The balance after the charge; unchanged if funds were insufficient.
export type ChargedLookup = { readonly charged: boolean; readonly balance: MicroRoubles }

export type ChargeLookup = MicroBatch<Lookup, ChargedLookup>

export function createLookupBatches(slots: SlotMap): ChargeLookup {
  const byDatabase = new Map(
    slots.databases.map((database) => [
      database,
      lanesOf(database).batch<Lookup, ChargedLookup>(
        (lookups) => lookups.map(({ accountId }) => accountId),
        (lookups, waitMs) => chargeLookups(database, lookups, waitMs),
      ),
    ]),
  )
  return async (lookup) => {
    const charge = byDatabase.get(slots.databaseOf(slotOfAccount(lookup.accountId)))
    if (!charge) throw new RangeError('database is not in the slot map')
    return charge(lookup)
  }
}

async function chargeLookups(
  session: Session,
  lookups: readonly Lookup[],
  waitMs: number,
): Promise<readonly ChargedLookup[]> {
  const records = lookups.map(({ accountId, serviceId, price }) => ({
    account_id: accountId,
    service_id: serviceId,
    price,
  }))
  const { rows } = await session.query<ChargedLookup>(
    `SELECT charged, balance FROM charge_lookups(${withLockTimeout('$1::jsonb', '$2')}) ORDER BY ord`,
    [JSON.stringify(records), String(waitMs)],
  )
  return rows
}
