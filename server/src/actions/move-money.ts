// Credits or debits an account. A reference makes it idempotent: a second attempt finds the first entry and changes nothing,
// so the operator can always repeat the command after a lost response.

import { lockAccount } from '../db/account.ts'
import { type Actor, logAction } from '../db/action-log.ts'
import { inTransaction, type Session } from '../db/database.ts'
import { findReference, insertReference, recordPayment } from '../db/ledger.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { addMoney, formatRoubles, type MicroRoubles, moneyMax } from '../domain/money/money.ts'
import { type AccountId, slotOfAccount } from '../domain/slot.ts'
import { UsageError } from '../errors.ts'

type Command = {
  readonly accountId: AccountId
  readonly move: 'credit' | 'debit'
  readonly amount: MicroRoubles
  readonly reference: string | undefined
  // For the action log.
  readonly reason?: string | undefined
}

export type MovedMoney = {
  readonly balance: MicroRoubles
  readonly entryId: number
  // The reference was already used; nothing changed.
  readonly isRepeated: boolean
}

export async function moveMoney(
  deps: { readonly slots: SlotMap },
  actor: Actor,
  command: Command,
): Promise<MovedMoney> {
  const { accountId, move, amount, reference, reason } = command
  if (amount === 0) throw new UsageError('Amount must be greater than 0.')
  if (reference !== undefined && !/^\P{Cc}{1,100}$/u.test(reference)) {
    throw new UsageError('--reference takes 1 to 100 characters without control characters.')
  }
  return inTransaction(deps.slots.databaseOf(slotOfAccount(accountId)), async (session) => {
    const account = await lockAccount(session, accountId)
    const known = reference === undefined ? undefined : await findRepeated(session, { ...command, reference })
    if (known !== undefined) return { balance: account.balance, entryId: known, isRepeated: true }
    if (move === 'debit' && amount > account.balance) {
      throw new UsageError(`Account ${accountId} has only ${formatRoubles(account.balance)} roubles available.`)
    }
    if (move === 'credit' && addMoney(account.balance, account.held, amount) > moneyMax) {
      throw new UsageError(`The balance would exceed the maximum of ${formatRoubles(moneyMax)} roubles.`)
    }
    const { entryId, balance } = await recordPayment(session, accountId, move, amount)
    if (reference !== undefined) await insertReference(session, accountId, reference, { entryId, move, amount })
    const details = {
      roubles: formatRoubles(amount),
      entry: entryId,
      ...(reference === undefined ? {} : { reference }),
      ...(reason === undefined ? {} : { reason }),
    }
    await logAction(session, actor, { accountId, action: `account ${move}ed`, details })
    return { balance, entryId, isRepeated: false }
  })
}

// The entry of the first attempt. A reference used for another payment is an error: ignoring it would lose one of the two.
async function findRepeated(
  session: Session,
  { accountId, move, amount, reference }: Command & { readonly reference: string },
): Promise<number | undefined> {
  const known = await findReference(session, accountId, reference)
  if (known && (known.move !== move || known.amount !== amount)) {
    throw new UsageError(
      `Reference ${reference} of account ${accountId} is taken by a ${known.move} of ${formatRoubles(known.amount)} roubles (entry ${known.entryId}). Nothing was changed; give this payment another reference.`,
    )
  }
  return known?.entryId
}
