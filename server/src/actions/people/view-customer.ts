// An operator opens the dashboard of a customer, to see what the customer sees. It is read-only, ends after half an hour, and the
// customer's log says that it happened.

import { readAccount } from '../../db/accounts/account.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { startView } from '../../db/people/web-session.ts'
import { isAccountId, slotOfAccount } from '../../domain/core/slot.ts'
import { viewSeconds } from '../../domain/people/session.ts'
import { Denial } from '../../process/errors.ts'
import type { Visitor } from './find-visitor.ts'

type Deps = { readonly slots: SlotMap }
type Command = { readonly accountId: number; readonly reason: string }

export async function viewCustomer(
  { slots }: Deps,
  actor: Actor,
  { session }: Visitor,
  { accountId, reason }: Command,
): Promise<void> {
  if (!isAccountId(accountId)) throw new Denial('not-found')
  const database = slots.databaseOf(slotOfAccount(accountId))
  if (!(await readAccount(database, accountId))) throw new Denial('not-found')
  const details = { reason, minutes: viewSeconds / 60 }
  await inTransaction(slots.globalDatabase, async (transaction) => {
    await logAction(transaction, actor, { accountId, action: 'dashboard viewed', details })
    await startView(transaction, session.digest, accountId, viewSeconds)
  })
}
