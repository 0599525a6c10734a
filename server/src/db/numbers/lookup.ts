// Charges number lookups: those of the API in batches, those of a person's number check once for each idempotency key.

import type { AccountId, ServiceId, Slot } from '../../domain/core/slot.ts'
import { slotOfAccount } from '../../domain/core/slot.ts'
import type { MicroAmount } from '../../domain/money/money.ts'
import { lanesOf } from '../core/account-lanes.ts'
import { type Session, withLockTimeout } from '../core/database.ts'
import { followSlot } from '../core/follow-slot.ts'
import type { MicroBatch } from '../core/micro-batch.ts'
import type { SlotMap } from '../core/slot-map.ts'

type Lookup = { readonly accountId: AccountId; readonly serviceId: ServiceId; readonly price: MicroAmount }

// The balance after the charge; unchanged if funds were insufficient.
export type ChargedLookup = { readonly charged: boolean; readonly balance: MicroAmount }

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
  const chargeAt = async (slot: Slot, lookup: Lookup) => {
    const charge = byDatabase.get(slots.databaseOf(slot))
    if (!charge) throw new RangeError('database is not in the slot map')
    return charge(lookup)
  }
  return (lookup) => {
    const slot = slotOfAccount(lookup.accountId)
    return followSlot(slots, [slot], () => chargeAt(slot, lookup))
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

// Without digests it is charged whenever it comes.
export type KeyedLookup = Lookup & { readonly keyDigests: readonly Buffer[] }

// Charged before, under the same key: it costs nothing now.
type ChargedOnce = ChargedLookup & { readonly isRepeated: boolean }

// The keys of one call differ from each other.
export async function chargeLookupsOnce(
  session: Session,
  lookups: readonly KeyedLookup[],
): Promise<readonly ChargedOnce[]> {
  const records = lookups.map(({ accountId, serviceId, price, keyDigests }) => ({
    account_id: accountId,
    service_id: serviceId,
    price,
    key_digests: keyDigests.map((digest) => digest.toString('hex')),
  }))
  const { rows } = await session.query<ChargedOnce>(
    `SELECT charged, is_repeated AS "isRepeated", balance
     FROM charge_lookups_once($1::jsonb) ORDER BY ord`,
    [JSON.stringify(records)],
  )
  return rows
}
