// The chain over the audit log: the hash of a link covers its entry and the hash before it. So an entry that was changed or removed, and
// a link that was removed, are found. Somebody who cuts off the end, links included, leaves a right chain behind, only a shorter
// one: that is found by a head that was noted outside the database.

import { createHash } from 'node:crypto'

type Link = {
  readonly sequence: number
  readonly entryId: number
  readonly hash: Uint8Array
  // Null: the entry is gone.
  readonly body: string | null
}

export type NotedHead = { readonly sequence: number; readonly hash: string }

export type ChainFault = {
  readonly kind: 'removed' | 'changed' | 'gap' | 'cut' | 'rewritten'
  readonly sequence: number
  readonly entryId: number | undefined
}

type ChainState = { readonly sequence: number; readonly hash: Uint8Array }
export const emptyChain: ChainState = { sequence: 0, hash: new Uint8Array() }

// Checks the links that follow a state. After a fault it goes on with the stored hash: one fault is reported once.
export function checkLinks(
  before: ChainState,
  links: readonly Link[],
  heads: readonly NotedHead[],
): { readonly after: ChainState; readonly faults: readonly ChainFault[] } {
  const faults: ChainFault[] = []
  let { sequence, hash } = before
  for (const link of links) {
    const { entryId } = link
    const at = { sequence: link.sequence, entryId }
    if (link.sequence !== sequence + 1) faults.push({ kind: 'gap', sequence: sequence + 1, entryId: undefined })
    else if (link.body === null) faults.push({ kind: 'removed', ...at })
    else if (!isSame(hashOf(hash, link.body), link.hash)) faults.push({ kind: 'changed', ...at })
    const noted = heads.find((head) => head.sequence === link.sequence)
    if (noted && noted.hash !== Buffer.from(link.hash).toString('hex')) faults.push({ kind: 'rewritten', ...at })
    sequence = link.sequence
    hash = link.hash
  }
  return { after: { sequence, hash }, faults }
}

// Heads beyond the end of the chain.
export function cutFaults({ sequence }: ChainState, heads: readonly NotedHead[]): readonly ChainFault[] {
  return heads
    .filter((head) => head.sequence > sequence)
    .map((head) => ({ kind: 'cut', sequence: head.sequence, entryId: undefined }))
}

function hashOf(before: Uint8Array, body: string): Uint8Array {
  return createHash('sha256').update(before).update(body).digest()
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}
