import { insertApiKey, listApiKeys } from '../../db/accounts/api-key.ts'
import { lockService } from '../../db/accounts/service.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import {
  apiKeyRandomBytes,
  dashboardKeyName,
  type KeyScope,
  keysPerServiceMax,
  makeApiKey,
  storedKey,
} from '../../domain/accounts/api-key.ts'
import { type ServiceId, slotOfService } from '../../domain/core/slot.ts'
import { daySeconds } from '../../domain/values/time.ts'
import { UsageError } from '../../process/errors.ts'

type Deps = { readonly slots: SlotMap; readonly randomBytes: (bytes: number) => Uint8Array }
type Command = {
  readonly serviceId: ServiceId
  readonly name: string
  readonly scopes: readonly KeyScope[]
  // Null: valid until revoked.
  readonly expiresDays: number | null
}

// Returns the key, which is never shown again.
export async function addKey(deps: Deps, actor: Actor, command: Command): Promise<string> {
  const { serviceId, name, scopes, expiresDays } = command
  if (name === dashboardKeyName) throw new UsageError(`The name ${name} is reserved. Choose another name.`)
  const key = makeApiKey(deps.randomBytes(apiKeyRandomBytes))
  await inTransaction(deps.slots.databaseOf(slotOfService(serviceId)), async (session) => {
    const { accountId } = await lockService(session, serviceId)
    const keys = (await listApiKeys(session, serviceId)).filter(({ isReplaced }) => !isReplaced)
    if (keys.some((known) => known.name === name)) {
      throw new UsageError(`Service ${serviceId} already has a key named ${name}. Revoke it, or choose another name.`)
    }
    if (keys.length >= keysPerServiceMax) {
      throw new UsageError(`Service ${serviceId} has ${keys.length} keys, the maximum. Revoke one first.`)
    }
    await insertApiKey(
      session,
      serviceId,
      storedKey(name, scopes, key),
      expiresDays === null ? null : expiresDays * daySeconds,
    )
    const details = { service: serviceId, key: name, scopes, expiresDays }
    await logAction(session, actor, { accountId, action: 'service key added', details })
  })
  return key
}
