// Accounts of a database as the console lists them, by pages.

import type { accountStates } from '@ringproof/contract/lists/accounts.ts'
import type { RiskFacts } from '../../domain/accounts/customer-risk.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import type { MicroAmount } from '../../domain/money/money.ts'
import { dayMs } from '../../domain/values/time.ts'
import type { Session } from '../core/database.ts'

export type CustomerFilter = {
  // An ID, or a part of the name or the e-mail.
  readonly text: string | undefined
  readonly state: (typeof accountStates)[number] | undefined
  readonly before: number | undefined
}

export type CustomerRow = {
  readonly id: AccountId
  readonly name: string
  readonly email: string
  readonly tariff: string
  readonly balance: MicroAmount
  readonly blockedAt: Date | null
  readonly closedAt: Date | null
  readonly createdAt: Date
  // Live ones that are on.
  readonly services: number
  // Null: one of them has no limit.
  readonly dayCap: MicroAmount | null
  readonly spentToday: MicroAmount
  readonly lastRequestAt: Date | null
}

// The highest ID first.
export async function readCustomers(
  session: Session,
  { text, state, before }: CustomerFilter,
  limit: number,
): Promise<readonly CustomerRow[]> {
  const { rows } = await session.query<CustomerRow>(
    `SELECT a.id, coalesce(nullif(a.name, ''), a.email) AS name, a.email, a.tariff, a.balance, a.blocked_at AS "blockedAt",
       a.closed_at AS "closedAt", a.created_at AS "createdAt", used.services, used.day_cap AS "dayCap",
       used.spent AS "spentToday", used.last_request_at AS "lastRequestAt"
     FROM (
       SELECT * FROM accounts
       WHERE ($1::integer IS NULL OR id < $1)
         AND ($2::text IS NULL OR id::text = $2 OR strpos(lower(name), $2) > 0 OR strpos(email, $2) > 0)
         AND ($3::text IS NULL OR $3 = CASE WHEN closed_at IS NOT NULL THEN 'closed' WHEN blocked_at IS NOT NULL THEN 'blocked'
                                         ELSE 'active' END)
       ORDER BY id DESC LIMIT $4
     ) AS a, LATERAL (
       SELECT count(*) FILTER (WHERE is_live)::integer AS services,
         CASE WHEN bool_and(spend_day_max IS NOT NULL) FILTER (WHERE is_live)
           THEN least(sum(spend_day_max) FILTER (WHERE is_live), 1000000000000000)::bigint END AS day_cap,
         coalesce(sum(day_spent) FILTER (WHERE day = date_trunc('day', clock_timestamp(), 'UTC')), 0)::bigint AS spent,
         max(last_request_at) AS last_request_at
       FROM (SELECT s.state = 'on' AND NOT s.is_test AS is_live, s.spend_day_max, u.day, u.day_spent, u.last_request_at
             FROM services AS s LEFT JOIN service_usage AS u ON u.service_id = s.id WHERE s.account_id = a.id) AS one
     ) AS used
     ORDER BY a.id DESC`,
    [before ?? null, text?.trim().toLowerCase() || null, state ?? null, limit],
  )
  return rows
}

type CountedFacts = Omit<RiskFacts, 'ageDays'>

// Live calls of accounts, of the last 24 hours and the week before, as far as they are counted: the newest minutes are missing.
export async function readCustomerFacts(
  session: Session,
  ids: readonly AccountId[],
  now: Date,
): Promise<ReadonlyMap<AccountId, CountedFacts>> {
  const { rows } = await session.query<CountedFacts & { id: AccountId }>(
    `WITH counted AS (
       SELECT account_id, hour AS at, calls, dialled, rang, charged FROM call_hours
       WHERE account_id = ANY ($1) AND hour >= $3 AND NOT is_test
       UNION ALL
       SELECT account_id, minute, calls, dialled, rang, charged FROM call_minutes
       WHERE account_id = ANY ($1) AND minute >= $3 AND NOT is_test
     ), summed AS (
       SELECT account_id AS id, sum(calls) FILTER (WHERE at >= $2) AS calls, sum(dialled) FILTER (WHERE at >= $2) AS dialled,
         sum(rang) FILTER (WHERE at >= $2) AS rang, sum(charged) FILTER (WHERE at >= $2) AS spent_day,
         sum(charged) FILTER (WHERE at < $2) AS spent_week
       FROM counted GROUP BY 1
     ), refused AS (
       SELECT s.account_id AS id, sum(h.hits) AS hits FROM fraud_hits AS h JOIN services AS s ON s.id = h.service_id
       WHERE h.minute >= $2 AND s.account_id = ANY ($1) GROUP BY 1
     )
     SELECT id, coalesce(hits, 0)::float8 AS "fraudHits", coalesce(calls, 0)::float8 AS calls,
       coalesce(dialled, 0)::float8 AS dialled, coalesce(rang, 0)::float8 AS rang,
       coalesce(spent_day, 0)::float8 AS "spentDay", coalesce(spent_week, 0)::float8 AS "spentWeekBefore"
     FROM summed FULL JOIN refused USING (id)`,
    [ids, new Date(now.getTime() - dayMs), new Date(now.getTime() - 8 * dayMs)],
  )
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}

export const noFacts: CountedFacts = {
  fraudHits: 0,
  calls: 0,
  dialled: 0,
  rang: 0,
  spentDay: 0,
  spentWeekBefore: 0,
}
