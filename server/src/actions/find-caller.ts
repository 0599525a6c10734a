import type { ApiKeyUsage } from '../db/api-key-usage.ts'
import type { CallerCache } from '../db/caller-cache.ts'
import { hasWrongChecksum } from '../domain/api-key.ts'
import { type Authenticated, matchKey } from '../domain/caller.ts'
import { isServiceId } from '../domain/slot.ts'

type Credentials = { readonly key: string; readonly serviceId: number }

// The service whose key this is, and what the key may be used for; undefined when it is nobody's.
export async function findCaller(
  deps: { readonly callers: CallerCache; readonly keyUsage: ApiKeyUsage },
  credentials: Credentials,
): Promise<Authenticated | undefined> {
  const { key, serviceId } = credentials
  if (!isServiceId(serviceId) || hasWrongChecksum(key)) return undefined
  const found = await deps.callers.find(serviceId)
  const match = found && matchKey(key, found.known.keys, found.ageMs)
  if (!match) return undefined
  deps.keyUsage.note(match)
  return { caller: found.known.caller, scopes: match.scopes }
}
