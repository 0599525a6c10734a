// The role `webhooks`: delivers what the account owners' servers are told.

import type { Vault } from '../engine/vault.ts'
import { openWebhookWorker } from '../engine/webhook-worker.ts'
import { openDelivery } from '../webhooks/deliver.ts'
import { openResolver } from '../webhooks/resolve.ts'
import type { Closing, Ground, RoleRecord } from './server-deps.ts'

export function openWebhooks(ground: Ground, { slots }: RoleRecord, vault: Vault): readonly Closing[] {
  const { config, clock, log, keys, numbers, events } = ground
  const { timeScale, webhookAllow } = config
  const resolve = openResolver({ clock, timeScale })
  const delivery = openDelivery({ webhookAllow, resolve, clock, timeScale })
  const { deliver } = delivery
  return [delivery, openWebhookWorker({ slots, vault, deliver, numbers, keys, timeScale, clock, events, log })]
}
