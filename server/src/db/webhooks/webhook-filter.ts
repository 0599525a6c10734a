// What webhooks are filtered by, in the dashboard and on the command line.

import type { ServiceId } from '../../domain/core/slot.ts'
import type { WebhookState } from '../../domain/webhooks/webhook.ts'
import type { Meanings } from '../core/conditions.ts'

export type WebhookFilter = {
  readonly serviceIds?: readonly ServiceId[] | undefined
  readonly isTest?: boolean | undefined
  readonly state?: WebhookState | undefined
  readonly firstId?: number | undefined
  // Only IDs below this one.
  readonly beforeId?: number | undefined
}

export const inWebhooks: Meanings<WebhookFilter> = {
  serviceIds: 'w.service_id = ANY (?)',
  isTest: 'w.is_test = ?',
  state: 'w.state = ?',
  firstId: 'w.id >= ?',
  beforeId: 'w.id < ?',
}
