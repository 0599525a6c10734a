// The role `webhooks`: delivers webhooks to the customers' servers.

import type { NoteChange } from '../engine/live-hints.ts'
import type { Vault } from '../engine/vault.ts'
import { startWebhookWorker } from '../engine/webhook-worker.ts'
import { createDelivery } from '../webhooks/deliver.ts'
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
  const delivery = createDelivery({ webhookAllow, resolve, clock, timeScale })
  const { deliver } = delivery
  return [
    delivery,
    startWebhookWorker({ slots, vault, deliver, numbers, keys, timeScale, clock, events, noteChange, log }),
  ]
}
