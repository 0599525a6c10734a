import { type Actor, logAction } from '../db/action-log.ts'
import { inTransaction } from '../db/database.ts'
import { enterAtTill } from '../db/ledger.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { addMoney, formatRoubles, type MicroRoubles, moneyMax } from '../domain/money.ts'
import { type AccountId, slotOfAccount } from '../domain/slot.ts'
import { OperatorMistake } from '../errors.ts'
import { findAccount } from './find-account.ts'

type Command = { readonly accountId: AccountId; readonly move: 'credit' | 'debit'; readonly amount: MicroRoubles }

// A payment that came in, or one that is given back. The new balance.
export async function moveMoney(
  deps: { readonly slots: SlotMap },
  actor: Actor,
  command: Command,
): Promise<MicroRoubles> {
  const { accountId, move, amount } = command
  return inTransaction(deps.slots.databaseOf(slotOfAccount(accountId)), async (session) => {
    const account = await findAccount(session, accountId)
    if (amount === 0) throw new OperatorMistake('nothing is not an amount')
    if (move === 'debit' && amount > account.balance) {
      throw new OperatorMistake(`account ${accountId} has ${formatRoubles(account.balance)} roubles to give back`)
    }
    if (move === 'credit' && addMoney(account.balance, account.held, amount) > moneyMax) {
      throw new OperatorMistake(`an account holds ${formatRoubles(moneyMax)} roubles at most`)
    }
    const { entryId, balance } = await enterAtTill(session, accountId, move, amount)
    const details = { roubles: formatRoubles(amount), entry: entryId }
    await logAction(session, actor, { accountId, action: `account ${move}ed`, details })
    return balance
  })
}
