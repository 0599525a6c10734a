// How the hosts that webhooks go to are doing, from the newest webhooks of a day.

import type { WebhookState } from './webhook.ts'

export type HostDelivery = {
  readonly host: string
  readonly accountId: number
  readonly state: WebhookState
  readonly canBeResent: boolean
  // Of the last attempt; null if there was none yet.
  readonly endedMs: number | null
  readonly status: number | null
  readonly failure: string | null
  readonly durationMs: number | null
}

export type ReceiverHost = {
  readonly host: string
  readonly accountIds: readonly number[]
  readonly webhooks: number
  readonly delivered: number
  readonly waiting: number
  readonly recoverable: number
  readonly medianMs: number | null
  readonly failingSince: number | null
  readonly lastStatus: number | null
  readonly lastFailure: string | null
}

// In trouble first, then the busiest.
export function receiverHosts(deliveries: readonly HostDelivery[]): readonly ReceiverHost[] {
  const hosts = [...Map.groupBy(deliveries, ({ host }) => host)].map(([host, own]) => summary(host, own))
  return hosts.toSorted(
    (one, other) =>
      Number(other.failingSince !== null) - Number(one.failingSince !== null) || other.webhooks - one.webhooks,
  )
}

function summary(host: string, deliveries: readonly HostDelivery[]): ReceiverHost {
  const tried = deliveries.filter(isTried).toSorted((one, other) => one.endedMs - other.endedMs)
  const times = tried.map(({ durationMs }) => durationMs ?? 0).toSorted((one, other) => one - other)
  const last = tried.at(-1)
  const lastGood = tried.findLastIndex(({ state }) => state === 'delivered')
  return {
    host,
    accountIds: [...new Set(deliveries.map(({ accountId }) => accountId))].toSorted((one, other) => one - other),
    webhooks: deliveries.length,
    delivered: deliveries.filter(({ state }) => state === 'delivered').length,
    waiting: deliveries.filter(({ state }) => state === 'due').length,
    recoverable: deliveries.filter(({ state, canBeResent }) => state === 'dead' && canBeResent).length,
    medianMs: times[Math.floor(times.length / 2)] ?? null,
    failingSince: tried[lastGood + 1]?.endedMs ?? null,
    lastStatus: last?.status ?? null,
    lastFailure: last?.failure ?? null,
  }
}

function isTried(delivery: HostDelivery): delivery is HostDelivery & { readonly endedMs: number } {
  return delivery.endedMs !== null
}
