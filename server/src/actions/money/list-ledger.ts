import type { SlotMap } from '../../db/core/slot-map.ts'
import { type LedgerEntry, type LedgerFilter, searchLedger } from '../../db/money/ledger-entry.ts'
import { slotOfAccount, slotOfVerification, type VerificationId } from '../../domain/core/slot.ts'

type LedgerPage = {
  readonly entries: readonly LedgerEntry[]
  // There are entries with lower IDs.
  readonly nextBefore: number | undefined
}

// Newest first. Both entries of a verification are on one page, so it may have one more than the limit. With an account or a
// verification only its database is read.
export async function listLedger(
  { slots }: { readonly slots: SlotMap },
  { verificationId, ...filter }: LedgerFilter & { readonly verificationId: VerificationId | undefined },
  limit: number,
): Promise<LedgerPage> {
  const ofVerification = verificationId && { firstId: verificationId, endId: verificationId + 1 }
  const databases =
    verificationId !== undefined
      ? [slots.databaseOf(slotOfVerification(verificationId))]
      : filter.accountId !== undefined
        ? [slots.databaseOf(slotOfAccount(filter.accountId))]
        : slots.databases
  // Two more show whether there are more: an ID has up to two entries.
  const lists = await Promise.all(
    databases.map((database) => searchLedger(database, { ...filter, ...ofVerification }, limit + 2)),
  )
  const found = lists.flat().toSorted((a, b) => b.id - a.id || b.sequence - a.sequence)
  const lastId = found[limit - 1]?.id ?? 0
  const entries = found.filter(({ id }) => id >= lastId)
  return { entries, nextBefore: entries.length < found.length ? lastId : undefined }
}
