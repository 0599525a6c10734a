// Customers, for operators: all accounts in one list, one of them with its money, services, people and risk, and what can be done.
// Support helps with everything but money; nobody sees a secret of a customer here.

import { Type } from 'typebox'
import { accountStates, riskLevels, riskSigns, serviceStates } from '../lists/accounts.ts'
import { statementKinds } from '../lists/money.ts'
import { admins, consoleReaders, helpers, memberRoles } from './access.ts'
import {
  change,
  guardedChange,
  id,
  money,
  nothing,
  object,
  optionalTime,
  read,
  shortId,
  shortIdDigits,
  text,
  time,
} from './endpoint.ts'

const count = Type.Integer({ minimum: 0 })
const state = Type.Enum([...accountStates])
const share = Type.Union([Type.Number(), Type.Null()])
const reason = text(1, 200)
// As the command line takes and shows it: a number, or none.
const cap = Type.String({ pattern: '^(none|\\d{1,10}(\\.\\d{1,4})?)$' })
const caps = object({ hourMax: cap, dayMax: cap, spendDayMax: cap })

const risk = object({
  // Of 100.
  score: count,
  level: Type.Enum([...riskLevels]),
  // The sign with the most points first. What a value counts depends on the sign.
  signs: Type.Array(object({ kind: Type.Enum([...riskSigns]), value: Type.Number(), points: count })),
})

const head = {
  id,
  // The e-mail of an account without a name.
  name: Type.String(),
  email: Type.String(),
  state,
  balance: money,
  risk,
  // The last request to the API.
  lastRequestAt: optionalTime,
}

const customer = object({
  ...head,
  // The name of the tariff.
  tariff: Type.String(),
  // Live ones that are on.
  services: count,
  // All of them together, in the currency of the installation; null: one of them has no limit.
  dayCap: Type.Union([money, Type.Null()]),
  spentToday: money,
  // Of the last 24 hours, as far as they are counted.
  calls: count,
  rang: share,
})

const service = object({
  id,
  name: Type.String(),
  isTest: Type.Boolean(),
  state: Type.Enum([...serviceStates]),
  caps,
  startedToday: count,
  spentToday: money,
  // Of the last seven days.
  calls: count,
  rang: share,
})

const member = object({
  email: Type.String(),
  name: Type.String(),
  role: Type.Enum([...memberRoles]),
  hasFactor: Type.Boolean(),
  since: time,
})

export const customerEndpoints = {
  customers: read(
    consoleReaders,
    object({ customers: Type.Array(customer), nextBefore: Type.Union([id, Type.Null()]) }),
    object({
      // An ID, or a part of the name or the e-mail.
      text: Type.Optional(Type.String({ maxLength: 100 })),
      state: Type.Optional(state),
      before: Type.Optional(shortIdDigits),
    }),
  ),
  customer: read(
    consoleReaders,
    object({
      ...head,
      createdAt: time,
      held: money,
      // At the rate of the last seven days; null: nothing was spent.
      daysLeft: Type.Union([count, Type.Null()]),
      tariff: Type.String(),
      tariffs: Type.Array(object({ code: Type.String(), name: Type.String() })),
      // Of the last seven days.
      week: object({ calls: count, succeeded: count, rang: share, spent: money }),
      // One for each of the last thirty, the oldest first.
      days: Type.Array(object({ day: time, spent: money })),
      // Newest first, of thirty days. Charges are summed up by day.
      lines: Type.Array(
        object({
          day: Type.String(),
          kind: Type.Enum([...statementKinds]),
          change: money,
          entries: count,
          reference: Type.Union([Type.String(), Type.Null()]),
        }),
      ),
      services: Type.Array(service),
      members: Type.Array(member),
      // Newest first.
      actions: Type.Array(
        object({ key: Type.String(), at: time, action: Type.String(), who: Type.String(), details: Type.String() }),
      ),
    }),
    object({ id: shortIdDigits }),
  ),
  'move-money': guardedChange(
    admins,
    object({
      accountId: shortId,
      move: Type.Enum(['credit', 'debit']),
      amount: Type.String({ pattern: '^\\d{1,10}(\\.\\d{1,4})?$' }),
      reason,
      // Each counts once per account.
      reference: text(1, 100),
    }),
    object({ balance: money, isRepeated: Type.Boolean() }),
  ),
  'block-customer': guardedChange(helpers, object({ accountId: shortId, isBlocked: Type.Boolean(), reason })),
  'set-customer-tariff': guardedChange(admins, object({ accountId: shortId, tariff: text(1, 32) })),
  // Of one service, with what the operator saw before.
  'set-customer-caps': guardedChange(helpers, object({ serviceId: shortId, caps, was: caps })),
  // The dashboard of the customer, read-only, for a while.
  'view-customer': guardedChange(helpers, object({ accountId: shortId, reason })),
  'end-view': change(helpers, nothing),
}
