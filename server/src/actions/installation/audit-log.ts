// What operators and people of accounts did, over all databases, newest first.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { type AuditEntry, searchActions } from '../../db/core/action-log.ts'
import type { Database } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { countUnchained, readChain, readChainHead } from '../../db/installation/action-chain.ts'
import {
  type ChainFault,
  checkLinks,
  cutFaults,
  emptyChain,
  type NotedHead,
} from '../../domain/installation/action-chain.ts'
import type { AuditFilter } from '../../domain/installation/audit-filter.ts'

type Deps = {
  readonly slots: SlotMap
}

export type AuditPage = {
  readonly entries: readonly (AuditEntry & { readonly database: number })[]
  // Microseconds since 1970; undefined: there are no more.
  readonly nextBefore: bigint | undefined
}

export async function listAuditLog({ slots }: Deps, filter: AuditFilter, limit: number): Promise<AuditPage> {
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

// A page of the audit log for the console, and the head of every chain.

export async function showAuditLog(
  { slots }: Deps,
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

type VerifiedChain = {
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
  { slots }: Deps,
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
