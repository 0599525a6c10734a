// The role `webhooks`: delivers what the account owners' servers are told.

import type { Vault } from '../engine/vault.ts'
import { openWebhookWorker } from '../engine/webhook-worker.ts'
import { openDelivery } from '../webhooks/deliver.ts'
import { openResolver } from '../webhooks/resolve.ts'
import type { Closing, RoleRecord, ServerDeps } from './server-deps.ts'

export function openWebhooks(deps: ServerDeps, { slots }: RoleRecord, vault: Vault): readonly Closing[] {
  const { config, clock, log, keys, numbers, events } = deps
  const { timeScale, webhookAllow } = config
  const resolve = openResolver({ clock, timeScale })
  const delivery = openDelivery({ webhookAllow, resolve, clock, timeScale })
  const { deliver } = delivery
  return [delivery, openWebhookWorker({ slots, vault, deliver, numbers, keys, timeScale, clock, events, log })]
}
