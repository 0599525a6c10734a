// Webhooks of all customers.

import { recoverHost } from '../../../actions/installation/restores.ts'
import { resendWebhook } from '../../../actions/webhooks/webhooks.ts'
import { examinedMax, showDeliveries } from '../../../actions/webhooks/webhooks-view.ts'
import type { VerificationId } from '../../../domain/core/slot.ts'
import { Denial, UsageError } from '../../../process/errors.ts'
import type { WebDeps } from '../core/deps.ts'
import { actorOf, type Handlers } from '../core/handlers.ts'

export function deliveryHandlers(deps: WebDeps) {
  return {
    deliveries: async () => {
      const { waiting, lateSeconds, hosts, failed } = await showDeliveries(deps)
      return {
        waiting,
        lateSeconds,
        hosts: hosts.map((host) => ({ ...host, accountIds: [...host.accountIds] })),
        failed: failed.map(({ id, accountId, host, calledAt, reason, attempts, status, failure, numberUntil }) => ({
          verificationId: id,
          accountId,
          host,
          calledAt: calledAt.getTime(),
          reason: reason ?? '',
          attempts,
          lastStatus: status,
          lastFailure: failure,
          numberUntil: numberUntil?.getTime() ?? null,
        })),
        examinedMax,
      }
    },
    'send-delivery-again': async (visit, { verificationId }) => {
      await resendWebhook(deps, actorOf(visit), verificationId as VerificationId).catch((error: unknown) => {
        throw error instanceof UsageError ? new Denial('not-found') : error
      })
    },
    'recover-host': async (visit, { host }) => ({ count: await recoverHost(deps, actorOf(visit), host) }),
  } satisfies Partial<Handlers>
}
