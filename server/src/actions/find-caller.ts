import type { CallerCache } from '../db/caller-cache.ts'
import { type Caller, keyFits } from '../domain/caller.ts'
import { isServiceId } from '../domain/slot.ts'

type Credentials = { readonly key: string; readonly serviceId: number }

// The service whose key this is; undefined when it is nobody's.
export async function findCaller(
  deps: { readonly callers: CallerCache },
  credentials: Credentials,
): Promise<Caller | undefined> {
  const { key, serviceId } = credentials
  if (!isServiceId(serviceId)) return undefined
  const found = await deps.callers.find(serviceId)
  return found && keyFits(key, found.known.keys, found.ageMs) ? found.known.caller : undefined
}
