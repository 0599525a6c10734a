import type { SlotMap } from '../../db/core/slot-map.ts'
import { readStatementEntries } from '../../db/money/ledger-entry.ts'
import { type AccountId, firstIdOfSecond, slotOfAccount } from '../../domain/core/slot.ts'
import { addMoney, type MicroAmount } from '../../domain/money/money.ts'
import { type Statement, statementOf } from '../../domain/money/statement.ts'
import { UsageError } from '../../process/errors.ts'

type Command = {
  readonly accountId: AccountId
  // Days in UTC, such as 2026-11-16, both included.
  readonly firstDay: string
  readonly lastDay: string | undefined
}

type ShownStatement = Statement & {
  readonly email: string
  // Of now: what can be spent, and what is held for calls in progress.
  readonly available: MicroAmount
  readonly held: MicroAmount
}

export async function showStatement(
  { slots }: { readonly slots: SlotMap },
  { accountId, firstDay, lastDay }: Command,
): Promise<ShownStatement> {
  const firstId = firstIdOfSecond(Date.parse(firstDay) / 1_000)
  const read = await readStatementEntries(slots.databaseOf(slotOfAccount(accountId)), accountId, { firstId, firstDay })
  if (!read)
    throw new UsageError(`Account ${accountId} does not exist. \`ringproof accounts list\` shows all accounts.`)
  const { email, balance, held, entries } = read
  return { ...statementOf(entries, addMoney(balance, held), lastDay), email, available: balance, held }
}
