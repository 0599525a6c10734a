// What operators and people of accounts did, over all databases, newest first.

import { type AuditEntry, type AuditFilter, searchActions } from '../../db/core/action-log.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'

export type AuditPage = {
  readonly entries: readonly (AuditEntry & { readonly database: number })[]
  // Microseconds since 1970; undefined: there are no more.
  readonly nextBefore: bigint | undefined
}

export async function listAuditLog(
  { slots }: { readonly slots: SlotMap },
  filter: AuditFilter,
  limit: number,
): Promise<AuditPage> {
  const pages = await Promise.all(
    slots.databases.map(async (database, index) =>
      (await searchActions(database, filter, limit + 1)).map((entry) => ({ ...entry, database: index })),
    ),
  )
  const found = pages.flat().toSorted((one, other) => Number(BigInt(other.atMicros) - BigInt(one.atMicros)))
  const entries = found.slice(0, limit)
  const last = entries.at(-1)
  return { entries, nextBefore: found.length > limit && last ? BigInt(last.atMicros) : undefined }
}
