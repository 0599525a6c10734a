import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readDeliveries, sendDeliveriesAnew } from '../../db/webhooks/delivery-list.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { hostOf } from '../webhooks/show-deliveries.ts'

type Deps = { readonly slots: SlotMap; readonly recordKeys: KeyRing }

// Of each database and press.
const recoveredMax = 1_000

// Sends every failed webhook to a host again whose number is still there, over all customers. Returns how many.
export async function recoverHost({ slots, recordKeys }: Deps, actor: Actor, host: string): Promise<number> {
  const counts = await Promise.all(
    slots.databases.map((database) =>
      inTransaction(database, async (session) => {
        const dead = await readDeliveries(session, { state: 'dead', limit: recoveredMax })
        const there = dead.filter((delivery) => delivery.numberUntil !== null && hostOf(recordKeys, delivery) === host)
        const sent = await sendDeliveriesAnew(
          session,
          there.map(({ id }) => id),
        )
        const byAccount = Map.groupBy(
          there.filter(({ id }) => sent.has(id)),
          ({ accountId }) => accountId,
        )
        for (const [accountId, { length: count }] of byAccount) {
          await logAction(session, actor, { accountId, action: 'webhooks recovered', details: { host, count } })
        }
        return sent.size
      }),
    ),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}
