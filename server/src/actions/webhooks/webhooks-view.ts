// What an account sees of its webhooks: the newest with their attempts, how the hosts they go to did in the last day, and which
// secrets sign. The address of a receiver may contain anything, so only its host is shown.

import { webhookRetrySeconds } from '@ringproof/contract/limits.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { listServices } from '../../db/accounts/service.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type Backlog, type Delivery, readBacklog, readDeliveries } from '../../db/webhooks/delivery-list.ts'
import type { WebhookFilter } from '../../db/webhooks/webhook-filter.ts'
import {
  listOwnWebhooks,
  type OwnAttempt,
  type OwnWebhook,
  type RecentAttempt,
  readRecentAttempts,
  readSigningSecrets,
  readWebhookAttempts,
  type SigningSecret,
} from '../../db/webhooks/webhook-list.ts'
import { type AccountId, firstIdOfSecond, type ServiceId, slotOfAccount } from '../../domain/core/slot.ts'
import { type KeyRing, unseal } from '../../domain/crypto/sealing.ts'
import { daySeconds } from '../../domain/values/time.ts'
import { type ReceiverHost, receiverHosts } from '../../domain/webhooks/receiver-hosts.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly nowSeconds: () => number
}

// Hosts are those of the webhooks that are listed, on every page.
type Command = Pick<WebhookFilter, 'isTest' | 'beforeId'>
type Page = WebOutput<'webhooks'>

const listedMax = 50

const recentMax = 2_000

const shownRecent = 60

const endCharacters = 4

export async function showWebhooks(
  { slots, recordKeys, nowSeconds }: Deps,
  accountId: AccountId,
  { beforeId, ...filter }: Command,
): Promise<Page> {
  const database = slots.databaseOf(slotOfAccount(accountId))
  const services = await listServices(database, accountId)
  const serviceIds = services.map(({ id }) => id)
  const dayAgoId = firstIdOfSecond(Math.floor(nowSeconds()) - daySeconds)
  const [webhooks, recent, secrets] = await Promise.all([
    listOwnWebhooks(database, { ...filter, serviceIds, beforeId }, listedMax + 1),
    readRecentAttempts(database, { ...filter, serviceIds, firstId: dayAgoId }, recentMax),
    readSigningSecrets(database, serviceIds),
  ])
  const shown = webhooks.slice(0, listedMax)
  const attempts = Map.groupBy(
    await readWebhookAttempts(
      database,
      shown.map(({ id }) => id),
    ),
    ({ id }) => id,
  )
  return {
    webhooks: shown.map((webhook) => shownWebhook(recordKeys, webhook, attempts.get(webhook.id) ?? [])),
    hasMore: webhooks.length > listedMax,
    hosts: shownHosts(recordKeys, recent),
    services: services
      .filter(({ settings }) => settings.state !== 'archived')
      .map((service) => ({
        id: service.id,
        name: String(service.settings.name),
        isTest: service.isTest,
        ...shownSecrets(recordKeys, service.id, secrets.get(service.id)),
      })),
    retrySeconds: [...webhookRetrySeconds],
  }
}

const shownStates = { due: 'waiting', delivered: 'delivered', dead: 'failed' } as const

function shownWebhook(keys: KeyRing, webhook: OwnWebhook, attempts: readonly OwnAttempt[]): Page['webhooks'][number] {
  const { id, serviceId, state, reason, calledAt, dueAt, numberUntil, isNumberThere, nth } = webhook
  return {
    verificationId: id,
    serviceId,
    host: hostOf(keys, webhook),
    state: shownStates[state],
    reason,
    calledAt: calledAt.getTime(),
    nextAt: state === 'due' ? dueAt.getTime() : null,
    numberUntil: isNumberThere ? numberUntil.getTime() : null,
    nth,
    attempts: attempts.map(({ endedAt, durationMs, status, failure, responseStart }) => ({
      endedAt: endedAt.getTime(),
      ms: durationMs,
      status,
      failure: failure ?? '',
      response: responseStart,
    })),
  }
}

function shownHosts(keys: KeyRing, recent: readonly RecentAttempt[]): Page['hosts'] {
  const byReceiver = Map.groupBy(recent, ({ receiver }) => receiver)
  const hosts = [...byReceiver.values()].map((attempts) => {
    const last = attempts.at(-1) as RecentAttempt
    const webhooks = new Map(attempts.map(({ id, isDelivered }) => [id, isDelivered]))
    const times = attempts.map(({ durationMs }) => durationMs).toSorted((one, other) => one - other)
    const lastGood = attempts.findLastIndex(isGood)
    return {
      host: hostOf(keys, last),
      webhooks: webhooks.size,
      delivered: [...webhooks.values()].filter(Boolean).length,
      medianMs: times[Math.floor(times.length / 2)] ?? 0,
      recent: attempts.slice(-shownRecent).map((attempt) => ({ ms: attempt.durationMs, isGood: isGood(attempt) })),
      failingSince: isGood(last) ? null : (attempts[lastGood + 1]?.endedAt.getTime() ?? null),
      lastStatus: last.status,
    }
  })
  // The one in trouble first.
  return hosts.toSorted((one, other) => Number(other.failingSince !== null) - Number(one.failingSince !== null))
}

function isGood({ status }: RecentAttempt): boolean {
  return status !== null && status >= 200 && status < 300
}

function shownSecrets(keys: KeyRing, id: ServiceId, secret: SigningSecret | undefined) {
  const end = (sealed: Buffer) => unseal(keys, 'webhook-secret', id, sealed).slice(-endCharacters)
  return {
    secretEnd: secret === undefined ? '' : end(secret.sealed),
    oldSecretEnd: secret?.beforeSealed ? end(secret.beforeSealed) : null,
    oldSecretUntil: secret?.beforeUntil?.getTime() ?? null,
  }
}

// The webhooks of all customers: the backlog, the hosts and what failed.

type ShownDeliveries = Backlog & {
  readonly hosts: readonly ReceiverHost[]
  readonly failed: readonly (Delivery & { readonly host: string })[]
}

// Of each database: the read stays short however many webhooks a day has.
export const examinedMax = 2_000

const failedMax = 50

export async function showDeliveries({
  slots,
  recordKeys,
}: Pick<Deps, 'slots' | 'recordKeys'>): Promise<ShownDeliveries> {
  const { databases } = slots
  const [backlogs, recent, dead] = await Promise.all([
    Promise.all(databases.map(readBacklog)),
    Promise.all(databases.map((database) => readDeliveries(database, { limit: examinedMax }))),
    Promise.all(databases.map((database) => readDeliveries(database, { state: 'dead', limit: failedMax }))),
  ])
  const late = backlogs.map(({ lateSeconds }) => lateSeconds ?? 0)
  return {
    waiting: backlogs.reduce((sum, { waiting }) => sum + waiting, 0),
    lateSeconds: Math.max(0, ...late) || null,
    hosts: receiverHosts(
      recent.flat().map((delivery) => ({
        ...delivery,
        host: hostOf(recordKeys, delivery),
        canBeResent: delivery.numberUntil !== null,
        endedMs: delivery.endedAt?.getTime() ?? null,
      })),
    ),
    failed: dead
      .flat()
      .toSorted((one, other) => other.id - one.id)
      .slice(0, failedMax)
      .map((delivery) => ({ ...delivery, host: hostOf(recordKeys, delivery) })),
  }
}

export function hostOf(
  keys: KeyRing,
  { serviceId, callbackSealed }: Pick<OwnWebhook, 'serviceId' | 'callbackSealed'>,
): string {
  return new URL(unseal(keys, 'callback', serviceId, callbackSealed)).host
}
