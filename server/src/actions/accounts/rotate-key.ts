import { listApiKeys, replaceApiKey } from '../../db/accounts/api-key.ts'
import { lockService } from '../../db/accounts/service.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { apiKeyRandomBytes, firstKeyName, makeApiKey, storedKey } from '../../domain/accounts/api-key.ts'
import { type ServiceId, slotOfService } from '../../domain/core/slot.ts'
import { UsageError } from '../../process/errors.ts'

type Deps = { readonly slots: SlotMap; readonly randomBytes: (bytes: number) => Uint8Array }
type Command = { readonly serviceId: ServiceId; readonly name?: string; readonly overlapSeconds: number }

// Returns the new key, which is never shown again. It has the name, scopes and expiry of the key it replaces.
export async function rotateKey(deps: Deps, actor: Actor, command: Command): Promise<string> {
  const { serviceId, name = firstKeyName, overlapSeconds } = command
  const key = makeApiKey(deps.randomBytes(apiKeyRandomBytes))
  await inTransaction(deps.slots.databaseOf(slotOfService(serviceId)), async (session) => {
    const { accountId } = await lockService(session, serviceId)
    const keys = await listApiKeys(session, serviceId)
    const current = keys.find((known) => known.name === name && !known.isReplaced)
    if (!current) {
      throw new UsageError(
        `Service ${serviceId} has no key named ${name}. \`ringproof services keys list ${serviceId}\` shows its keys.`,
      )
    }
    if (!current.isValid) {
      throw new UsageError(
        `The key ${name} expired at ${current.validUntil?.toISOString()}. Revoke it and add another.`,
      )
    }
    const { scopes } = current
    await replaceApiKey(session, serviceId, storedKey(name, scopes, key), overlapSeconds)
    const details = { service: serviceId, key: name, overlapSeconds }
    await logAction(session, actor, { accountId, action: 'service key rotated', details })
  })
  return key
}
