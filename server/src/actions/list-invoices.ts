import { type Invoice, listInvoices as listInDatabase } from '../db/invoice.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { AccountId } from '../domain/slot.ts'

type Filter = { readonly accountId: AccountId | undefined; readonly isUnpaid: boolean }

// Of all accounts, newest first.
export async function listInvoices(
  { slots }: { readonly slots: SlotMap },
  filter: Filter,
  limit: number,
): Promise<readonly Invoice[]> {
  return listInDatabase(slots.globalDatabase, filter, limit)
}
