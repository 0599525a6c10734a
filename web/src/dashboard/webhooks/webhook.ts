import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { Status } from '../../parts/charts/Ring.tsx'

export type WebhooksPage = WebOutput<'webhooks'>
export type Webhook = WebhooksPage['webhooks'][number]
export type WebhookHost = WebhooksPage['hosts'][number]
export type WebhookService = WebhooksPage['services'][number]
export type WebhookState = Webhook['state']

export const stateLook: Readonly<Record<WebhookState, Status>> = {
  waiting: 'waiting',
  delivered: 'succeeded',
  failed: 'failed',
}

// One clock in both languages: hours, minutes and seconds.
export function clockOf(exactClock: string): string {
  return exactClock.slice(0, 8)
}

export function isGood(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}

// Seconds from the call to each attempt of a whole schedule.
export function scheduleOf(retrySeconds: readonly number[]): readonly number[] {
  const sumTo = (end: number) => retrySeconds.slice(0, end).reduce((sum, seconds) => sum + seconds, 0)
  return [0, ...retrySeconds.map((_, at) => sumTo(at + 1))]
}
