// The role `webhooks`: delivers webhooks to the customers' servers.

import type { NoteChange } from '../engine/live-hints.ts'
import type { Vault } from '../engine/vault.ts'
import { startWebhookWorker } from '../engine/webhook-worker.ts'
import type { Deliver, DeliverDeps } from '../webhooks/deliver.ts'
import { createResolver } from '../webhooks/resolve.ts'
import type { Closing, RoleDatabases, ServerDeps } from './server-deps.ts'

export function startWebhooksRole(
  deps: ServerDeps,
  { slots }: RoleDatabases,
  { vault, noteChange }: { readonly vault: Vault; readonly noteChange: NoteChange },
): readonly Closing[] {
  const { config, clock, log, keys, numbers, events } = deps
  const { timeScale, webhookAllow } = config
  const resolve = createResolver({ clock, timeScale })
  const delivery = createLazyDelivery({ webhookAllow, resolve, clock, timeScale })
  const { deliver } = delivery
  return [
    delivery,
    startWebhookWorker({ slots, vault, deliver, numbers, keys, timeScale, clock, events, noteChange, log }),
  ]
}

// The HTTP client is loaded with the first webhook: an installation without inbound calls does not pay for it.
function createLazyDelivery(deps: DeliverDeps): Closing & { readonly deliver: Deliver } {
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
