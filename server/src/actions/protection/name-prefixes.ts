import type { SlotMap } from '../../db/core/slot-map.ts'
import { readHitPrefixes } from '../../db/protection/fraud-hit.ts'
import { type KeyRing, unseal } from '../../domain/crypto/sealing.ts'
import type { BreakerScope } from '../../domain/protection/prefix-gate.ts'

// The digits of ranges, by their digests, as far as a call to them was refused of late: only refusals keep them, sealed.
export async function namePrefixes(
  { slots, recordKeys }: { readonly slots: SlotMap; readonly recordKeys: KeyRing },
  scopes: readonly BreakerScope[],
): Promise<ReadonlyMap<BreakerScope, string>> {
  const prefixes = scopes.filter((scope) => /^\d+$/.test(scope)).map(Number)
  if (prefixes.length === 0) return new Map()
  const found = await Promise.all(slots.databases.map((database) => readHitPrefixes(database, prefixes)))
  return new Map(
    found
      .flat()
      .map(({ prefix, serviceId, sealed }) => [String(prefix), unseal(recordKeys, 'fraud-prefix', serviceId, sealed)]),
  )
}
