// Money of an account: the balance, a month's statement, the lines of a day, and what calls cost.

import { Type } from 'typebox'
import { pricedKinds, statementKinds } from '../lists/money.ts'
import { readers } from './access.ts'
import { id, idDigits, money, object, read, time } from './endpoint.ts'

const day = Type.String({ pattern: '^20\\d\\d-\\d\\d-\\d\\d$' })

export const balanceEndpoints = {
  balance: read(
    readers,
    object({
      balance: money,
      held: money,
      // Whole days at the rate of the last seven; null: nothing was spent.
      daysLeft: Type.Union([Type.Number(), Type.Null()]),
      month: Type.String(),
      opening: money,
      closing: money,
      // Oldest first. Charges are summed up by day.
      lines: Type.Array(
        object({
          day: Type.String(),
          kind: Type.Enum([...statementKinds]),
          // Positive when the account gains.
          change: money,
          balance: money,
          entries: Type.Integer(),
          reference: Type.Union([Type.String(), Type.Null()]),
        }),
      ),
      // The operator's payment page for this account, with {amount} to be put in; empty: there is none.
      pageLink: Type.String(),
      // Whether the operator sends invoices.
      hasInvoices: Type.Boolean(),
      tariff: Type.String(),
      // An empty country is every other one.
      prices: Type.Array(
        object({
          country: Type.String(),
          kind: Type.Enum([...pricedKinds]),
          price: money,
        }),
      ),
    }),
    object({ month: Type.Optional(Type.String({ pattern: '^20\\d\\d-\\d\\d$' })) }),
  ),
  'ledger-lines': read(
    readers,
    object({
      // Newest first.
      lines: Type.Array(
        object({
          id,
          at: time,
          move: Type.Enum(['credit', 'debit', 'charge', 'capture']),
          change: money,
          reference: Type.Union([Type.String(), Type.Null()]),
        }),
      ),
      nextBefore: Type.Union([id, Type.Null()]),
    }),
    object({ day, before: Type.Optional(idDigits) }),
  ),
}
