// Tariffs, for operators: dated prices, what carriers take, and the margin on the last thirty days. The past is never changed: a price and
// a cost are followed by newer ones.

import { Type } from 'typebox'
import { verificationModes } from '../lists/calls.ts'
import { pricedMethods } from '../lists/money.ts'
import { callModes } from '../methods.ts'
import { admins, consoleReaders } from './access.ts'
import { guardedChange, money, object, optionalTime, read, text, time } from './endpoint.ts'

const count = Type.Integer({ minimum: 0 })
const country = Type.String({ pattern: '^([A-Z]{2}|\\*)$' })
const countedMode = Type.Enum([...verificationModes])
const code = Type.String({ pattern: '^[a-z0-9_-]{1,32}$' })
const amount = Type.String({ pattern: '^\\d{1,10}(\\.\\d{1,4})?$' })
// An inbound verification and a lookup have no mode.
const item = {
  method: Type.Enum([...pricedMethods]),
  mode: Type.Enum(['', ...callModes]),
  // An asterisk: every country without its own price.
  country,
}

const totals = {
  calls: count,
  revenue: money,
  cost: money,
  margin: money,
  // Dialled over a trunk without a cost.
  withoutCost: count,
}

export const tariffEndpoints = {
  tariffs: read(
    consoleReaders,
    object({
      // Whole days in UTC.
      from: time,
      until: time,
      total: object(totals),
      // The one with the most revenue first.
      destinations: Type.Array(object({ country: Type.String(), mode: countedMode, ...totals })),
      tariffs: Type.Array(
        object({
          code: Type.String(),
          name: Type.String(),
          chargesFailed: Type.Boolean(),
          // Past, current and future ones; by what they are for, the oldest first.
          prices: Type.Array(object({ ...item, price: money, validFrom: time })),
        }),
      ),
      costs: Type.Array(object({ trunk: Type.String(), mode: countedMode, country, cost: money, validFrom: time })),
      trunks: Type.Array(Type.String()),
    }),
  ),
  'price-preview': read(
    consoleReaders,
    object({
      // Calls whose price would be another one.
      paid: count,
      revenueBefore: money,
      revenueAfter: money,
      marginBefore: money,
      marginAfter: money,
      withoutCost: count,
    }),
    object({ tariff: code, ...item, price: amount }),
  ),
  // A new tariff with its first price.
  'create-tariff': guardedChange(
    admins,
    object({ tariff: code, name: text(1, 100), ...item, price: amount, validFrom: optionalTime }),
    object({ validFrom: time }),
  ),
  // Of a tariff that exists. Without a time: from now on.
  'set-price': guardedChange(
    admins,
    object({ tariff: code, ...item, price: amount, validFrom: optionalTime }),
    object({ validFrom: time }),
  ),
  'set-trunk-cost': guardedChange(
    admins,
    object({
      trunk: Type.String({ pattern: '^[a-z0-9-]{1,32}$' }),
      mode: countedMode,
      country,
      cost: amount,
      validFrom: optionalTime,
    }),
    object({ validFrom: time }),
  ),
}
