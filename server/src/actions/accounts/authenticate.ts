import type { ApiKeyUsage } from '../../db/accounts/api-key-usage.ts'
import type { ClientCache } from '../../db/accounts/client-cache.ts'
import { type Authenticated, matchKey, type WrongKey } from '../../domain/accounts/api-client.ts'
import { digestApiKey, hasWrongChecksum } from '../../domain/accounts/api-key.ts'
import { isServiceId, type ServiceId } from '../../domain/core/slot.ts'

type Credentials = { readonly key: string; readonly serviceId: number }

type Deps = {
  readonly apiClients: ClientCache
  readonly keyUsage: ApiKeyUsage
  // Called for a wrong key; undefined if there is no such service.
  readonly noteFailure: (serviceId: ServiceId | undefined) => void
}

// The service that the key belongs to, or the one that a wrong key was sent for. The time it takes does not reveal whether the service exists.
export async function authenticate(deps: Deps, credentials: Credentials): Promise<Authenticated | WrongKey> {
  const { key, serviceId } = credentials
  if (!isServiceId(serviceId) || hasWrongChecksum(key)) {
    deps.noteFailure(undefined)
    return { apiClient: undefined, key: undefined }
  }
  const digest = digestApiKey(key)
  const found = await deps.apiClients.find(serviceId)
  const match = matchKey(digest, found.known, found.ageMs) ?? (await matchAgain(deps.apiClients, serviceId, digest))
  if (match) {
    deps.keyUsage.note(match.key)
    return match
  }
  const { apiClient } = found.known
  deps.noteFailure(apiClient?.serviceId)
  return { apiClient, key: undefined }
}

// A key added a moment ago is in the database before the notification reaches this process.
async function matchAgain(
  apiClients: ClientCache,
  serviceId: ServiceId,
  digest: Buffer,
): Promise<Authenticated | undefined> {
  const { known, ageMs } = await apiClients.checkAgain(serviceId)
  return matchKey(digest, known, ageMs)
}
