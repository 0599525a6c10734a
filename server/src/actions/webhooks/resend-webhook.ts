import { lockService } from '../../db/accounts/service.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { lockWebhook, sendAnew } from '../../db/webhooks/webhook.ts'
import { hurryWebhook } from '../../db/webhooks/webhook-list.ts'
import { slotOfVerification, type VerificationId } from '../../domain/core/slot.ts'
import { UsageError } from '../../process/errors.ts'

// Makes a dead webhook due at once and restarts its retry schedule, as long as its number has not been erased. One that waits
// for its next attempt is sent at once if it may be hurried, and needs nothing if that attempt has delivered it.
export async function resendWebhook(
  deps: { readonly slots: SlotMap },
  actor: Actor,
  id: VerificationId,
  mayHurry = false,
): Promise<void> {
  await inTransaction(deps.slots.databaseOf(slotOfVerification(id)), async (session) => {
    const webhook = await lockWebhook(session, id)
    if (!webhook)
      throw new UsageError(`Verification ${id} has no webhook. \`ringproof webhooks list\` shows the newest ones.`)
    if (webhook.state === 'due' && mayHurry) return hurryWebhook(session, id)
    // The next attempt may come before the button is pressed.
    if (webhook.state === 'delivered' && mayHurry) return
    if (webhook.state === 'due') throw new UsageError(`The webhook of verification ${id} is already due.`)
    if (webhook.state === 'delivered') {
      throw new UsageError(`The webhook of verification ${id} was delivered, and its number has been erased.`)
    }
    if (!webhook.isNumberThere) {
      throw new UsageError(
        `The number of verification ${id} has been erased. A webhook can be resent for 30 minutes after its call.`,
      )
    }
    await sendAnew(session, id)
    const { accountId } = await lockService(session, webhook.serviceId)
    await logAction(session, actor, { accountId, action: 'webhook sent again', details: { verification: id } })
  })
}
