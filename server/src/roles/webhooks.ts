// The role `webhooks`: delivers webhooks to the customers' servers.

import type { Bus } from '../engine/core/bus.ts'
import type { NoteChange } from '../engine/core/live-hints.ts'
import type { Vault } from '../engine/core/vault.ts'
import { createOfferWebhook } from '../engine/webhooks/webhook-listeners.ts'
import { startWebhookWorker } from '../engine/webhooks/webhook-worker.ts'
import { createRandomBytes } from '../process/random-bytes.ts'
import type { Deliver, DeliverDeps } from '../webhooks/deliver.ts'
import { createResolver } from '../webhooks/resolve.ts'
import type { Closing, RoleDatabases, ServerDeps } from './server-deps.ts'

export function startWebhooksRole(
  deps: ServerDeps,
  { slots }: RoleDatabases,
  { bus, vault, noteChange }: { readonly bus: Bus; readonly vault: Vault; readonly noteChange: NoteChange },
): readonly Closing[] {
  const { config, clock, log, keys, numbers, events, traces } = deps
  const { timeScale, webhookAllow } = config
  const resolve = createResolver({ clock, timeScale })
  const delivery = createLazyDelivery({ webhookAllow, resolve, clock, timeScale })
  const { deliver } = delivery
  const offer = createOfferWebhook({ bus, keys, randomBytes: createRandomBytes() })
  return [
    delivery,
    startWebhookWorker({
      slots,
      vault,
      deliver,
      offer,
      numbers,
      keys,
      timeScale,
      clock,
      events,
      traces,
      noteChange,
      log,
    }),
  ]
}

// The HTTP client is loaded with the first webhook: an installation without inbound calls does not pay for it.
export function createLazyDelivery(deps: DeliverDeps): Closing & { readonly deliver: Deliver } {
  let loaded: Promise<Closing & { readonly deliver: Deliver }> | undefined
  const load = () => {
    loaded ??= import('../webhooks/deliver.ts').then(({ createDelivery }) => createDelivery(deps))
    return loaded
  }
  return {
    deliver: async (...request) => (await load()).deliver(...request),
    close: async () => (await loaded)?.close(),
  }
}
