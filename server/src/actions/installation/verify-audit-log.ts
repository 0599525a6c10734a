import type { Database } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { countUnchained, readChain } from '../../db/installation/action-chain.ts'
import {
  type ChainFault,
  checkLinks,
  cutFaults,
  emptyChain,
  type NotedHead,
} from '../../domain/installation/action-chain.ts'

export type VerifiedChain = {
  // Of the database, counted from 0.
  readonly database: number
  readonly entries: number
  readonly head: string
  // Older than ten minutes and not in the chain.
  readonly unchained: number
  readonly faults: readonly ChainFault[]
}

export type DatabaseHead = NotedHead & { readonly database: number }

const batch = 5_000

// Reads every entry of the audit log. Heads come from the log of a keeper: without one, a cut end is not found.
export async function verifyAuditLog(
  { slots }: { readonly slots: SlotMap },
  heads: readonly DatabaseHead[],
): Promise<readonly VerifiedChain[]> {
  return Promise.all(
    slots.databases.map((database, index) =>
      verifyDatabase(
        database,
        index,
        heads.filter((head) => head.database === index),
      ),
    ),
  )
}

async function verifyDatabase(database: Database, index: number, heads: readonly NotedHead[]): Promise<VerifiedChain> {
  const faults: ChainFault[] = []
  let state = emptyChain
  let entries = 0
  for (;;) {
    const links = await readChain(database, state.sequence, batch)
    const checked = checkLinks(state, links, heads)
    faults.push(...checked.faults)
    entries += links.length
    state = checked.after
    if (links.length < batch) break
  }
  return {
    database: index,
    entries,
    head: `${state.sequence}:${Buffer.from(state.hash).toString('hex')}`,
    unchained: await countUnchained(database),
    faults: [...faults, ...cutFaults(state, heads)],
  }
}
