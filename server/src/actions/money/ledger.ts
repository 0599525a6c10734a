// Credits or debits an account. The reference makes it idempotent: a second attempt finds the first entry and changes nothing, so
// the operator can always repeat the command after a lost response.

import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { findReference, type Payment, readLedgerTotals, moveMoney as recordMove } from '../../db/money/ledger.ts'
import { type LedgerEntry, type LedgerFilter, searchLedger } from '../../db/money/ledger-entry.ts'
import { slotOfAccount, slotOfVerification, type VerificationId } from '../../domain/core/slot.ts'
import { ledgerDiscrepancies } from '../../domain/money/ledger.ts'
import { addMoney, formatDecimal, type MicroAmount, moneyMax, zeroMoney } from '../../domain/money/money.ts'
import { UsageError } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
}

export type MovedMoney = {
  readonly balance: MicroAmount
  readonly entryId: number
  // The reference was already used; nothing changed.
  readonly isRepeated: boolean
}

export async function moveMoney(deps: Deps, actor: Actor, payment: Payment): Promise<MovedMoney> {
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

type LedgerPage = {
  readonly entries: readonly LedgerEntry[]
  // There are entries with lower IDs.
  readonly nextBefore: number | undefined
}

// Newest first. Both entries of a verification are on one page, so it may have one more than the limit. With an account or a
// verification only its database is read.
export async function listLedger(
  { slots }: Deps,
  { verificationId, ...filter }: LedgerFilter & { readonly verificationId: VerificationId | undefined },
  limit: number,
): Promise<LedgerPage> {
  const ofVerification = verificationId && { firstId: verificationId, endId: verificationId + 1 }
  const databases =
    verificationId !== undefined
      ? [slots.databaseOf(slotOfVerification(verificationId))]
      : filter.accountId !== undefined
        ? [slots.databaseOf(slotOfAccount(filter.accountId))]
        : slots.databases
  // Two more show whether there are more: an ID has up to two entries.
  const lists = await Promise.all(
    databases.map((database) => searchLedger(database, { ...filter, ...ofVerification }, limit + 2)),
  )
  const found = lists.flat().toSorted((a, b) => b.id - a.id || b.sequence - a.sequence)
  const lastId = found[limit - 1]?.id ?? 0
  const entries = found.filter(({ id }) => id >= lastId)
  return { entries, nextBefore: entries.length < found.length ? lastId : undefined }
}

type Audit = {
  readonly accounts: number
  // Sum of all ledger accounts of all accounts. Must be zero.
  readonly sum: MicroAmount
  readonly faults: readonly string[]
}

// Compares every account's balance with its ledger entries, and its held amount with its pending verifications.
export async function auditLedger(deps: Deps): Promise<Audit> {
  const ledger = (await Promise.all(deps.slots.databases.map(readLedgerTotals))).flatMap((map) => [...map])
  return {
    accounts: ledger.length,
    sum: ledger.reduce(
      (sum, [, { balance, held, entries }]) => addMoney(sum, balance, held, entries.external, entries.revenue),
      zeroMoney,
    ),
    faults: ledger.flatMap(([id, account]) => ledgerDiscrepancies(account).map((fault) => `account ${id}: ${fault}`)),
  }
}
