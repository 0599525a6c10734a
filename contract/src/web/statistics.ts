// Statistics of an account: one page on which every figure is a filter.

import { Type } from 'typebox'
import { verificationModes } from '../lists/calls.ts'
import { builders, readers } from './access.ts'
import { change, id, money, object, read, shortId, text, time } from './endpoint.ts'
import { countedFilters } from './verifications.ts'

const count = Type.Integer()
const optionalNumber = Type.Union([Type.Number(), Type.Null()])

const modeInstead = Type.Enum(['mix', 'voice'])

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

const { traffic, from, until, mode, service, country, provider } = countedFilters

export const statisticsEndpoints = {
  statistics: read(
    readers,
    object({
      by: Type.Enum(['hour', 'day']),
      from: time,
      until: time,
      total: object(figures),
      // Of the period that it is compared with: the same length of time before, unless the input says another.
      before: object(figures),
      compared: object({ from: time, until: time }),
      bins: Type.Array(object({ at: time, ...figures })),
      providers: Type.Array(
        object({
          provider: Type.String(),
          // Of calls that were dialled: how many rang, with a 95 % interval, and what is usual in the same hours.
          dialled: count,
          rang: count,
          low: Type.Number(),
          high: Type.Number(),
          usual: optionalNumber,
          hasFallen: Type.Boolean(),
          // How flash calls to it could be placed instead, and the price of a call then and now; null: there is no such advice.
          advice: Type.Union([object({ mode: modeInstead, price: money, flashPrice: money }), Type.Null()]),
        }),
      ),
      // Providers whose flash calls are placed in another mode.
      providerModes: Type.Array(object({ provider: Type.String(), mode: modeInstead, services: Type.Array(id) })),
      reasons: Type.Array(object({ reason: Type.String(), calls: count })),
      modes: Type.Array(
        object({
          mode: Type.Enum([...verificationModes]),
          calls: count,
          succeeded: count,
          charged: money,
        }),
      ),
      services: Type.Array(object({ id, name: Type.String(), calls: count, succeeded: count, charged: money })),
      // Monday is 1.
      hours: Type.Array(object({ weekday: count, hour: count, calls: count, succeeded: count, failed: count })),
    }),
    object({
      traffic,
      from,
      until,
      compareFrom: from,
      compareUntil: until,
      mode,
      service,
      country,
      provider,
    }),
  ),
  // Null: flash calls are placed as flash calls again. Without a service: all live services.
  'set-provider-mode': change(
    builders,
    object({
      provider: text(1, 200),
      mode: Type.Union([modeInstead, Type.Null()]),
      serviceId: Type.Union([shortId, Type.Null()]),
    }),
  ),
  overview: read(
    readers,
    object({
      balance: money,
      held: money,
      // Whole days at the rate of the last seven; null: nothing was spent.
      daysLeft: optionalNumber,
      failedWebhooks: count,
    }),
  ),
}
