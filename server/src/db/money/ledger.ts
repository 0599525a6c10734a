import type { AccountId } from '../../domain/core/slot.ts'
import {
  type AccountTotals,
  emptyTotals,
  type LedgerAccount,
  type LedgerTotals,
  type Move,
  moves,
} from '../../domain/money/ledger.ts'
import type { MicroAmount } from '../../domain/money/money.ts'
import type { Actor } from '../core/action-log.ts'
import type { Session } from '../core/database.ts'

export type Payment = {
  readonly accountId: AccountId
  readonly move: Extract<Move, 'credit' | 'debit'>
  readonly amount: MicroAmount
  // The operator's name for it, such as the number of a bank transfer: an account takes each once.
  readonly reference: string
  readonly reason: string
}

type MoveOutcome = 'recorded' | 'repeated' | 'other-payment' | 'unknown-account' | 'too-much' | 'too-little'

// Entry, balance, reference and log entry at once; nothing unless the outcome is "recorded".
export async function moveMoney(
  session: Session,
  actor: Actor,
  { accountId, move, amount, reference, reason }: Payment,
): Promise<{ readonly outcome: MoveOutcome; readonly entryId: number; readonly balance: MicroAmount }> {
  const { rows } = await session.query<{ outcome: MoveOutcome; entryId: number; balance: MicroAmount }>(
    'SELECT outcome, entry_id AS "entryId", balance FROM move_money($1, $2, $3, $4, $5, $6, $7, $8)',
    [accountId, move === 'credit', amount, reference, reason, actor.operator ?? '', actor.address, actor.userAgent],
  )
  const [moved] = rows
  if (!moved) throw new Error('move_money returned nothing')
  return moved
}

// The existing entry with this reference.
export async function findReference(
  session: Session,
  accountId: AccountId,
  reference: string,
): Promise<Pick<Payment, 'move' | 'amount'> | undefined> {
  const { rows } = await session.query<{ from: LedgerAccount; amount: MicroAmount }>(
    'SELECT from_account AS "from", amount FROM payment_references WHERE account_id = $1 AND reference = $2',
    [accountId, reference],
  )
  const [found] = rows
  return found && { amount: found.amount, move: found.from === moves.credit.from ? 'credit' : 'debit' }
}

// The ledger of every account of one database, in one snapshot. Entries and calls of a missing account count too.
export async function readLedgerTotals(session: Session): Promise<ReadonlyMap<AccountId, LedgerTotals>> {
  const { rows } = await session.query<{
    id: AccountId
    balance: MicroAmount
    held: MicroAmount
    pendingPrices: MicroAmount
    entries: Partial<Record<LedgerAccount, MicroAmount>> | null
  }>(
    `SELECT id, coalesce(a.balance, 0) AS balance, coalesce(a.held, 0) AS held, p.entries,
       coalesce(o.price, 0) AS "pendingPrices"
     FROM accounts AS a
     FULL JOIN (SELECT account_id AS id, jsonb_object_agg(account, amount) AS entries FROM ledger_totals GROUP BY 1) AS p USING (id)
     FULL JOIN (SELECT account_id AS id, sum(price)::bigint AS price FROM verifications
                WHERE state IN ('accepted', 'dialling') GROUP BY 1) AS o USING (id)
     ORDER BY 1`,
  )
  return new Map(
    rows.map(({ id, balance, held, pendingPrices, entries }) => {
      const sums: AccountTotals = { ...emptyTotals, ...entries }
      return [id, { balance, held, pendingPrices, entries: sums }]
    }),
  )
}
