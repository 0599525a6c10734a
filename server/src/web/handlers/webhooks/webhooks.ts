// Webhooks and their secrets.

import { showVerification } from '../../../actions/verifications/verifications.ts'
import {
  recoverWebhooks,
  resendWebhook,
  rotateWebhookSecret,
  sendExampleWebhook,
} from '../../../actions/webhooks/webhooks.ts'
import { showWebhooks } from '../../../actions/webhooks/webhooks-view.ts'
import type { VerificationId } from '../../../domain/core/slot.ts'
import { hourSeconds } from '../../../domain/values/time.ts'
import { Denial } from '../../../process/errors.ts'
import { ownService } from '../accounts/own-service.ts'
import type { WebDeps } from '../core/deps.ts'
import { accountOf, actorOf, type Handlers } from '../core/handlers.ts'

export function webhookHandlers(deps: WebDeps) {
  return {
    webhooks: async (visit, { traffic, before }) => {
      const command = { isTest: traffic === 'test', beforeId: before === undefined ? undefined : Number(before) }
      return showWebhooks(deps, accountOf(visit), command)
    },
    'resend-webhook': async (visit, { verificationId }) => {
      const id = verificationId as VerificationId
      const shown = await showVerification(deps, id).catch(() => undefined)
      if (shown?.verification.accountId !== accountOf(visit)) throw new Denial('not-found')
      await resendWebhook(deps, actorOf(visit), id, true)
      deps.noteChange(accountOf(visit), 'verifications')
    },
    'recover-webhooks': async (visit, { since, isTest }) => {
      const accountId = accountOf(visit)
      const count = await recoverWebhooks(deps, actorOf(visit), { accountId, sinceSecond: since / 1_000, isTest })
      deps.noteChange(accountId, 'verifications')
      return { count }
    },
    'send-example-webhook': async (visit, { serviceId, url }) =>
      sendExampleWebhook(deps, await ownService(deps, visit, serviceId), url),
    'rotate-webhook-secret': async (visit, { serviceId: id, overlapHours }) => {
      const serviceId = await ownService(deps, visit, id)
      const command = { serviceId, overlapSeconds: overlapHours * hourSeconds }
      return { serviceId, secret: await rotateWebhookSecret(deps, actorOf(visit), command) }
    },
  } satisfies Partial<Handlers>
}
