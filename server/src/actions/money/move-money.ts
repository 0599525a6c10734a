// Credits or debits an account. The reference makes it idempotent: a second attempt finds the first entry and changes nothing, so
// the operator can always repeat the command after a lost response.

import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { findReference, type Payment, moveMoney as recordMove } from '../../db/money/ledger.ts'
import { slotOfAccount } from '../../domain/core/slot.ts'
import { formatDecimal, type MicroAmount, moneyMax } from '../../domain/money/money.ts'
import { UsageError } from '../../process/errors.ts'

export type MovedMoney = {
  readonly balance: MicroAmount
  readonly entryId: number
  // The reference was already used; nothing changed.
  readonly isRepeated: boolean
}

export async function moveMoney(
  deps: { readonly slots: SlotMap },
  actor: Actor,
  payment: Payment,
): Promise<MovedMoney> {
  const { accountId, amount, reference } = payment
  if (amount === 0) throw new UsageError('Amount must be greater than 0.')
  if (!/^\P{Cc}{1,100}$/u.test(reference)) {
    throw new UsageError('--reference takes 1 to 100 characters without control characters.')
  }
  const database = deps.slots.databaseOf(slotOfAccount(accountId))
  const moved = await inTransaction(database, (session) => recordMove(session, actor, payment))
  const { outcome, entryId, balance } = moved
  if (outcome === 'unknown-account') throw new UsageError(`Account ${accountId} does not exist.`)
  if (outcome === 'too-little')
    throw new UsageError(`Account ${accountId} has only ${formatDecimal(balance)} available.`)
  if (outcome === 'too-much')
    throw new UsageError(`The balance would exceed the maximum of ${formatDecimal(moneyMax)}.`)
  // Ignoring it would lose one of the two.
  if (outcome === 'other-payment') {
    const known = await findReference(database, accountId, reference)
    const first = known ? ` by a ${known.move} of ${formatDecimal(known.amount)} (entry ${entryId})` : ''
    throw new UsageError(
      `Reference ${reference} of account ${accountId} is taken${first}. Nothing was changed; give this payment another reference.`,
    )
  }
  return { balance, entryId, isRepeated: outcome === 'repeated' }
}
