// The webhooks of all customers: the backlog, the hosts and what failed.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { type Backlog, type Delivery, readBacklog, readDeliveries } from '../../db/webhooks/delivery-list.ts'
import { type KeyRing, unseal } from '../../domain/crypto/sealing.ts'
import { type ReceiverHost, receiverHosts } from '../../domain/webhooks/receiver-hosts.ts'

type Deps = { readonly slots: SlotMap; readonly recordKeys: KeyRing }

type ShownDeliveries = Backlog & {
  readonly hosts: readonly ReceiverHost[]
  readonly failed: readonly (Delivery & { readonly host: string })[]
}

// Of each database: the read stays short however many webhooks a day has.
export const examinedMax = 2_000
const failedMax = 50

export async function showDeliveries({ slots, recordKeys }: Deps): Promise<ShownDeliveries> {
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
  { serviceId, callbackSealed }: Pick<Delivery, 'serviceId' | 'callbackSealed'>,
): string {
  return new URL(unseal(keys, 'callback', serviceId, callbackSealed)).host
}
