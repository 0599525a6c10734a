import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { paymentSettingsId, writePaymentSecret } from '../../db/money/payment.ts'
import type { User } from '../../db/people/user.ts'
import { type KeyRing, nonceBytes, seal, unseal } from '../../domain/crypto/sealing.ts'
import { makeWebhookSecret, webhookSecretRandomBytes } from '../../domain/webhooks/webhook-secret.ts'
import { logByPerson } from '../people/create-session.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
}

// Returns the secret that signs the reports of the payment page from now on; it is never shown again. The one before is worth
// nothing at once: with it anyone could credit accounts.
export async function renewPaymentSecret(deps: Deps, actor: Actor, by: Pick<User, 'email'>): Promise<string> {
  const { slots, recordKeys, randomBytes } = deps
  const secret = makeWebhookSecret(randomBytes(webhookSecretRandomBytes))
  const sealed = seal(recordKeys, 'payment-secret', paymentSettingsId, secret, randomBytes(nonceBytes))
  await inTransaction(slots.globalDatabase, async (session) => {
    await writePaymentSecret(session, sealed)
    await logByPerson(session, actor, by, { accountId: null, action: 'payment secret renewed', details: {} })
  })
  return secret
}

export function unsealPaymentSecret(recordKeys: KeyRing, sealed: Buffer): string {
  return unseal(recordKeys, 'payment-secret', paymentSettingsId, sealed)
}
