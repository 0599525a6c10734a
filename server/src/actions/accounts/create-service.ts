import { lockAccount } from '../../db/accounts/account.ts'
import { insertApiKey } from '../../db/accounts/api-key.ts'
import { insertService, nextServiceId, setService } from '../../db/accounts/service.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { apiKeyRandomBytes, defaultScopes, firstKeyName, makeApiKey, storedKey } from '../../domain/accounts/api-key.ts'
import { type NewServiceCaps, type ServiceSettingName, serviceSettings } from '../../domain/accounts/service.ts'
import { type AccountId, type ServiceId, slotOfAccount } from '../../domain/core/slot.ts'
import { type KeyRing, nonceBytes, seal } from '../../domain/crypto/sealing.ts'
import { makeWebhookSecret, webhookSecretRandomBytes } from '../../domain/webhooks/webhook-secret.ts'
import { UsageError } from '../../process/errors.ts'
import { parseTexts } from './set-service.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly newServiceCaps: NewServiceCaps
}
type Command = {
  readonly accountId: AccountId
  readonly name: string
  // Calls only test numbers and the virtual phones of its account, and is free. It stays one.
  readonly isTest?: boolean
  // Initial settings; they override the installation's default caps.
  readonly texts?: Readonly<Partial<Record<ServiceSettingName, string>>>
}

// The key and the secret are never shown again.
type Created = { readonly serviceId: ServiceId; readonly key: string; readonly webhookSecret: string }

export async function createService(deps: Deps, actor: Actor, command: Command): Promise<Created> {
  const { accountId, isTest = false } = command
  const name = serviceSettings.name.parse(command.name)
  if (name === undefined) throw new UsageError(`Invalid --name. Use 1 to 100 characters without control characters.`)
  const settings = parseTexts({ ...deps.newServiceCaps, ...command.texts })
  const key = makeApiKey(deps.randomBytes(apiKeyRandomBytes))
  const webhookSecret = makeWebhookSecret(deps.randomBytes(webhookSecretRandomBytes))
  const slot = slotOfAccount(accountId)
  return inTransaction(deps.slots.databaseOf(slot), async (session) => {
    const { closedAt } = await lockAccount(session, accountId)
    if (closedAt) throw new UsageError(`Account ${accountId} is closed. \`ringproof accounts reopen\` opens it again.`)
    const serviceId = await nextServiceId(session, slot)
    const nonce = deps.randomBytes(nonceBytes)
    const webhookSecretSealed = seal(deps.recordKeys, 'webhook-secret', serviceId, webhookSecret, nonce)
    await insertService(session, { id: serviceId, accountId, name, isTest, webhookSecretSealed })
    await insertApiKey(session, serviceId, storedKey(firstKeyName, defaultScopes({ isTest }), key), null)
    await setService(session, serviceId, settings)
    await logAction(session, actor, {
      accountId,
      action: 'service created',
      details: { service: serviceId, name, isTest },
    })
    return { serviceId, key, webhookSecret }
  })
}
