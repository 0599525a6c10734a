import type { Answer } from '@ringproof/contract/answers.ts'
import { readAccount } from '../db/account.ts'
import { readActions } from '../db/action-log.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { Caller } from '../domain/caller.ts'
import { slotOfAccount } from '../domain/slot.ts'
import { unixSeconds } from '../domain/unix-time.ts'

const entriesMax = 50

export async function getAccount(deps: { readonly slots: SlotMap }, caller: Caller): Promise<Answer<'getAccount'>> {
  const database = deps.slots.databaseOf(slotOfAccount(caller.accountId))
  const account = await readAccount(database, caller.accountId)
  if (!account) throw new Error(`account ${caller.accountId} of a caller is not in the record`)
  const actions = await readActions(database, account.id, entriesMax)
  return {
    id: account.id,
    telegram_id: account.telegramId ?? 0,
    two_auth: account.twoAuth,
    email: account.email,
    logs: actions.map(({ action, userAgent, address, createdAt }) => ({
      action,
      user_agent: userAgent,
      ip: address,
      created: unixSeconds(createdAt),
    })),
    updated: unixSeconds(account.activeAt),
    created: unixSeconds(account.createdAt),
  }
}
