import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { deleteReceiver, putReceiver } from '../../db/notices/notice.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import { type KeyRing, nonceBytes, seal } from '../../domain/crypto/sealing.ts'
import { parseCallbackUrl } from '../../domain/webhooks/web-address.ts'
import { makeWebhookSecret, webhookSecretRandomBytes } from '../../domain/webhooks/webhook-secret.ts'
import { Denial } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly webhookAllow: readonly string[]
}

// Replaces the account's receiver of notices, or removes it if the URL is empty. Returns the new secret, which is not shown again.
export async function setNoticeWebhook(
  { slots, recordKeys, randomBytes, webhookAllow }: Deps,
  actor: Actor,
  accountId: AccountId,
  url: string,
): Promise<string> {
  if (url === '') {
    await inTransaction(slots.globalDatabase, async (session) => {
      await deleteReceiver(session, accountId)
      await logAction(session, actor, { accountId, action: 'notice webhook removed', details: {} })
    })
    return ''
  }
  const parsed = parseCallbackUrl(url, webhookAllow)
  if (!parsed) throw new Denial('invalid', ['url'])
  const secret = makeWebhookSecret(randomBytes(webhookSecretRandomBytes))
  const receiver = {
    urlSealed: seal(recordKeys, 'notice-url', accountId, url, randomBytes(nonceBytes)),
    secretSealed: seal(recordKeys, 'notice-secret', accountId, secret, randomBytes(nonceBytes)),
  }
  await inTransaction(slots.globalDatabase, async (session) => {
    await putReceiver(session, accountId, receiver)
    await logAction(session, actor, { accountId, action: 'notice webhook set', details: { host: parsed.host } })
  })
  return secret
}
