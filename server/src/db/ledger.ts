import {
  type AccountTotals,
  emptyTotals,
  type LedgerAccount,
  type LedgerTotals,
  type Move,
  moves,
} from '../domain/money/ledger.ts'
import type { MicroRoubles } from '../domain/money/money.ts'
import type { AccountId } from '../domain/slot.ts'
import type { Session } from './database.ts'

// Writes the ledger entry of a credit or debit and updates the balance. The calling code holds the account's lock.
export async function recordPayment(
  session: Session,
  accountId: AccountId,
  move: Extract<Move, 'credit' | 'debit'>,
  amount: MicroRoubles,
): Promise<{ readonly entryId: number; readonly balance: MicroRoubles }> {
  const { rows } = await session.query<{ entryId: number; balance: MicroRoubles }>(
    'SELECT entry_id AS "entryId", balance FROM record_payment($1, $2, $3)',
    [accountId, move === 'credit', amount],
  )
  const [entered] = rows
  if (!entered) throw new Error(`account ${accountId} does not exist`)
  return entered
}

export type ReferencedEntry = {
  readonly entryId: number
  readonly move: Extract<Move, 'credit' | 'debit'>
  readonly amount: MicroRoubles
}

// The existing entry with this reference. The calling code holds the account's lock, so no other can be written meanwhile.
export async function findReference(
  session: Session,
  accountId: AccountId,
  reference: string,
): Promise<ReferencedEntry | undefined> {
  const { rows } = await session.query<{ entryId: number; from: LedgerAccount; amount: MicroRoubles }>(
    `SELECT entry_id AS "entryId", from_account AS "from", amount FROM payment_references
     WHERE account_id = $1 AND reference = $2`,
    [accountId, reference],
  )
  const [found] = rows
  return found && { ...found, move: found.from === moves.credit.from ? 'credit' : 'debit' }
}

export async function insertReference(
  session: Session,
  accountId: AccountId,
  reference: string,
  { entryId, move, amount }: ReferencedEntry,
): Promise<void> {
  await session.query(
    'INSERT INTO payment_references (account_id, reference, entry_id, from_account, amount) VALUES ($1, $2, $3, $4, $5)',
    [accountId, reference, entryId, moves[move].from, amount],
  )
}

// The ledger of every account of one database, in one snapshot. Entries and calls of a missing account count too.
export async function readLedgerTotals(session: Session): Promise<ReadonlyMap<AccountId, LedgerTotals>> {
  const { rows } = await session.query<{
    id: AccountId
    balance: MicroRoubles
    held: MicroRoubles
    pendingPrices: MicroRoubles
    entries: Partial<Record<LedgerAccount, MicroRoubles>> | null
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
