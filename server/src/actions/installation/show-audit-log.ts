// A page of the audit log for the console, and the head of every chain.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { AuditFilter } from '../../db/core/action-log.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readChainHead } from '../../db/installation/action-chain.ts'
import { listAuditLog } from './list-audit-log.ts'

export async function showAuditLog(
  { slots }: { readonly slots: SlotMap },
  filter: AuditFilter,
  limit: number,
): Promise<WebOutput<'audit-log'>> {
  const [{ entries, nextBefore }, heads] = await Promise.all([
    listAuditLog({ slots }, filter, limit),
    Promise.all(slots.databases.map(readChainHead)),
  ])
  return {
    entries: entries.map(({ database, id, atMicros, details, ...entry }) => ({
      key: `${database}:${id}`,
      at: Math.floor(Number(atMicros) / 1_000),
      details: JSON.stringify(details),
      ...entry,
    })),
    nextBefore: nextBefore === undefined ? null : String(nextBefore),
    chains: heads.map((head) => ({
      sequence: head?.sequence ?? 0,
      hash: head ? head.hash.toString('hex') : '',
      chainedAt: head ? head.chainedAt.getTime() : null,
    })),
  }
}
