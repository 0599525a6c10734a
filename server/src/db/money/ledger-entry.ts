// Ledger entries for operators: lists, and the lines of a statement. No index but the ID serves them, because an index would
// slow down every accept: the range of IDs bounds what is read.

import { type AccountId, firstIdOfSecond, type IdRange, idEpochSeconds } from '../../domain/core/slot.ts'
import { type LedgerAccount, type Move, moves } from '../../domain/money/ledger.ts'
import type { MicroAmount } from '../../domain/money/money.ts'
import type { StatementEntry } from '../../domain/money/statement.ts'
import type { Session } from '../core/database.ts'

export type LedgerEntry = {
  // The ID of the verification, or of the payment.
  readonly id: number
  readonly sequence: number
  readonly accountId: AccountId
  readonly move: Move
  readonly amount: MicroAmount
  readonly createdAt: Date
  readonly reference: string | null
}

export type LedgerFilter = IdRange & {
  readonly accountId?: AccountId | undefined
  readonly move?: Move | undefined
}

// Newest first. Both entries of an ID are read or none, so there may be one more than the limit.
export async function searchLedger(
  session: Session,
  { firstId, endId, accountId, move }: LedgerFilter,
  limit: number,
): Promise<readonly LedgerEntry[]> {
  const { from = null, to = null } = move === undefined ? {} : moves[move]
  const { rows } = await session.query<Omit<LedgerEntry, 'move'> & { from: LedgerAccount; to: LedgerAccount }>(
    `SELECT entry.id, entry.sequence, entry.account_id AS "accountId", entry.from_account AS "from",
       entry.to_account AS "to", entry.amount, entry.created_at AS "createdAt", paid.reference
     FROM (SELECT * FROM ledger
           WHERE id >= $1 AND id < $2 AND ($3::integer IS NULL OR account_id = $3)
             AND ($4::ledger_account IS NULL OR (from_account = $4 AND to_account = $5::ledger_account))
           ORDER BY id DESC FETCH FIRST $6 ROWS WITH TIES) AS entry
     LEFT JOIN payment_references AS paid ON paid.account_id = entry.account_id AND paid.entry_id = entry.id
     ORDER BY entry.id DESC, entry.sequence DESC`,
    [firstId, endId, accountId ?? null, from, to, limit],
  )
  return rows.map(({ from: source, to: target, ...entry }) => ({ ...entry, move: moveOf(source, target) }))
}

function moveOf(from: LedgerAccount, to: LedgerAccount): Move {
  const known = (Object.keys(moves) as Move[]).find((name) => moves[name].from === from && moves[name].to === to)
  if (known === undefined) throw new RangeError(`no move goes from ${from} to ${to}`)
  return known
}

type AccountEntries = {
  readonly email: string
  readonly balance: MicroAmount
  readonly held: MicroAmount
  readonly entries: readonly StatementEntry[]
}

// What changed an account's money since a day, oldest first, in one snapshot with its balance. Entries of days that were
// rolled up are sums.
export async function readStatementEntries(
  session: Session,
  accountId: AccountId,
  { firstId, firstDay }: { readonly firstId: number; readonly firstDay: string },
): Promise<AccountEntries | undefined> {
  const { rows } = await session.query<AccountEntries>(
    `WITH moved AS (
       SELECT ${dayOf('id')} AS day, id, from_account, to_account, amount, 1 AS entries
       FROM ledger WHERE account_id = $1 AND id >= $2
       UNION ALL
       SELECT day, NULL, from_account, to_account, amount, entries FROM ledger_days WHERE account_id = $1 AND day >= $3
     ), summed AS (
       SELECT day, kind, CASE WHEN kind <> 'charges' THEN id END AS id, sum(amount) AS amount, sum(entries) AS entries
       FROM (SELECT *, CASE WHEN from_account = 'external' THEN 'credit' WHEN to_account = 'external' THEN 'debit'
                         WHEN to_account = 'revenue' THEN 'charges' END AS kind FROM moved) AS named
       WHERE kind IS NOT NULL GROUP BY 1, 2, 3
     )
     SELECT email, balance, held, coalesce((
       SELECT jsonb_agg(jsonb_build_object('day', day, 'kind', kind, 'entryId', id, 'amount', amount, 'entries', entries,
         'reference', (SELECT string_agg(paid.reference, ', ' ORDER BY paid.entry_id) FROM payment_references AS paid
                       WHERE paid.account_id = $1 AND (paid.entry_id = summed.id OR (summed.id IS NULL
                         AND ${dayOf('paid.entry_id')} = summed.day
                         AND summed.kind = CASE WHEN paid.from_account = 'external' THEN 'credit' ELSE 'debit' END))))
         ORDER BY day, kind = 'charges', id)
       FROM summed), '[]') AS entries
     FROM accounts WHERE id = $1`,
    [accountId, firstId, firstDay],
  )
  return rows[0]
}

type Charges = {
  // Everything that was charged before the first day.
  readonly before: MicroAmount
  // From the first day to the last one.
  readonly charged: MicroAmount
  readonly entries: number
  // A call of these days is still in progress and may be charged.
  readonly hasOpenHold: boolean
}

export async function readCharges(
  session: Session,
  accountId: AccountId,
  { firstDay, nextDay }: { readonly firstDay: string; readonly nextDay: string },
): Promise<Charges> {
  const secondOf = (day: string) => Date.parse(day) / 1_000
  const { rows } = await session.query<Charges>(
    `WITH moved AS (
       SELECT ${dayOf('id')} AS day, amount, 1 AS entries
       FROM ledger WHERE account_id = $1 AND id < $3 AND to_account = 'revenue'
       UNION ALL
       SELECT day, amount, entries FROM ledger_days WHERE account_id = $1 AND day < $4 AND to_account = 'revenue'
     )
     SELECT coalesce(sum(amount) FILTER (WHERE day < $2), 0)::bigint AS before,
       coalesce(sum(amount) FILTER (WHERE day >= $2), 0)::bigint AS charged,
       coalesce(sum(entries) FILTER (WHERE day >= $2), 0)::bigint AS entries,
       -- Most of the time nothing is held, and the entries need not be read.
       CASE WHEN (SELECT held FROM accounts WHERE id = $1) = 0 THEN false
         ELSE EXISTS (SELECT FROM ledger AS hold
                      WHERE hold.account_id = $1 AND hold.id >= $5 AND hold.id < $3 AND hold.to_account = 'held'
                        AND NOT EXISTS (SELECT FROM ledger AS close WHERE close.id = hold.id AND close.sequence = 2))
       END AS "hasOpenHold"
     FROM moved`,
    [accountId, firstDay, firstIdOfSecond(secondOf(nextDay)), nextDay, firstIdOfSecond(secondOf(firstDay))],
  )
  const [charges] = rows
  if (!charges) throw new Error('the sum of charges is missing')
  return charges
}

// The day of an ID in UTC: an entry counts for the day on which its verification was accepted.
function dayOf(id: string): string {
  return `(to_timestamp((${id} >> 23) + ${idEpochSeconds}) AT TIME ZONE 'UTC')::date`
}
