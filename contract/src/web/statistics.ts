// Statistics of an account: one page on which every figure is a filter.

import { Type } from 'typebox'
import { everyMember } from './access.ts'
import { id, money, object, read, time } from './endpoint.ts'
import { verificationFilters } from './verifications.ts'

const count = Type.Integer()
const optionalNumber = Type.Union([Type.Number(), Type.Null()])

const figures = {
  calls: count,
  succeeded: count,
  failed: count,
  repeats: count,
  charged: money,
  // Milliseconds until the phone rang; to the end of a step.
  ringP50Ms: optionalNumber,
  ringP95Ms: optionalNumber,
}

const { traffic, from, until, mode, service, country, provider } = verificationFilters

export const statisticsEndpoints = {
  statistics: read(
    everyMember,
    object({
      by: Type.Enum(['hour', 'day']),
      from: time,
      until: time,
      total: object(figures),
      // The same length of time before.
      before: object(figures),
      bins: Type.Array(object({ at: time, ...figures })),
      // Of calls that were dialled: how many rang, with a 95 % interval, and what is usual in the same hours.
      providers: Type.Array(
        object({
          provider: Type.String(),
          dialled: count,
          rang: count,
          low: Type.Number(),
          high: Type.Number(),
          usual: optionalNumber,
          hasFallen: Type.Boolean(),
        }),
      ),
      reasons: Type.Array(object({ reason: Type.String(), calls: count })),
      modes: Type.Array(
        object({
          mode: Type.Enum(['flash', 'voice', 'mix', 'inbound']),
          calls: count,
          succeeded: count,
          charged: money,
        }),
      ),
      services: Type.Array(object({ id, name: Type.String(), calls: count, succeeded: count, charged: money })),
      // Monday is 1.
      hours: Type.Array(object({ weekday: count, hour: count, calls: count, succeeded: count, failed: count })),
    }),
    object({ traffic, from, until, mode, service, country, provider }),
  ),
  overview: read(
    everyMember,
    object({
      balance: money,
      held: money,
      // Whole days at the rate of the last seven; null: nothing was spent.
      daysLeft: optionalNumber,
      failedWebhooks: count,
    }),
  ),
}
