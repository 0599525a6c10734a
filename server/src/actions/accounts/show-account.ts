import { type Account, readAccount } from '../../db/accounts/account.ts'
import { listServices, type Service } from '../../db/accounts/service.ts'
import { readActions } from '../../db/core/action-log.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import { UsageError } from '../../process/errors.ts'

type ShownAccount = {
  readonly account: Account
  readonly services: readonly Service[]
  // Newest first.
  readonly actions: Awaited<ReturnType<typeof readActions>>
}

const actionsMax = 10

export async function showAccount({ slots }: { readonly slots: SlotMap }, id: AccountId): Promise<ShownAccount> {
  const database = slots.databaseOf(slotOfAccount(id))
  const account = await readAccount(database, id)
  if (!account) throw new UsageError(`Account ${id} does not exist. \`ringproof accounts list\` shows all accounts.`)
  const [services, actions] = await Promise.all([listServices(database, id), readActions(slots, id, actionsMax)])
  return { account, services, actions }
}
