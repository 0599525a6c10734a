import { lockService, replaceWebhookSecret } from '../../db/accounts/service.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type ServiceId, slotOfService } from '../../domain/core/slot.ts'
import { type KeyRing, nonceBytes, seal } from '../../domain/crypto/sealing.ts'
import { makeWebhookSecret, webhookSecretRandomBytes } from '../../domain/webhooks/webhook-secret.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
}
type Command = { readonly serviceId: ServiceId; readonly overlapSeconds: number }

// Returns the new secret, which is never shown again. Until the overlap ends webhooks are signed with both.
export async function rotateWebhookSecret(deps: Deps, actor: Actor, command: Command): Promise<string> {
  const { serviceId, overlapSeconds } = command
  const secret = makeWebhookSecret(deps.randomBytes(webhookSecretRandomBytes))
  const sealed = seal(deps.recordKeys, 'webhook-secret', serviceId, secret, deps.randomBytes(nonceBytes))
  await inTransaction(deps.slots.databaseOf(slotOfService(serviceId)), async (session) => {
    const { accountId } = await lockService(session, serviceId)
    await replaceWebhookSecret(session, serviceId, sealed, overlapSeconds)
    const details = { service: serviceId, overlapSeconds }
    await logAction(session, actor, { accountId, action: 'webhook secret rotated', details })
  })
  return secret
}
