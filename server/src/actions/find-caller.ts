import type { ApiKeyUsage } from '../db/api-key-usage.ts'
import type { CallerCache } from '../db/caller-cache.ts'
import { digestApiKey, hasWrongChecksum } from '../domain/api-key.ts'
import { type Authenticated, matchKey } from '../domain/caller.ts'
import { isServiceId, type ServiceId } from '../domain/slot.ts'

type Credentials = { readonly key: string; readonly serviceId: number }

type Deps = {
  readonly callers: CallerCache
  readonly keyUsage: ApiKeyUsage
  // For a wrong key; undefined when there is no such service.
  readonly noteFailure: (serviceId: ServiceId | undefined) => void
}

// The service whose key this is; undefined when it is nobody's. How long that takes does not tell whether the service
// exists.
export async function findCaller(deps: Deps, credentials: Credentials): Promise<Authenticated | undefined> {
  const { key, serviceId } = credentials
  if (!isServiceId(serviceId) || hasWrongChecksum(key)) {
    deps.noteFailure(undefined)
    return undefined
  }
  const shown = digestApiKey(key)
  const found = await deps.callers.find(serviceId)
  const match = matchKey(shown, found.known, found.ageMs) ?? (await matchAgain(deps.callers, serviceId, shown))
  if (match) deps.keyUsage.note(match.key)
  else deps.noteFailure(found.known.caller?.serviceId)
  return match
}

// A key that was added a moment ago is in the database before this process hears of it.
async function matchAgain(
  callers: CallerCache,
  serviceId: ServiceId,
  shown: Buffer,
): Promise<Authenticated | undefined> {
  const { known, ageMs } = await callers.checkAgain(serviceId)
  return matchKey(shown, known, ageMs)
}
